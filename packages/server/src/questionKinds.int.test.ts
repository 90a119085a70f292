/**
 * Each kind of question, answered through each way over HTTP: on two nodes, so that a run started on one is answered on
 * the other. `docs/questions.md` shows the table.
 */

import { randomUUID } from "node:crypto";
import { createClient } from "@callboard/client";
import type { JsonObject, JsonValue } from "@callboard/run-log";
import { withoutUndefined } from "@callboard/run-log/values";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { z } from "zod";
import { openPlace, type TestPlace, type TestUser } from "./testing/place.js";
import { fieldOf, textAtPath, valuesOf } from "./testing/reading.js";

type Opened = Awaited<ReturnType<typeof openPlace>>;

let opened: Opened | undefined;
beforeAll(async () => {
  opened = await openPlace("two nodes, PostgreSQL", {
    agents: {
      curious: { asksUser: true },
      hasty: { approval: { timeoutMs: 20 } },
      thrifty: { limits: { maxTurns: 1, onLimit: "ask" } },
    },
    limits: { sweepMs: 200 },
  });
});
afterAll(() => opened?.close());

function use(): TestPlace {
  if (opened === undefined) throw new Error("the place is not open");
  return opened.place;
}

type Reply =
  | { readonly type: "approval"; readonly isAllowed: boolean; readonly input?: JsonObject }
  | { readonly type: "answer"; readonly answer: JsonValue; readonly fields: Record<string, string> }
  | { readonly type: "decline" };

/** A run, and the approval or the call that it waits for. */
interface Waiting {
  readonly user: TestUser;
  readonly runId: string;
  readonly conversationId: string;
  readonly id: string;
}

type Surface = (waiting: Waiting, reply: Reply) => Promise<unknown>;

const optionOf = (isAllowed: boolean): string => (isAllowed ? "allow_once" : "reject_once");
const inputOf = ({ input }: { readonly input?: JsonObject }) => withoutUndefined({ input });

const overHttp: Surface = async ({ user, runId, id }, reply) => {
  const { ask } = use();
  const run = `/api/agent/runs/${runId}`;
  if (reply.type === "approval") {
    const body = { option_id: optionOf(reply.isAllowed), ...inputOf(reply) };
    return ask(user, "POST", `${run}/approvals/${id}`, body);
  }
  const result = reply.type === "answer" ? { output: reply.answer } : { is_error: true };
  return ask(user, "POST", `${run}/calls/${id}/result`, result);
};

const byClient: Surface = async ({ user, runId, id }, reply) => {
  const client = createClient({ headers: user.headers, baseUrl: use().url("") });
  if (reply.type === "approval") {
    const answer = { option_id: optionOf(reply.isAllowed), ...inputOf(reply) };
    return client.answerApproval(runId, id, answer);
  }
  const result = reply.type === "answer" ? { output: reply.answer } : { is_error: true };
  return client.answerCall(runId, id, result);
};

const partSchema = z.looseObject({
  toolCallId: z.string().optional(),
  approval: z.looseObject({ id: z.string() }).optional(),
});
type Part = z.infer<typeof partSchema>;
const messagesSchema = z.array(z.looseObject({ parts: z.array(partSchema) }));

/** As `useChat` sends it: the whole conversation, with the answer in the part of its call. */
const byAiSdk: Surface = async ({ user, conversationId, id }, reply) => {
  const { ask } = use();
  const stored = await ask(user, "GET", `/api/chat/${conversationId}/messages`);
  const messages = messagesSchema.parse(await stored.json());
  const answered = (part: Part): Part => {
    if (reply.type === "approval" && part.approval?.id === id) {
      const approval = { id, approved: reply.isAllowed, ...inputOf(reply) };
      return { ...part, state: "approval-responded", approval };
    }
    if (reply.type === "approval" || part.toolCallId !== id) return part;
    return reply.type === "answer"
      ? { ...part, state: "output-available", output: reply.answer }
      : { ...part, state: "output-error", errorText: "declined" };
  };
  const sent = messages.map((message) => ({ ...message, parts: message.parts.map(answered) }));
  const body = { id: conversationId, messages: sent, trigger: "submit-message" };
  return (await ask(user, "POST", "/api/chat", body)).text();
};

/** As an AG-UI client resumes: approvals are interrupts, and results are messages of tools. */
const byAgUi: Surface = async ({ user, conversationId, id }, reply) => {
  const thread = { threadId: conversationId, runId: randomUUID(), messages: [] };
  const told = (answer: unknown): string =>
    typeof answer === "string" ? answer : JSON.stringify(answer);
  const content = reply.type === "answer" ? told(reply.answer) : "";
  const failure = reply.type === "decline" ? { error: "declined" } : {};
  const body =
    reply.type === "approval"
      ? {
          ...thread,
          resume: [
            {
              interruptId: id,
              status: "resolved",
              payload: { approved: reply.isAllowed, ...inputOf(reply) },
            },
          ],
        }
      : { ...thread, messages: [{ id: "a", role: "tool", toolCallId: id, content, ...failure }] };
  return (await use().ask(user, "POST", "/api/ag-ui", body)).text();
};

const byLink: Surface = async ({ user, runId, id }, reply) => {
  const { ask, url } = use();
  const of = reply.type === "approval" ? "approvals" : "calls";
  const links = `/api/agent/runs/${runId}/${of}/${id}/links`;
  const made = await ask(user, "POST", links, {});
  if (made.status !== 201) return made;
  const path = textAtPath(await made.json(), "path");
  const press = (what: string, fields: Record<string, string> = {}): Promise<Response> =>
    fetch(url(`${path}/${what}`), { method: "POST", body: new URLSearchParams(fields) });
  if (reply.type === "approval") return press(reply.isAllowed ? "allow" : "deny");
  return reply.type === "answer" ? press("answer", reply.fields) : press("decline");
};

const question = { question: "Which colour?" };
const choices = { ...question, choices: ["red", "green"] };
const form = {
  ...question,
  form: { type: "object", properties: { name: { type: "string" } }, required: ["name"] },
};
const askUser = (asked: object): string => `call ask_user ${JSON.stringify(asked)}\nsay over`;
const [asked, changed] = ["asked", "changed"];
const pay = (prefix: string): string => `call ask_first {"command":"${prefix}-${asked}"}\nsay over`;

interface Kind {
  readonly does: string;
  readonly agent?: string;
  readonly tool: string;
  /** What the run is asked; `prefix` is unique. */
  readonly text: (prefix: string) => string;
  readonly reply: (prefix: string) => Reply;
  /** The end of the call. */
  readonly end: object;
  /** How often the tool ran with the arguments of the model, and with the changed ones. */
  readonly ran?: readonly [number | undefined, number | undefined];
}

const never = [undefined, undefined] as const;
const allowing = () => ({ type: "approval", isAllowed: true }) as const;

const kinds: readonly Kind[] = [
  {
    does: "allows a call",
    tool: "ask_first",
    text: pay,
    reply: allowing,
    end: { outcome: "ok" },
    ran: [1, undefined],
  },
  {
    does: "denies a call",
    tool: "ask_first",
    text: pay,
    reply: () => ({ type: "approval", isAllowed: false }),
    end: { outcome: "denied" },
    ran: never,
  },
  {
    does: "changes the arguments of a call",
    tool: "ask_first",
    text: pay,
    reply: (prefix) => ({ ...allowing(), input: { command: `${prefix}-${changed}` } }),
    end: { outcome: "ok" },
    ran: [undefined, 1],
  },
  {
    does: "answers with a choice",
    agent: "curious",
    tool: "ask_user",
    text: () => askUser(choices),
    reply: () => ({ type: "answer", answer: "green", fields: { choice: "1" } }),
    end: { outcome: "ok", output: "green" },
  },
  {
    does: "answers in words",
    agent: "curious",
    tool: "ask_user",
    text: () => askUser(question),
    reply: () => ({ type: "answer", answer: "blue", fields: { text: "blue" } }),
    end: { outcome: "ok", output: "blue" },
  },
  {
    does: "fills a form",
    agent: "curious",
    tool: "ask_user",
    text: () => askUser(form),
    reply: () => ({ type: "answer", answer: { name: "Ada" }, fields: { field0: "Ada" } }),
    end: { outcome: "ok", output: '{"name":"Ada"}' },
  },
  {
    does: "declines to answer",
    agent: "curious",
    tool: "ask_user",
    text: () => askUser(choices),
    reply: () => ({ type: "decline" }),
    end: { outcome: "error", errorType: "declined" },
  },
  {
    does: "gives the result of a client's call",
    tool: "open_tab",
    text: () => "call open_tab {}\nsay over",
    reply: () => ({ type: "answer", answer: "opened", fields: { text: "opened" } }),
    end: { outcome: "ok", output: "opened" },
  },
  {
    does: "allows more of a budget",
    agent: "thrifty",
    tool: "raise_limit",
    text: () => 'call echo {"text":"x"}\nsay over',
    reply: allowing,
    end: { outcome: "ok" },
  },
  {
    does: "cannot answer a question that has expired",
    agent: "hasty",
    tool: "ask_first",
    text: pay,
    reply: allowing,
    end: { outcome: "denied" },
    ran: never,
  },
];

const waits = { timeout: 20_000, interval: 20 };

/** Starts the run, and waits until it asks. */
async function waitingFor({ agent, text, tool }: Kind, prefix: string): Promise<Waiting> {
  const { ask, newUser } = use();
  const user = await newUser();
  const started = await ask(user, "POST", "/api/agent/execute", {
    user_input: text(prefix),
    ...withoutUndefined({ prompt_id: agent }),
    client_tools: [{ name: "open_tab", expires_in_seconds: null }],
  });
  await started.body?.cancel();
  const runId = started.headers.get("x-request-id") ?? "";
  const read = async (): Promise<unknown> =>
    (await ask(user, "GET", `/api/agent/runs/${runId}`)).json();
  if (agent === "hasty") await valuesOf(await ask(user, "GET", `/api/agent/runs/${runId}/events`));
  else await vi.waitFor(async () => expect(fieldOf(await read(), "is_parked")).toBe(true), waits);
  const run = await read();
  const log = await logOf(user, runId);
  const open = log.find((event) => fieldOf(event, "toolName") === tool);
  const approval = log.find((event) => fieldOf(event, "type") === "call.approval.asked");
  return {
    ...{ user, runId, conversationId: textAtPath(run, "conversation_id") },
    id: approval === undefined ? textAtPath(open, "callId") : textAtPath(approval, "approvalId"),
  };
}

async function logOf(user: TestUser, runId: string, follow = false): Promise<readonly unknown[]> {
  const path = `/api/agent/runs/${runId}/events?format=log&rate=all&follow=${follow}`;
  return valuesOf(await use().ask(user, "GET", path));
}

describe.each([
  ["HTTP", overHttp],
  ["the client", byClient],
  ["the AI SDK", byAiSdk],
  ["AG-UI", byAgUi],
  ["a link", byLink],
] as const)("%s", (name, surface) => {
  // A link allows or denies what was asked, and nothing else.
  const able = kinds.filter(({ does }) => name !== "a link" || !does.startsWith("changes"));
  const named = able.map((kind) => [kind.does, kind] as const);

  it.concurrent.each(named)("%s", async (_, kind) => {
    const prefix = randomUUID();
    const waiting = await waitingFor(kind, prefix);
    // An answer that comes too late is refused, each surface in its own words.
    await surface(waiting, kind.reply(prefix)).catch((error: unknown) => {
      if (kind.agent !== "hasty") throw error;
    });
    const log = await logOf(waiting.user, waiting.runId, true);
    const call = log.find((event) => fieldOf(event, "toolName") === kind.tool);
    const ends = log.filter(
      (event) =>
        fieldOf(event, "type") === "call.closed" &&
        fieldOf(event, "callId") === fieldOf(call, "callId"),
    );
    expect(ends).toMatchObject([kind.end]);
    expect(log.at(-1)).toMatchObject({ type: "run.closed", outcome: "ok" });
    const { counts } = use().tools;
    const ran = [asked, changed].map((word) => counts.get(`${prefix}-${word}`));
    expect(ran).toEqual(kind.ran ?? never);
  });
});
