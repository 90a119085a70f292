/** Telemetry of a run: names and attributes of the GenAI conventions, true times, no secrets. */
import { createLife, type Life, lifeNamed, lives } from "@callboard/testkit";
import { describe, expect, it } from "vitest";
import { callId, conversationId, runId } from "../log/ids.js";
import { createRecorder } from "../log/recorder.js";
import { project } from "./shared/projection.js";
import { createSpansProjection, type SpanRecord, type SpansOptions } from "./spans.js";

const spansOf = (life: Life | undefined, options: SpansOptions = {}): readonly SpanRecord[] =>
  project(createSpansProjection(options), life?.log ?? []);

const spanOf = (name: string, key: string, options: SpansOptions = {}): SpanRecord | undefined =>
  spansOf(lifeNamed(name), options).find((span) => span.key === key);

const curtainUp = Date.UTC(2026, 0, 5, 9);

describe("the spans of one call", () => {
  const shared = { runId: "run_cost-and-usage" };
  const chat = {
    ...shared,
    parentKey: "run",
    name: "chat rehearsal",
    kind: "client",
    status: { code: "ok" },
  };

  it("are the answers, the call and the run, each with its share of the cost", () => {
    expect(spansOf(lifeNamed("cost-and-usage"))).toStrictEqual([
      {
        ...chat,
        key: "message msg_a1",
        startTime: curtainUp + 440,
        endTime: curtainUp + 520,
        attributes: {
          "gen_ai.operation.name": "chat",
          "gen_ai.request.model": "rehearsal",
          "gen_ai.response.finish_reasons": ["tool-calls"],
          "gen_ai.usage.input_tokens": 1_200,
          "gen_ai.usage.output_tokens": 48,
          "gen_ai.usage.cache_read.input_tokens": 1_024,
          "callboard.cost_usd": 0.0042,
        },
      },
      {
        ...shared,
        key: "call call_a1_1",
        parentKey: "run",
        name: "execute_tool Read",
        kind: "internal",
        startTime: curtainUp + 520,
        endTime: curtainUp + 610,
        attributes: {
          "gen_ai.operation.name": "execute_tool",
          "gen_ai.tool.name": "Read",
          "gen_ai.tool.call.id": "call_a1_1",
          "gen_ai.tool.type": "function",
          "callboard.outcome": "ok",
          "callboard.waited_ms": 0,
          "callboard.ran_ms": 90,
          "gen_ai.usage.input_tokens": 300,
          "gen_ai.usage.output_tokens": 20,
          "callboard.cost_usd": 0.0008,
        },
        status: { code: "ok" },
      },
      {
        ...chat,
        key: "message msg_a2",
        startTime: curtainUp + 1_010,
        endTime: curtainUp + 1_050,
        attributes: {
          "gen_ai.operation.name": "chat",
          "gen_ai.request.model": "rehearsal",
          "gen_ai.response.finish_reasons": ["stop"],
          "gen_ai.usage.input_tokens": 1_310,
          "gen_ai.usage.output_tokens": 16,
          "callboard.cost_usd": 0.005,
        },
      },
      {
        ...shared,
        key: "run",
        name: "invoke_agent",
        kind: "internal",
        startTime: curtainUp,
        endTime: curtainUp + 1_050,
        attributes: {
          "gen_ai.operation.name": "invoke_agent",
          "gen_ai.conversation.id": "conv_1",
          "gen_ai.request.model": "rehearsal",
          "callboard.outcome": "ok",
          "gen_ai.usage.input_tokens": 2_810,
          "gen_ai.usage.output_tokens": 84,
          "gen_ai.usage.cache_read.input_tokens": 1_024,
          "callboard.cost_usd": 0.0042 + 0.0008 + 0.005,
        },
        status: { code: "ok" },
      },
    ]);
  });
});

describe("the span of a tool", () => {
  it.each([
    ["read-file", "call call_a1_2", 1_200, 0, 1_200],
    ["approval-allowed", "call call_a1_1", 60, 4_000, 60],
    ["approval-while-running", "call call_a1_1", 5_500, 6_000, 500],
    ["denial", "call call_a1_1", 0, 1_800, 0],
    ["crash-awaiting-approval", "call call_a1_1", 0, 60_000, 0],
    ["abort-in-arguments", "call call_a1_2", 0, 0, 0],
  ])(
    "in %s is its execution; what it waited and ran are attributes",
    (name, key, ms, waited, ran) => {
      const span = spanOf(name, key);
      expect((span?.endTime ?? 0) - (span?.startTime ?? 0)).toBe(ms);
      expect(span?.attributes["callboard.waited_ms"]).toBe(waited);
      expect(span?.attributes["callboard.ran_ms"]).toBe(ran);
    },
  );

  it.each([
    ["tool-error", "exit_code", "error", "exit code 2"],
    ["tool-timeout", "timeout", "timeout", "no answer within 30 s"],
    ["denial", "denied", "denied", "not my home folder"],
    ["tool-ignores-abort", "abort_ignored", "cancelled", "the tool did not stop within 250 ms"],
  ])("in %s has the error", (name, errorType, outcome, message) => {
    const span = spanOf(name, "call call_a1_1");
    expect(span?.status).toStrictEqual({ code: "error", message });
    expect(span?.attributes).toMatchObject({
      "error.type": errorType,
      "callboard.outcome": outcome,
    });
  });

  it("says what kind of tool it was", () => {
    const typeOf = (name: string) => spanOf(name, "call call_a1_1")?.attributes["gen_ai.tool.type"];
    expect(["whole-call", "nested-agent", "progress-of-every-kind"].map(typeOf)).toEqual([
      "function",
      "function",
      "extension",
    ]);
  });

  it("has arguments and result only where they are asked for", () => {
    const names = ["gen_ai.tool.call.arguments", "gen_ai.tool.call.result"];
    for (const life of lives) {
      for (const { attributes } of spansOf(life)) {
        expect(Object.keys(attributes).filter((key) => names.includes(key))).toEqual([]);
      }
    }
    const captureContent = true;
    expect(spanOf("whole-call", "call call_a1_1", { captureContent })?.attributes).toMatchObject({
      "gen_ai.tool.call.arguments": '{"pattern":"scripts/*"}',
      "gen_ai.tool.call.result": '["scripts/build.sh","scripts/test.sh"]',
    });
    const denied = spanOf("denial", "call call_a1_1", { captureContent });
    expect(denied?.attributes).toHaveProperty(["gen_ai.tool.call.arguments"]);
    expect(denied?.attributes).not.toHaveProperty(["gen_ai.tool.call.result"]);
  });
});

describe("nested work", () => {
  it("hangs below the call that it is done for", () => {
    const outline = spansOf(lifeNamed("nested-agent")).map(({ key, parentKey, name }) => [
      key,
      parentKey,
      name,
    ]);
    expect(outline).toEqual([
      ["message msg_a1", "run", "chat rehearsal"],
      ["message msg_a2", "call call_a1_1", "chat rehearsal"],
      ["call call_a2_3", "call call_a1_1", "execute_tool Grep"],
      ["message msg_a3", "call call_a1_1", "chat rehearsal"],
      ["call call_a1_1", "run", "execute_tool Agent"],
      ["message msg_a4", "run", "chat rehearsal"],
      ["run", undefined, "invoke_agent"],
    ]);
  });

  it("in a run of its own links to the call", () => {
    let now = curtainUp;
    const recorder = createRecorder(() => now);
    const parent = { runId: runId("outer"), callId: callId("call_1") };
    const log = [
      recorder.propose({
        type: "startRun",
        runId: runId("inner"),
        conversationId: conversationId("c"),
        model: "rehearsal",
        agent: "researcher",
        parent,
      }),
    ].flatMap((decision) => (decision.status === "refused" ? [] : decision.events));
    now += 30;
    const closing = recorder.propose({ type: "closeRun", outcome: "timeout", reason: "too long" });
    const end = closing.status === "refused" ? [] : closing.events;
    expect(project(createSpansProjection(), [...log, ...end])).toStrictEqual([
      {
        key: "run",
        link: parent,
        runId: "inner",
        name: "invoke_agent researcher",
        kind: "internal",
        startTime: curtainUp,
        endTime: curtainUp + 30,
        attributes: {
          "gen_ai.operation.name": "invoke_agent",
          "gen_ai.agent.name": "researcher",
          "gen_ai.conversation.id": "c",
          "gen_ai.request.model": "rehearsal",
          "callboard.outcome": "timeout",
          "error.type": "timeout",
          "gen_ai.usage.input_tokens": 0,
          "gen_ai.usage.output_tokens": 0,
        },
        status: { code: "error", message: "too long" },
      },
    ]);
  });
});

describe.each(lives)("the spans of $name", (life) => {
  const spans = spansOf(life);

  it("are one for each answer, each call and the run", () => {
    // A limit that asks for more is not an answer of a model.
    const ofLimits = life.log.flatMap((event) =>
      event.type === "call.opened" && event.openedBy === "limit" ? [event.messageId] : [],
    );
    const expected = life.log.flatMap((event) => {
      if (event.type === "message.opened" && ofLimits.includes(event.messageId)) return [];
      if (event.type === "message.opened" && event.role === "assistant") {
        return [`message ${event.messageId}`];
      }
      return event.type === "call.opened" ? [`call ${event.callId}`] : [];
    });
    const keys = spans.map(({ key }) => key);
    expect(new Set(keys)).toEqual(new Set([...expected, "run"]));
    expect(keys).toHaveLength(expected.length + 1);
    expect(keys.at(-1)).toBe("run");
  });

  it("hang together, and lie within the run", () => {
    const keys = new Set(spans.map(({ key }) => key));
    const [first, last] = [life.log[0]?.at ?? 0, life.log.at(-1)?.at ?? 0];
    for (const { key, parentKey, startTime, endTime } of spans) {
      if (key === "run") expect([parentKey, startTime, endTime]).toEqual([undefined, first, last]);
      else expect(keys.has(parentKey ?? "")).toBe(true);
      expect(startTime).toBeGreaterThanOrEqual(first);
      expect(endTime).toBeGreaterThanOrEqual(startTime);
      expect(endTime).toBeLessThanOrEqual(last);
    }
  });
});

it("the span of an answer that the provider broke off is an error, of no other", () => {
  const error = { code: "error", message: "529 overloaded" };
  expect(spanOf("provider-error-in-text", "run")?.status).toStrictEqual(error);
  expect(spanOf("provider-error-in-text", "message msg_a1")?.status).toStrictEqual(error);
  const after = createLife("late-error", "An error after the answer.", ({ model, run }) => {
    model.begins();
    model.says("All there.");
    model.ends();
    run.errs({ errorType: "provider_error", message: "529 overloaded" });
    run.ends("error", "529 overloaded");
  });
  expect(spansOf(after).map(({ key, status }) => [key, status])).toStrictEqual([
    ["message msg_a1", { code: "ok" }],
    ["run", error],
  ]);
});
