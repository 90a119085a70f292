/** Hooks: who renders when, on how many streams, in strict mode, and with what before anything came. */
import type { RunEvent } from "@callboard/run-log";
import { lifeNamed } from "@callboard/testkit";
import { memo, StrictMode } from "react";
import { hydrateRoot, type Root } from "react-dom/client";
import { renderToString } from "react-dom/server";
import { describe, expect, it } from "vitest";
import type { MessageOutline } from "../board/outline.js";
import {
  CallboardProvider,
  type Conversation,
  useConnection,
  useConversation,
  useMessages,
  useRun,
  useText,
  useToolCall,
} from "./index.js";
import { createCounter, createPage } from "./testing/page.js";

const log = lifeNamed("parallel-calls")?.log ?? [];
const runId = "run_parallel-calls";

const counter = createCounter();

const Text = memo(function Text({ partId }: { readonly partId: string }) {
  counter.count(`text ${partId}`);
  return <p>{useText(runId, partId)?.text}</p>;
});

const Call = memo(function Call({ callId }: { readonly callId: string }) {
  counter.count(`call ${callId}`);
  const call = useToolCall(callId, runId);
  return <output>{call && `${call.toolName} ${call.state}`}</output>;
});

const Message = memo(function Message({ message }: { readonly message: MessageOutline }) {
  counter.count(`message ${message.id}`);
  return message.parts.map((part) => {
    if (part.type === "call") return <Call key={part.callId} callId={part.callId} />;
    if (part.type === "text") return <Text key={part.partId} partId={part.partId} />;
    return null;
  });
});

/** A chat as an application would write it, with everything that renders counted. */
function Chat({ conversationId }: { readonly conversationId: string }) {
  counter.count("chat");
  const { runs } = useConversation(conversationId);
  return runs.flatMap(({ messages }) =>
    messages.map((message) => <Message key={message.id} message={message} />),
  );
}

function Watcher({ id }: { readonly id: string }) {
  useConversation("conv_1");
  return <i>{useRun(id).view?.status}</i>;
}

function Connection() {
  useConversation("conv_1");
  return <b>{useConnection().status}</b>;
}

function Roles() {
  useConversation("conv_1");
  return <pre>{JSON.stringify(useMessages("conv_1").map(({ role }) => role))}</pre>;
}

/** What the page has in its hands to send and cancel with. */
const held: { current?: Conversation } = {};

function Outline({ id }: { readonly id: string | undefined }) {
  const conversation = useConversation(id);
  held.current = conversation;
  const { conversationId, runs, isRunning } = conversation;
  return <em>{`${conversationId} ${runs.length} ${isRunning}`}</em>;
}

function Everything() {
  const { status } = useConnection();
  const { view } = useRun(runId);
  return (
    <div>
      {status} {String(view)} {useMessages("conv_1").length} {String(useToolCall("x"))}
      <Chat conversationId="conv_1" />
    </div>
  );
}

const firstOf = (type: RunEvent["type"]): number => log.findIndex((event) => event.type === type);

describe("renders", () => {
  it("follow what changed: one call's event renders one component", async () => {
    const page = createPage();
    counter.take();
    const started = firstOf("call.run.started");
    page.server.append(...log.slice(0, started));
    await page.render(<Chat conversationId="conv_1" />);
    counter.take();
    for (const event of log.slice(started)) {
      if (event.type === "message.opened") break;
      await page.perform(() => page.server.append(event));
      const expected = "callId" in event ? { [`call ${event.callId}`]: 1 } : {};
      expect(counter.take(), event.type).toEqual(expected);
    }
    await page.unmount();
  });

  it("follow what changed: one text's delta renders one component", async () => {
    const page = createPage();
    counter.take();
    await page.render(<Chat conversationId="conv_1" />);
    const seen = new Set<string>();
    for (const event of log) {
      await page.perform(() => page.server.append(event));
      const taken = counter.take();
      if (event.type !== "text.delta") continue;
      if (seen.has(event.partId)) expect(taken).toEqual({ [`text ${event.partId}`]: 1 });
      seen.add(event.partId);
    }
    expect(seen.size).toBeGreaterThan(0);
    const texts = [...page.container.querySelectorAll("p")].map((text) => text.textContent);
    expect(texts).toEqual(
      log.flatMap((event) => (event.type === "text.closed" ? [event.text] : [])),
    );
    await page.unmount();
  });

  it("of many calls on a page that was read late are one for each", async () => {
    const page = createPage();
    counter.take();
    page.server.append(...log);
    await page.render(<Chat conversationId="conv_1" />);
    const counts = Object.entries(counter.take()).filter(([name]) => name.startsWith("call "));
    expect(counts).toHaveLength(3);
    await page.unmount();
  });
});

describe("streams", () => {
  it("are one for a page, however many hooks watch", async () => {
    const page = createPage();
    page.server.append(...log);
    await page.render([1, 2, 3].map((key) => <Watcher key={key} id={runId} />));
    expect(page.server.openStreams).toBe(1);
    expect(page.server.heard).toHaveLength(1);
    expect(page.container.textContent).toBe("closedclosedclosed");
    await page.unmount();
    expect(page.server.openStreams).toBe(0);
  });

  it("are one in strict mode too, which mounts everything twice", async () => {
    const page = createPage();
    page.server.append(...log);
    await page.render(
      <StrictMode>
        <Chat conversationId="conv_1" />
      </StrictMode>,
    );
    expect(page.server.heard).toHaveLength(1);
    expect(page.container.querySelectorAll("output")).toHaveLength(3);
    await page.unmount();
    expect(page.server.openStreams).toBe(0);
  });

  it("show how they are", async () => {
    const page = createPage();
    await page.render(<Connection />);
    expect(page.container.textContent).toBe("live");
    await page.perform(() => page.server.cut());
    expect(page.container.textContent).toBe("reconnecting");
    await page.perform(() => page.clock.advance(188));
    expect(page.container.textContent).toBe("live");
    await page.unmount();
  });
});

describe("a conversation", () => {
  it("starts with its first message and is watched from then on", async () => {
    const started = { runId, conversationId: "conv_1" };
    const page = createPage({ onExecute: () => started });
    await page.render(<Outline id={undefined} />);
    expect(page.container.textContent).toBe("undefined 0 false");
    await page.perform(async () => {
      page.server.append(...log.slice(0, 4));
      expect(await held.current?.send("hello")).toEqual(started);
    });
    expect(page.container.textContent).toBe("conv_1 1 true");
    expect(page.server.heard[0]?.body).toEqual({ user_input: "hello", stream: true });
    expect(page.server.openStreams).toBe(1);
    await page.perform(() => page.server.append(...log.slice(4)));
    expect(page.container.textContent).toBe("conv_1 1 false");
    await page.unmount();
  });

  it("runs a tool as the person once it has started, and not before", async () => {
    const started = { runId, conversationId: "conv_1" };
    const page = createPage({ onExecute: () => started });
    const request = { toolName: "read_file", arguments: { path: "a.txt" } };
    await page.render(<Outline id={undefined} />);
    await expect(held.current?.runTool(request)).rejects.toThrow("has not started");
    await page.render(<Outline id="conv_1" />);
    await page.perform(async () => {
      page.server.append(...log.slice(0, 4));
      expect(await held.current?.runTool(request)).toEqual(started);
    });
    expect(page.server.heard.find(({ path }) => path.endsWith("/calls"))).toMatchObject({
      path: "/api/conversations/conv_1/calls",
      body: { tool_name: "read_file", arguments: { path: "a.txt" } },
    });
    await page.unmount();
  });

  it("cancels what runs in it", async () => {
    const page = createPage({
      onOther: ({ path }) =>
        path.endsWith("/cancel") ? Response.json({ status: "cancelling" }) : undefined,
    });
    page.server.append(...log.slice(0, 9));
    await page.render(<Outline id="conv_1" />);
    await page.perform(() => held.current?.cancel("enough"));
    const asked = page.server.heard.at(-1);
    expect(asked).toMatchObject({
      path: `/api/agent/runs/${runId}/cancel`,
      body: { reason: "enough" },
    });
    await page.unmount();
  });

  it("gives its whole messages as the heart tells them", async () => {
    const page = createPage();
    page.server.append(...log);
    await page.render(<Roles />);
    expect(page.container.textContent).toBe('["user","assistant","assistant"]');
    await page.unmount();
  });
});

describe("on a server", () => {
  it("everything renders empty, and nothing is opened", () => {
    const html = renderToString(
      <CallboardProvider options={{ baseUrl: "http://nowhere.invalid" }}>
        <Everything />
      </CallboardProvider>,
    );
    expect(html.replaceAll("<!-- -->", "")).toBe("<div>idle undefined 0 undefined</div>");
  });
});

it("a page that came from a server is taken over without a mismatch", async () => {
  const page = createPage();
  page.server.append(...log);
  const whole = (
    <CallboardProvider board={page.board}>
      <Chat conversationId="conv_1" />
    </CallboardProvider>
  );
  const container = document.createElement("div");
  container.innerHTML = renderToString(whole);
  const problems: unknown[] = [];
  let root: Root | undefined;
  await page.perform(() => {
    root = hydrateRoot(container, whole, { onRecoverableError: (error) => problems.push(error) });
  });
  expect(problems).toEqual([]);
  expect(container.querySelectorAll("output")).toHaveLength(3);
  await page.perform(() => root?.unmount());
  expect(page.server.openStreams).toBe(0);
});

it("outside a provider a hook says what is missing", () => {
  expect(() => renderToString(<Connection />)).toThrow(/wrap the page in <CallboardProvider>/);
});
