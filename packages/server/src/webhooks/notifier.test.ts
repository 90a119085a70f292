import { createRedactor } from "@callboard/agent-sdk";
import type { GuardedPost } from "@callboard/agent-sdk/serving";
import { createFakeClock } from "@callboard/agent-sdk/testing";
import type { RunEvent } from "@callboard/run-log";
import { parseEventLine } from "@callboard/run-log";
import { withoutUndefined } from "@callboard/run-log/values";
import type { UntoldRun } from "@callboard/store";
import { afterEach, describe, expect, it } from "vitest";
import { createAgentDirectory } from "../runs/servedAgent.js";
import { quietLogger } from "../testing/place.js";
import { type NotifierOptions, startNotifier } from "./notifier.js";
import type { Webhook } from "./webhook.js";

const secret = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw";
const webhook: Webhook = { url: "https://example.com/hook", secret };

function log(drafts: readonly object[]): readonly RunEvent[] {
  return drafts.map((draft, index) => {
    const line = JSON.stringify({ v: 1, runId: "r1", seq: index + 1, at: index, ...draft });
    const parsed = parseEventLine(line);
    if (parsed.status !== "parsed") throw new Error(`no event: ${line}`);
    return parsed.event;
  });
}

const started = { type: "run.started", conversationId: "k1", model: "m" };
const asking = (callId: string, input: object) => [
  { type: "call.opened", callId, messageId: "m1", toolName: "pay", toolType: "local" },
  { type: "call.input.closed", callId, parsed: true, input, title: `Pay by ${callId}` },
  {
    type: "call.approval.asked",
    callId,
    approvalId: `ask ${callId}`,
    options: [{ optionId: "allow_once", kind: "allow_once", name: "Allow" }],
  },
];
const message = { type: "message.opened", messageId: "m1", role: "assistant" };
const waiting = log([
  started,
  message,
  ...asking("c1", { to: "ada", password: "hunter22-secret" }),
  ...asking("c2", { text: "x".repeat(10_000) }),
]);
const closed = (outcome: string, reason?: string) =>
  log([
    started,
    {
      type: "run.closed",
      outcome,
      ...withoutUndefined({ reason }),
      usage: { inputTokens: 0, outputTokens: 0 },
      calls: 0,
    },
  ]);

interface Sent {
  readonly url: string;
  readonly id: string | undefined;
  readonly body: { readonly type: string; readonly data: Readonly<Record<string, unknown>> };
}

const closings: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const close of closings.splice(0)) await close();
});

/** A notifier that finds one run, and what it sent and settled when it looked. */
async function told(
  events: readonly RunEvent[],
  given: {
    readonly run?: Partial<UntoldRun>;
    readonly statuses?: readonly number[];
    readonly options?: Partial<NotifierOptions>;
  } = {},
) {
  const sent: Sent[] = [];
  const settled: unknown[] = [];
  const statuses = [...(given.statuses ?? [])];
  const isClosed = events.at(-1)?.type === "run.closed";
  const runs: UntoldRun[] = [
    {
      runId: "r1",
      conversationId: "k1",
      userId: "u1",
      status: isClosed ? "closed" : "open",
      toldSeq: 0,
      lastSeq: events.length,
      attempts: 1,
      mark: "now",
      ...given.run,
    },
  ];
  const notifier = startNotifier({
    notices: {
      claim: async () => runs.splice(0),
      async settle(run, result) {
        settled.push([run.mark, result.seq, result.againMs]);
      },
    },
    store: {
      outline: async () => ({ status: "open", lastSeq: events.length, outcome: null, events }),
      read: async (_, { after }) => events.slice(after),
      readSetup: async () => ({ agentName: "default", overrides: {}, variables: {} }),
    },
    answerLinks: {
      create: async (_, question) => {
        const id = "approvalId" in question ? question.approvalId.slice(4) : question.callId;
        return { id: "l1", key: `key-of-${id}` };
      },
    },
    directory: createAgentDirectory({ default: {} }),
    webhook,
    redactor: createRedactor(),
    clock: createFakeClock(),
    logger: quietLogger,
    metrics: { add: () => undefined },
    sweepMs: 1_000_000,
    async post({ url }, { headers, body }: GuardedPost) {
      sent.push({ url, id: headers["webhook-id"], body: JSON.parse(body) });
      return statuses.shift() ?? 204;
    },
    ...given.options,
  });
  closings.push(notifier.close);
  await notifier.sweep();
  return { sent, settled };
}

it("tells of a run soon again when the database failed for a moment", async () => {
  const { sent, settled } = await told(waiting, {
    run: { toldSeq: 3 },
    options: {
      answerLinks: { create: () => Promise.reject(new Error("away")) },
      webhook: { ...webhook, answerLinksAt: "https://agents.example.com" },
    },
  });
  expect([sent, settled]).toEqual([[], [["now", 3, 1_000]]]);
});

describe("a run that waits for a person", () => {
  it("is told of by one message for each question, without secrets and bounded", async () => {
    const { sent, settled } = await told(waiting);
    expect(sent.map(({ url, body }) => [url, body.type, body.data.approval_id])).toEqual([
      [webhook.url, "run.needs_you", "ask c1"],
      [webhook.url, "run.needs_you", "ask c2"],
    ]);
    expect(sent[0]?.body.data).toEqual({
      kind: "approval",
      run_id: "r1",
      conversation_id: "k1",
      user_id: "u1",
      agent: "default",
      approval_id: "ask c1",
      call_id: "c1",
      tool_name: "pay",
      title: "Pay by c1",
      arguments: { to: "ada", password: "[redacted:password]" },
      options: [{ option_id: "allow_once", name: "Allow", kind: "allow_once" }],
    });
    const { arguments_preview: preview, arguments_length: length } = sent[1]?.body.data ?? {};
    expect([String(preview).length, length]).toEqual([4_000, 10_011]);
    expect(settled).toEqual([["now", 8, undefined]]);
  });

  it("is told of when the model asks a person, or a client is to run a call", async () => {
    const delegated = (callId: string, toolName: string, delegatedTo: string, input: object) => [
      { type: "call.opened", callId, messageId: "m1", toolName, toolType: "local" },
      { type: "call.input.closed", callId, parsed: true, input },
      { type: "call.run.started", callId, delegatedTo, expiresAt: 60_000 },
    ];
    const question = { question: "Which port?", choices: ["north", "south"] };
    const events = log([
      started,
      message,
      ...delegated("c1", "ask_user", "user", question),
      ...delegated("c2", "locate", "client", { of: "me" }),
    ]);
    const linked = { ...webhook, answerLinksAt: "https://agents.example.com" };
    const { sent } = await told(events, { options: { webhook: linked } });
    const about = { run_id: "r1", conversation_id: "k1", user_id: "u1", agent: "default" };
    const until = { expires_at: "1970-01-01T00:01:00.000Z" };
    const link = (callId: string) => ({
      answer_url: `https://agents.example.com/a/key-of-${callId}`,
      answer_url_expires_at: until.expires_at,
    });
    expect(sent.map(({ body }) => body.data)).toEqual([
      {
        ...{ ...about, kind: "question", call_id: "c1", tool_name: "ask_user" },
        ...{ arguments: question, ...until, ...link("c1") },
      },
      {
        ...{ ...about, kind: "client_call", call_id: "c2", tool_name: "locate" },
        ...{ arguments: { of: "me" }, ...until, ...link("c2") },
      },
    ]);
  });

  it("brings a link where links are turned on, and none where they are not", async () => {
    const linked = { ...webhook, answerLinksAt: "https://agents.example.com/" };
    const { sent } = await told(waiting, { options: { webhook: linked } });
    expect(sent.map(({ body }) => body.data.answer_url)).toEqual([
      "https://agents.example.com/a/key-of-c1",
      "https://agents.example.com/a/key-of-c2",
    ]);
    const plain = await told(waiting);
    expect(plain.sent.map(({ body }) => body.data.answer_url)).toEqual([undefined, undefined]);
  });

  it("is sent again from where it failed, later and later, under the same id, and given up at last", async () => {
    const first = await told(waiting, { statuses: [204, 500] });
    expect(first.settled).toEqual([["now", 5, 5_000]]);
    const second = await told(waiting, { run: { toldSeq: 5, attempts: 2 }, statuses: [503] });
    expect(second.sent.map(({ id }) => id)).toEqual([first.sent[1]?.id]);
    expect(second.settled).toEqual([["now", 5, 30_000]]);
    const last = await told(waiting, { run: { toldSeq: 5, attempts: 10 }, statuses: [500] });
    expect(last.settled).toEqual([["now", 8, undefined]]);
    const gone = await told(waiting, { statuses: [410] });
    expect([gone.sent.length, gone.settled]).toEqual([1, [["now", 8, undefined]]]);
  });

  it("is tried again where nobody answers", async () => {
    const post = async (): Promise<never> => {
      throw new Error("connection refused");
    };
    expect((await told(waiting, { options: { post } })).settled).toEqual([["now", 0, 5_000]]);
  });
});

describe("a run that has ended", () => {
  it("is told of as done or failed; whoever cancelled it knows", async () => {
    const typeOf = async (outcome: string): Promise<readonly unknown[]> => {
      const { sent, settled } = await told(closed(outcome));
      return [sent[0]?.body.type, sent[0]?.body.data.outcome, settled.length];
    };
    expect(await typeOf("ok")).toEqual(["run.done", "ok", 1]);
    expect(await typeOf("error")).toEqual(["run.failed", "error", 1]);
    expect(await typeOf("limit")).toEqual(["run.failed", "limit", 1]);
    expect(await typeOf("interrupted")).toEqual(["run.failed", "interrupted", 1]);
    expect(await typeOf("cancelled")).toEqual([undefined, undefined, 1]);
  });

  it("says why, without secrets", async () => {
    const { sent } = await told(closed("error", "failed with password=hunter22-secret"));
    expect(sent[0]?.body.data.reason).toBe("failed with password=[redacted:password]");
  });
});

describe("who is told", () => {
  it("is the webhook of the agent, else the server's, and nobody where the agent says so", async () => {
    const done = closed("ok");
    const directoryOf = (own: Webhook | null) =>
      createAgentDirectory({ default: { webhook: own } });
    const other = { ...webhook, url: "https://other.example.com" };
    const own = await told(done, { options: { directory: directoryOf(other) } });
    expect(own.sent.map(({ url }) => url)).toEqual([other.url]);
    const none = await told(done, { options: { directory: directoryOf(null) } });
    expect([none.sent, none.settled]).toEqual([[], [["now", 2, undefined]]]);
  });

  it("hears only of the events that it asked for", async () => {
    const options = { webhook: { ...webhook, events: ["failed"] as const } };
    expect((await told(closed("ok"), { options })).sent).toEqual([]);
    expect((await told(waiting, { options })).settled).toEqual([["now", 8, undefined]]);
    expect((await told(closed("error"), { options })).sent.length).toBe(1);
  });

  it("is never an address of this machine or of a private network", async () => {
    for (const url of ["https://127.0.0.1/", "https://[::1]/", "https://169.254.169.254/x"]) {
      const warnings: unknown[] = [];
      const logger = {
        ...quietLogger,
        warn: (_: string, fields?: object) => void warnings.push({ ...fields }),
      };
      const { settled } = await told(closed("ok"), {
        options: { webhook: { ...webhook, url }, post: undefined, logger },
      });
      expect(settled).toEqual([["now", 0, 5_000]]);
      const reason = expect.stringContaining("private, local or reserved address");
      expect(warnings).toEqual([expect.objectContaining({ reason })]);
    }
  });
});
