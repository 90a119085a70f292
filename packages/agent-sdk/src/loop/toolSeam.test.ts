/** Whatever a tool's author hands in, the call ends once with its cause, and the run continues. */
import { afterEach, describe, expect, it } from "vitest";
import { z } from "zod";
import { type AgentStage, callsReply, setAgentStage, textReply } from "../testing/agentStage.js";
import { defineTool } from "../tools/defineTool.js";
import type { ToolContext, ToolDefinition } from "../types/tools.js";
import { ToolFailure } from "../utils/toolFailure.js";

let stage: AgentStage | undefined;
afterEach(async () => {
  await stage?.close();
  stage = undefined;
});

interface Life {
  readonly outcome: string;
  readonly closed: readonly unknown[];
  readonly types: readonly string[];
  readonly logged: readonly string[];
  readonly told: string;
}

async function lifeOf(tool: ToolDefinition, input: unknown = {}): Promise<Life> {
  stage = await setAgentStage([callsReply([tool.name, input]), textReply("done")], {
    tools: [tool],
    approval: { timeoutMs: 1 },
  });
  const { agent, events, logged, server } = stage;
  const { outcome } = await agent.sendMessage("go");
  expect(await stage.faults()).toEqual([]);
  return {
    outcome,
    closed: events.filter(({ type }) => type === "call.closed"),
    types: events.flatMap(({ type }) => (type.startsWith("call.") ? [type] : [])),
    logged,
    told: JSON.stringify(server.requests[1]?.body ?? {}),
  };
}

/** A tool as an author without types writes it. */
function untyped(run: (context: ToolContext) => unknown, hooks: object = {}): ToolDefinition {
  const tool = defineTool({
    name: "odd",
    description: "does odd things",
    kind: "other",
    input: z.object({ path: z.string().optional() }),
    run: () => "",
  });
  const execute = async (_: unknown, context: ToolContext): Promise<unknown> => run(context);
  return Object.assign({ ...tool }, { execute, ...hooks });
}

describe("a result", () => {
  it.each<[string, unknown, object]>([
    ["plain JSON", { rows: [1] }, { output: '{"rows":[1]}', outputType: "json" }],
    ["nothing", undefined, { output: "" }],
    ["a text", "hi", { output: "hi" }],
    ["a field that is undefined", { output: "42", summary: undefined }, { output: "42" }],
  ])("that is %s is a good output", async (_, result, end) => {
    const { outcome, closed } = await lifeOf(untyped(() => result));
    expect(outcome).toBe("ok");
    expect(closed).toMatchObject([{ outcome: "ok", ...end }]);
  });

  it.each<[string, unknown, string]>([
    ["sumary", { output: "42", sumary: "x" }, '"sumary": no such field'],
    ["exitCode", { output: "42", exitCode: 1.5 }, '"exitCode": expected int, received number'],
    ["output", { output: { now: () => 1 } }, '"output.now": a function is not JSON'],
  ])("that does not fit ends the call and names %s", async (_, result, problem) => {
    const { outcome, closed, told } = await lifeOf(untyped(() => result));
    expect(outcome).toBe("ok");
    const message = `odd ran, but its result is not valid. ${problem}.`;
    expect(closed).toMatchObject([{ outcome: "error", errorType: "invalid_result", message }]);
    expect(told).toContain(
      JSON.stringify(message).slice(1, -1).replaceAll("\\", "\\\\").slice(0, 20),
    );
  });
});

describe("what a tool throws", () => {
  const unprintable = {
    toString() {
      throw new Error("no");
    },
  };
  const odd = Object.assign(new ToolFailure("x", "m"), {
    ...{ errorType: "", output: { a: 1 }, exitCode: 1.5, usage: "none" },
  });
  it.each<[string, unknown, object]>([
    ["an error", new Error("broken"), { errorType: "execution", message: "broken" }],
    ["an error without a message", new RangeError(), { message: "RangeError" }],
    [
      "nothing",
      undefined,
      { errorType: "execution", message: "it threw undefined, without a message" },
    ],
    ["null", null, { errorType: "execution", message: "it threw null, without a message" }],
    [
      "an empty text",
      "",
      { errorType: "execution", message: "it threw an error without a message" },
    ],
    ["a text", "oh", { errorType: "execution", message: "oh" }],
    ["something unprintable", unprintable, { message: "it threw a value that cannot be printed" }],
    [
      "a failure with fields of other types",
      odd,
      { errorType: "execution", message: "m", output: '{"a":1}' },
    ],
  ])("is a failure of its call: %s", async (_, thrown, end) => {
    const { outcome, closed } = await lifeOf(
      untyped(() => {
        throw thrown;
      }),
    );
    expect(outcome).toBe("ok");
    expect(closed).toMatchObject([{ outcome: "error", ...end }]);
    expect(closed[0]).not.toHaveProperty("exitCode");
  });
});

describe("progress that does not fit", () => {
  it("is omitted and logged, and the call ends well", async () => {
    const { outcome, closed, types, logged } = await lifeOf(
      untyped((context) => {
        const say = (word: keyof ToolContext, ...given: unknown[]): unknown =>
          Reflect.apply(Object(context[word]), context, given);
        say("output", 7);
        say("preview", undefined);
        say("progress", "x", 150);
        say("progress", Symbol("x"));
        say("step", "", { f: () => 1 });
        say("step", "a", new Date(0));
        say("locations", "here");
        say("terminal", "");
        context.output("fine");
        return "ok";
      }),
    );
    expect(outcome).toBe("ok");
    expect(closed).toMatchObject([{ outcome: "ok", output: "ok" }]);
    expect(types.filter((type) => type === "call.run.progressed")).toHaveLength(1);
    expect(
      logged.filter((line) => line === "warn: The progress of a tool was refused."),
    ).toHaveLength(8);
  });
});

describe("a hook that throws", () => {
  const broken = (): never => {
    throw new Error("no");
  };
  it.each(["compactParams", "title", "locations"])("%s does not stop the call", async (hook) => {
    const { outcome, closed, logged } = await lifeOf(
      untyped(() => "ran", { [hook]: broken }),
      { path: "a" },
    );
    expect(outcome).toBe("ok");
    expect(closed).toMatchObject([{ outcome: "ok", output: "ran" }]);
    expect(logged).toEqual([
      `error: The hook ${hook} of the tool odd failed; the call continues without it.`,
    ]);
  });

  it("approvalTarget asks where a rule with a pattern denies, and offers nothing for always", async () => {
    let runs = 0;
    const tool = untyped(() => ++runs, { approvalTarget: broken });
    const offered: string[] = [];
    stage = await setAgentStage([callsReply(["odd", {}]), textReply("done")], {
      tools: [tool],
      approval: { deny: ["odd(secret*)"], allow: ["odd"], otherwise: "allow", timeoutMs: 1 },
      callbacks: {
        onApprovalRequested: ({ options }) =>
          void offered.push(...options.map((one) => one.optionId)),
      },
    });
    expect(await stage.agent.sendMessage("go")).toMatchObject({ outcome: "ok" });
    expect(offered).toEqual(["allow_once", "reject_once"]);
    expect(runs).toBe(0);
  });
});

describe("arguments that are not valid", () => {
  it("end the call before anyone is asked, before it runs, and save nothing", async () => {
    let runs = 0;
    const saved: string[] = [];
    const write = defineTool({
      name: "write",
      description: "writes",
      kind: "edit",
      input: z.strictObject({ path: z.string() }),
      approvalTarget: ({ path }) => String(path),
      run: () => `${++runs}`,
    });
    const asked: unknown[] = [];
    stage = await setAgentStage([callsReply(["write", { path: 7 }]), textReply("done")], {
      tools: [write],
      approval: { saveRule: (rule) => void saved.push(rule) },
      callbacks: { onApprovalRequested: (asking) => void asked.push(asking) },
    });
    expect(await stage.agent.sendMessage("go")).toMatchObject({ outcome: "ok" });
    expect(stage.events.filter(({ type }) => type.startsWith("call."))).toMatchObject([
      { type: "call.opened" },
      { type: "call.input.delta" },
      { type: "call.input.closed" },
      {
        type: "call.closed",
        outcome: "error",
        errorType: "invalid_arguments",
        message:
          'The arguments of write are not valid. "path": expected string, received number. Call write again with: path (string, required).',
      },
    ]);
    expect([runs, saved, asked]).toEqual([0, [], []]);
    expect(stage.stages.map((one) => one.stage)).toEqual(["start", "streaming", "end"]);
  });
});

describe("a tool asks by default", () => {
  it.each([
    ["execute", true],
    ["edit", true],
    ["delete", true],
    ["move", true],
    ["read", false],
    ["search", false],
    ["fetch", false],
    ["think", false],
    ["other", false],
  ] as const)("according to its kind: %s", (kind, needsApproval) => {
    const options = { name: "t", description: "", kind, input: z.object({}), run: () => "" };
    expect(defineTool(options).needsApproval).toBe(needsApproval);
    expect(defineTool({ ...options, needsApproval: !needsApproval }).needsApproval).toBe(
      !needsApproval,
    );
  });
});
