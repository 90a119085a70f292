/**
 * Questions of a run that its process holds: an MCP server asks during its call, or another call runs in the background.
 * The run is not parked, and yet clients are asked, their turn ends, and whoever is to be told is told.
 */
import { randomUUID } from "node:crypto";
import { defineTool } from "@callboard/agent-sdk";
import { builtProgram } from "@callboard/testkit";
import { lastAssistantMessageIsCompleteWithApprovalResponses } from "ai";
import { afterAll, expect, it, vi } from "vitest";
import { z } from "zod";
import { createTestChat, partsOf } from "./testing/chat.js";
import { describePlaces, type TestPlace, type TestUser } from "./testing/place.js";
import { fieldOf, textAtPath, valuesOf } from "./testing/reading.js";
import { startWebhookReceiver } from "./testing/webhookReceiver.js";

const receiver = await startWebhookReceiver();
afterAll(() => receiver.close());

/** Ends the calls in the background that it holds. */
const ends: (() => void)[] = [];
const watch = defineTool({
  name: "watch",
  description: "Runs in the background until the test ends it.",
  kind: "other",
  input: z.object({}),
  detached: true,
  run: (_, { output }) => {
    output("watching\n");
    return new Promise<string>((resolve) => void ends.push(() => resolve("watched")));
  },
});
const paid: string[] = [];
const pay = defineTool({
  name: "pay",
  description: "Needs an approval.",
  kind: "execute",
  input: z.object({ to: z.string() }),
  run({ to }) {
    paid.push(to);
    return `paid ${to}`;
  },
});

const mcpServer = builtProgram("packages/agent-sdk/src/mcp/testing/stdio-server-cli.js");
const book = "call mcp__test__ask {}\nsay over";

async function pendingOf(
  { ask }: TestPlace,
  user: TestUser,
  runId: string,
): Promise<Readonly<Record<"call" | "approval", string>>> {
  const run: unknown = await (await ask(user, "GET", `/api/agent/runs/${runId}`)).json();
  expect(fieldOf(run, "is_parked")).toBe(false);
  return {
    call: textAtPath(run, "pending_calls", 0, "call_id"),
    approval: textAtPath(run, "pending_approvals", 0, "approval_id"),
  };
}

async function newestRun({ ask }: TestPlace, user: TestUser, id: string): Promise<string> {
  const page: unknown = await (await ask(user, "GET", `/api/conversations/${id}/runs`)).json();
  return textAtPath(page, "items", 0, "id");
}

const waits = { timeout: 20_000, interval: 20 };

describePlaces(
  "a run that its process holds",
  (use) => {
    it("ends the turn of a chat where an MCP server asks, and takes the answer beside the messages", async () => {
      const place = use();
      const user = await place.newUser();
      const id = randomUUID();
      const body = { prompt_id: "travelling" };
      const { chat, requests } = createTestChat(place, user, { id, body });
      await chat.sendMessage({ text: book });
      expect([chat.status, requests()]).toEqual(["ready", 1]);
      expect(partsOf(chat.lastMessage)).toEqual(["step-start", "dynamic-tool input-available"]);
      const nested = chat.lastMessage?.parts.find(({ type }) => type === "data-nested-call");
      const call_id = textAtPath(nested, "data", "toolCallId");
      const pending = await pendingOf(place, user, await newestRun(place, user, id));
      expect(pending.call).toBe(call_id);
      const results = [{ call_id, output: { name: "Ada" } }];
      await chat.sendMessage(undefined, { body: { results } });
      expect(partsOf(chat.lastMessage)).toEqual([
        "step-start",
        "dynamic-tool output-available",
        "step-start",
        "text: Rehearsal: over",
      ]);
      expect(chat.messages.length).toBe(2);
      const more = { id: "m", role: "user", parts: [{ type: "text", text: "say it" }] };
      const refused = await place.ask(user, "POST", "/api/chat", { id, messages: [more], results });
      expect(fieldOf(await refused.json(), "errors", 0, "field")).toBe("results");
    });

    it("ends the turn of a chat at an approval beside a call in the background", async () => {
      const place = use();
      const user = await place.newUser();
      const id = randomUUID();
      const { chat, requests } = createTestChat(place, user, {
        ...{ id, body: { prompt_id: "watching" } },
        sendAutomaticallyWhen: lastAssistantMessageIsCompleteWithApprovalResponses,
      });
      await chat.sendMessage({ text: `call watch {}\nsay on\ncall pay {"to":"${id}"}\nsay over` });
      expect([chat.status, requests(), paid.includes(id)]).toEqual(["ready", 1, false]);
      const { approval } = await pendingOf(place, user, await newestRun(place, user, id));
      await chat.addToolApprovalResponse({ id: approval, approved: true });
      const told = "text: Rehearsal: over";
      await vi.waitFor(() => expect(partsOf(chat.lastMessage)).toContain(told), waits);
      for (const end of ends.splice(0)) end();
      await vi.waitFor(() => expect([requests(), chat.status]).toEqual([2, "ready"]), waits);
      expect(chat.messages.length).toBe(2);
      expect(paid.filter((to) => to === id)).toHaveLength(1);
    });

    it("ends the turn of AG-UI where an MCP server asks, and names the call", async () => {
      const place = use();
      const user = await place.newUser();
      const threadId = randomUUID();
      const said = { id: "m1", role: "user", content: book };
      const thread = { threadId, protocolVersion: "1.0" };
      const body = { ...thread, runId: randomUUID(), messages: [said] };
      const address = "/api/ag-ui/travelling";
      const turn = await (await place.ask(user, "POST", address, body)).text();
      const [, called = ""] = /"pendingToolCallIds":\["([^"]+)"\]/.exec(turn) ?? [];
      const { call } = await pendingOf(place, user, await newestRun(place, user, threadId));
      expect(called).toBe(call);
      const content = JSON.stringify({ name: "Ada" });
      const result = { id: "m2", role: "tool", toolCallId: call, content };
      const next = { ...thread, runId: randomUUID(), messages: [said, result] };
      const answer = await (await place.ask(user, "POST", address, next)).text();
      expect(answer).toContain('\\"action\\":\\"accept\\",\\"content\\":{\\"name\\":\\"Ada\\"}');
      expect(answer).toContain('"outcome":{"type":"success"}');
    });

    it("is reported to whoever is to be told, once, with a link that answers", async () => {
      const { ask, newUser, url } = use();
      const user = await newUser();
      const started = await ask(user, "POST", "/api/agent/execute", {
        ...{ user_input: book, prompt_id: "travelling" },
      });
      await started.body?.cancel();
      const runId = started.headers.get("x-request-id") ?? "";
      const told = await receiver.next(runId, 1);
      expect(told).toMatchObject({
        type: "run.needs_you",
        data: {
          ...{ run_id: runId, kind: "question", tool_name: "ask_user" },
          arguments: { question: "The MCP server test asks: Who flies?" },
        },
      });
      const { pathname } = new URL(textAtPath(told, "data", "answer_url"));
      const fields = new URLSearchParams({ field0: "Ada" });
      const sent = await fetch(url(`${pathname}/answer`), { method: "POST", body: fields });
      expect(sent.status).toBe(200);
      const values = await valuesOf(await ask(user, "GET", `/api/agent/runs/${runId}/events`));
      expect(fieldOf(values.at(-2), "data", "output")).toBe("Rehearsal: over");
      expect(await receiver.next(runId, 2)).toMatchObject({ type: "run.done" });
      expect([receiver.countOf(runId), receiver.faults]).toEqual([2, []]);
    });
  },
  {
    agents: {
      travelling: {
        asksUser: true,
        approval: { allow: ["mcp__test__*"] },
        mcpServers: { test: { command: process.execPath, args: [...mcpServer] } },
        webhook: {
          ...{ url: receiver.url, secret: receiver.secret, isPrivate: true },
          answerLinksAt: "https://agents.example.com",
        },
      },
      watching: { tools: [watch, pay], approval: { allow: ["watch"] } },
    },
    limits: { sweepMs: 50 },
  },
);
