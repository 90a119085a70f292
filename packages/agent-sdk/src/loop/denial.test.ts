/** A call that may not run has no side effect: what counts is how often its tool ran. */
import {
  approvalId,
  callId,
  conversationId,
  createMemoryLogStore,
  messageId,
  type RunEvent,
  runId,
} from "@callboard/run-log";
import { afterEach, describe, expect, it } from "vitest";
import { z } from "zod";
import { type ApprovalManager, createApprovalManager } from "../approvals/approvalManager.js";
import { createFakeClock } from "../system/fakeClock.js";
import { type AgentStage, callsReply, setAgentStage, textReply } from "../testing/agentStage.js";
import { defineTool } from "../tools/defineTool.js";
import { createToolRegistry } from "../tools/toolRegistry.js";
import type { AgentOptions } from "../types/agent.js";
import { defaultLimits } from "../utils/defaultLimits.js";
import { createCallRules } from "./callRules.js";
import { type CallRunnerOptions, runCall } from "./callRunner.js";
import { createGuardManager } from "./guard/guardManager.js";
import { createParking } from "./parking.js";
import { createRunWriter, type RunWriter } from "./runWriter.js";

let runs = 0;
const counting = defineTool({
  name: "count",
  description: "counts how often it ran",
  kind: "other",
  needsApproval: true,
  approvalTarget: () => "once",
  input: z.object({}),
  run: () => `ran ${++runs}`,
});

let stage: AgentStage | undefined;
afterEach(async () => {
  await stage?.close();
  stage = undefined;
  runs = 0;
});

async function ends(options: AgentOptions, onAsked?: (agent: AgentStage, id: string) => void) {
  let asked = false;
  const here: { stage?: AgentStage } = {};
  stage = await setAgentStage([callsReply(["count", {}]), textReply("done")], {
    tools: [counting],
    ...options,
    callbacks: {
      onApprovalRequested({ approvalId: id }) {
        asked = true;
        if (here.stage) onAsked?.(here.stage, id);
      },
    },
  });
  here.stage = stage;
  const { agent, events } = stage;
  const { outcome } = await agent.sendMessage("go");
  const closed = events.flatMap((event) =>
    event.type === "call.closed" ? [[event.outcome, "message" in event ? event.message : ""]] : [],
  );
  const answers = events.flatMap((event) =>
    event.type === "call.approval.answered" ? [event.allowed] : [],
  );
  return { asked, answers, outcome, closed, runs, faults: await stage.faults() };
}

describe("a tool that needs an approval", () => {
  it("runs once when it is allowed", async () => {
    const allowed = await ends({}, ({ agent }, id) =>
      agent.answerApproval(id, { optionId: "allow_once" }),
    );
    expect(allowed).toEqual({
      asked: true,
      answers: [true],
      outcome: "ok",
      closed: [["ok", ""]],
      runs: 1,
      faults: [],
    });
  });

  it.each(["reject_once", "reject_always"])("does not run on %s", async (optionId) => {
    const denied = await ends({ approval: { saveRule: () => undefined } }, ({ agent }, id) =>
      agent.answerApproval(id, { optionId, message: "no" }),
    );
    expect(denied).toEqual({
      asked: true,
      answers: [false],
      outcome: "ok",
      closed: [["denied", "no"]],
      runs: 0,
      faults: [],
    });
  });

  it("does not run when nobody answers in time", async () => {
    const clock = createFakeClock();
    const expired = await ends({ clock, approval: { timeoutMs: 7_000 } }, () => {
      void clock.advance(7_000);
    });
    expect(expired).toMatchObject({
      asked: true,
      closed: [["denied", "No answer came within 7 s."]],
      runs: 0,
      faults: [],
    });
  });

  it("does not run when it is cancelled while it waits", async () => {
    const cancelled = await ends({}, ({ agent }) => agent.abortMessage("stopped"));
    expect(cancelled).toEqual({
      asked: true,
      answers: [],
      outcome: "cancelled",
      closed: [["cancelled", "stopped"]],
      runs: 0,
      faults: [],
    });
  });

  it.each<[string, AgentOptions["approval"] & object]>([
    ["a rule denies it", { deny: ["count"] }],
    ["nothing allows it and nobody is to be asked", { otherwise: "deny" }],
  ])("does not run when %s", async (_, approval) => {
    const denied = await ends({ approval });
    expect(denied).toMatchObject({ asked: false, runs: 0, faults: [] });
    expect(denied.closed).toMatchObject([["denied", expect.any(String)]]);
  });
});

describe("a call whose start the log refuses", () => {
  const id = runId("refused-on-purpose-start");
  const call = callId("call-1");

  function options(approvals: ApprovalManager): {
    readonly told: RunEvent[];
    readonly options: CallRunnerOptions;
    readonly writer: RunWriter;
  } {
    const clock = createFakeClock(0);
    const told: RunEvent[] = [];
    const logger = { debug() {}, info() {}, warn() {}, error() {} };
    const writer = createRunWriter({
      runId: id,
      store: createMemoryLogStore(),
      clock,
      pulse: 0,
      tell: (event) => void told.push(event),
      logger,
    });
    const message = messageId("m");
    writer.record({ type: "startRun", runId: id, conversationId: conversationId("c"), model: "m" });
    writer.record({ type: "openMessage", messageId: message, role: "assistant" });
    writer.record({
      ...{ type: "openCall", messageId: message, callId: call },
      ...{ toolName: "count", toolType: "local" },
    });
    writer.record({ type: "closeInput", callId: call, text: "{}" });
    return {
      told,
      writer,
      options: {
        writer,
        parking: createParking({ clock, afterMs: undefined, park: () => false }),
        approvals,
        clock,
        logger,
        registry: createToolRegistry([counting]),
        guards: createGuardManager(defaultLimits, { clock }),
        limitQuestions: {
          ask: () => Promise.reject(new Error("not used")),
          takeUp: () => undefined,
        },
        callRules: createCallRules([], "/"),
        hooks: [],
        guardKey: id,
        limits: defaultLimits,
        runId: id,
        sessionId: "s",
        workdir: "/",
        additionalDirectories: [],
        newId: () => "approval-1",
        saveRule: () => undefined,
        keepOutput: () => Promise.reject(new Error("not used")),
      },
    };
  }

  it("is not run and ends with the reason", async () => {
    const approvals = createApprovalManager({ otherwise: "allow" }, { clock: createFakeClock(0) });
    const {
      told,
      writer,
      options: all,
    } = options({
      ...approvals,
      // A verdict that lets the call through although a question is still open in the log.
      verdictOf(subject) {
        writer.record({
          ...{ type: "askApproval", callId: call, approvalId: approvalId("open") },
          ...{ options: [], reason: subject.toolName },
        });
        return { verdict: "allowed", rule: undefined };
      },
    });
    expect(await runCall(call, new AbortController().signal, all)).toEqual({ status: "ended" });
    await writer.stored();
    expect(runs).toBe(0);
    expect(told.filter(({ type }) => type === "call.run.started")).toEqual([]);
    expect(told.at(-1)).toMatchObject({
      type: "call.closed",
      outcome: "error",
      errorType: "internal",
      message: expect.stringMatching(/^The call could not be started: /),
    });
  });

  it("keeps the end that it has when it was closed meanwhile", async () => {
    const approvals = createApprovalManager({ otherwise: "allow" }, { clock: createFakeClock(0) });
    const {
      told,
      writer,
      options: all,
    } = options({
      ...approvals,
      verdictOf() {
        writer.record({ type: "closeCall", callId: call, outcome: "denied", message: "no" });
        return { verdict: "allowed", rule: undefined };
      },
    });
    expect(await runCall(call, new AbortController().signal, all)).toEqual({ status: "ended" });
    await writer.stored();
    expect(runs).toBe(0);
    expect(told.filter(({ type }) => type === "call.closed")).toMatchObject([
      { outcome: "denied", message: "no" },
    ]);
  });
});
