/**
 * Each kind of question, answered through each way over HTTP: on two nodes, so that a run started on one is answered on
 * the other. `docs/questions.md` shows the table.
 */

import { randomUUID } from "node:crypto";
import { withoutUndefined } from "@callboard/run-log/values";
import { builtProgram } from "@callboard/testkit";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { answerWays, type Reply, type Waiting } from "./testing/answerWays.js";
import { openPlace, type TestPlace, type TestUser } from "./testing/place.js";
import { fieldOf, textAtPath, valuesOf } from "./testing/reading.js";

const mcpServer = builtProgram("packages/agent-sdk/src/mcp/testing/stdio-server-cli.js");

type Opened = Awaited<ReturnType<typeof openPlace>>;

let opened: Opened | undefined;
beforeAll(async () => {
  opened = await openPlace("two nodes, PostgreSQL", {
    agents: {
      curious: { asksUser: true },
      hasty: { approval: { timeoutMs: 20 } },
      thrifty: { limits: { maxTurns: 1, onLimit: "ask" } },
      careful: { callRules: [{ tools: ["wait_for_test"], onInterrupted: "ask" }] },
      travelling: {
        asksUser: true,
        approval: { allow: ["mcp__test__*"] },
        mcpServers: { test: { command: process.execPath, args: [...mcpServer] } },
      },
    },
    limits: { sweepMs: 200 },
  });
});
afterAll(() => opened?.close());

function use(): TestPlace {
  if (opened === undefined) throw new Error("the place is not open");
  return opened.place;
}

const question = { question: "Which colour?" };
const choices = { ...question, choices: ["red", "green"] };
const form = {
  ...question,
  form: { type: "object", properties: { name: { type: "string" } }, required: ["name"] },
};
const askUser = (asked: object): string => `call ask_user ${JSON.stringify(asked)}\nsay over`;
const [asked, changed] = ["asked", "changed"];
const pay = (prefix: string): string => `call ask_first {"command":"${prefix}-${asked}"}\nsay over`;
const waitIn = (prefix: string): string =>
  `call wait_for_test {"name":"${prefix}-${asked}"}\nsay over`;

interface Kind {
  readonly does: string;
  readonly agent?: string;
  readonly tool: string;
  /** What the run is asked; `prefix` is unique. */
  readonly text: (prefix: string) => string;
  readonly reply: (prefix: string) => Reply;
  /** The end of the call. */
  readonly end: object;
  /** The end of the call of the server that asked. */
  readonly server?: object;
  /** What its server asks belongs to a call that waits for it: its run is not parked. */
  readonly isLive?: boolean;
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
    does: "fills the form of an MCP server",
    agent: "travelling",
    tool: "ask_user",
    isLive: true,
    text: () => "call mcp__test__ask {}\nsay over",
    reply: () => ({ type: "answer", answer: { name: "Ada" }, fields: { field0: "Ada" } }),
    end: { outcome: "ok", output: '{"name":"Ada"}' },
    server: { outcome: "ok", output: '{"action":"accept","content":{"name":"Ada"}}' },
  },
  {
    does: "runs an interrupted call again",
    agent: "careful",
    tool: "wait_for_test",
    text: waitIn,
    reply: allowing,
    end: { outcome: "ok" },
    ran: [2, undefined],
  },
  {
    does: "does not run an interrupted call again",
    agent: "careful",
    tool: "wait_for_test",
    text: waitIn,
    reply: () => ({ type: "approval", isAllowed: false }),
    end: { outcome: "denied" },
    ran: [1, undefined],
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
async function waitingFor(kind: Kind, prefix: string): Promise<Waiting> {
  const { ask, newUser } = use();
  const user = await newUser();
  const start = kind.agent === "careful" ? interruptedStart : startedRun;
  const started = await start(user, "POST", "/api/agent/execute", {
    user_input: kind.text(prefix),
    ...withoutUndefined({ prompt_id: kind.agent }),
    client_tools: [{ name: "open_tab", expires_in_seconds: null }],
  });
  const runId = started.headers.get("x-request-id") ?? "";
  await asksIn(kind, user, runId);
  const run = await (await ask(user, "GET", `/api/agent/runs/${runId}`)).json();
  const log = await logOf(user, runId);
  const open = log.find((event) => fieldOf(event, "toolName") === kind.tool);
  const approval = log.find((event) => fieldOf(event, "type") === "call.approval.asked");
  return {
    ...{ user, runId, conversationId: textAtPath(run, "conversation_id") },
    id: approval === undefined ? textAtPath(open, "callId") : textAtPath(approval, "approvalId"),
  };
}

/** Its reader leaves. */
const startedRun: TestPlace["ask"] = async (...request) => {
  const started = await use().ask(...request);
  await started.body?.cancel();
  return started;
};

/** On a node that ends while the call runs. The next attempt at the call does not wait. */
const interruptedStart: TestPlace["ask"] = async (user, method, path, body) => {
  const { openNode, tools } = use();
  const node = await openNode();
  const headers = { ...user.headers, "content-type": "application/json" };
  const started = await fetch(`${node.url}${path}`, {
    ...{ method, headers },
    body: JSON.stringify(body),
  });
  const name = /"name":"([^"]+)"/.exec(textAtPath(body, "user_input"))?.[1] ?? "";
  await started.body?.cancel();
  await tools.waits(name);
  await node.close();
  tools.release(name);
  return started;
};

async function asksIn({ agent, tool, isLive }: Kind, user: TestUser, runId: string): Promise<void> {
  if (agent === "hasty") {
    await valuesOf(await use().ask(user, "GET", `/api/agent/runs/${runId}/events`));
    return;
  }
  await vi.waitFor(async () => {
    if (isLive) {
      const log = await logOf(user, runId);
      const open = log.find((event) => fieldOf(event, "toolName") === tool);
      const begun = log.filter((event) => fieldOf(event, "type") === "call.run.started");
      expect(begun.map((event) => fieldOf(event, "callId"))).toContain(textAtPath(open, "callId"));
      return;
    }
    const run = await use().ask(user, "GET", `/api/agent/runs/${runId}`);
    expect(fieldOf(await run.json(), "is_parked")).toBe(true);
  }, waits);
}

async function logOf(user: TestUser, runId: string, follow = false): Promise<readonly unknown[]> {
  const path = `/api/agent/runs/${runId}/events?format=log&rate=all&follow=${follow}`;
  return valuesOf(await use().ask(user, "GET", path));
}

describe.each(answerWays)("%s", (name, answer) => {
  // A link allows or denies what was asked, and nothing else.
  const able = kinds.filter(({ does }) => name !== "a link" || !does.startsWith("changes"));
  const named = able.map((kind) => [kind.does, kind] as const);

  it.concurrent.each(named)("%s", async (_, kind) => {
    const prefix = randomUUID();
    const waiting = await waitingFor(kind, prefix);
    // An answer that comes too late is refused, each surface in its own words.
    await answer(use(), waiting, kind.reply(prefix)).catch((error: unknown) => {
      if (kind.agent !== "hasty") throw error;
    });
    const log = await logOf(waiting.user, waiting.runId, true);
    const call = log.find((event) => fieldOf(event, "toolName") === kind.tool);
    const ends = log.filter((event) => fieldOf(event, "type") === "call.closed");
    const isOfCall = (end: unknown) => fieldOf(end, "callId") === fieldOf(call, "callId");
    expect(ends.filter(isOfCall)).toMatchObject([kind.end]);
    if (kind.server) expect(ends.filter((end) => !isOfCall(end))).toMatchObject([kind.server]);
    expect(log.at(-1)).toMatchObject({ type: "run.closed", outcome: "ok" });
    const { counts } = use().tools;
    const ran = [asked, changed].map((word) => counts.get(`${prefix}-${word}`));
    expect(ran).toEqual(kind.ran ?? never);
  });
});
