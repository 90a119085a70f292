/** What holds of the callbacks on every life: the stages' contract, texts told once, linear work. */
import { createLife, type Life, lifeNamed, lives } from "@callboard/testkit";
import { describe, expect, it } from "vitest";
import type { EventOf, RunEvent } from "../log/events/index.js";
import type { CompactParams } from "../stages/shortForms.js";
import type { AgentToolBlockUpdateParams } from "../stages/stages.js";
import type { JsonObject } from "../values/json.js";
import type { CallbackCall } from "./callbacks/callbackCall.js";
import { createCallbacksProjection } from "./callbacks.js";
import { createProjector, project } from "./shared/projection.js";

const logOf = (name: string): readonly RunEvent[] => lifeNamed(name)?.log ?? [];

function told(log: readonly RunEvent[], compactParams?: CompactParams): readonly CallbackCall[] {
  return project(createCallbacksProjection(compactParams ? { compactParams } : {}), log);
}

function stagesOf(
  log: readonly RunEvent[],
  compactParams?: CompactParams,
): readonly AgentToolBlockUpdateParams[] {
  return told(log, compactParams).flatMap((call) =>
    call.callback === "onToolBlockUpdated" ? [call.params] : [],
  );
}

function openingsOf(life: Life): readonly EventOf<"call.opened">[] {
  return life.log.filter((event) => event.type === "call.opened");
}

const isUsersCommand = ({ openedBy, kind }: EventOf<"call.opened">): boolean =>
  openedBy === "user" && kind === "execute";

const always = ["id", "name", "parameters", "stage"];
const allowed = {
  start: [],
  streaming: ["parametersChunk", "result"],
  running: ["shortResult", "silentMs", "amendedParameters"],
  end: ["success", "result", "error", "images", "shortResult", "amendedParameters"],
} as const;

it("say how long a tool gave no sign, until it gives one", () => {
  const silent = stagesOf(logOf("progress-of-every-kind")).flatMap((params) =>
    params.stage === "running" ? [params.silentMs] : [],
  );
  expect(silent.filter((ms) => ms !== undefined)).toEqual([5_000]);
  expect(silent.indexOf(5_000)).toBeLessThan(silent.length - 1);
});

describe.each(lives)("the calls of $name", (life) => {
  const stages = stagesOf(life.log);
  const calls = openingsOf(life).filter((opening) => !isUsersCommand(opening));
  const ofCall = (id: string) => stages.filter((params) => params.id === id);

  it("start once, end once, and only stream and run between", () => {
    expect(new Set(stages.map(({ id }) => id))).toEqual(new Set(calls.map(({ callId }) => callId)));
    for (const { callId } of calls) {
      const words = ofCall(callId).map(({ stage }) => stage);
      expect(words[0]).toBe("start");
      expect(words.at(-1)).toBe("end");
      expect(words.slice(1, -1).filter((word) => word === "start" || word === "end")).toEqual([]);
    }
  });

  it("are named on every event, which has the fields of its stage and no other", () => {
    for (const { callId, toolName, parentCallId } of calls) {
      for (const params of ofCall(callId)) {
        expect(params).toMatchObject({ id: callId, name: toolName });
        expect(typeof params.parameters).toBe("string");
        expect(params.parentCallId).toBe(parentCallId);
        const beyond = Object.keys(params).filter((key) => !always.includes(key));
        const fields: readonly string[] = [...allowed[params.stage], "parentCallId"];
        expect(beyond.filter((key) => !fields.includes(key))).toEqual([]);
      }
    }
  });

  it("stream chunks that add up to the parameters", () => {
    for (const { callId } of calls) {
      let chunks = "";
      for (const params of ofCall(callId)) {
        chunks += params.parametersChunk ?? "";
        if (params.stage === "start") expect(params.parameters).toBe("");
        if (params.parametersChunk !== undefined) expect(params.parameters === chunks).toBe(true);
        if (params.stage === "streaming") {
          expect([params.parametersChunk, params.result].filter(Boolean)).toHaveLength(1);
        }
      }
      const last = ofCall(callId).at(-1);
      if (chunks !== "") expect(last?.parameters === chunks).toBe(true);
    }
  });

  it("end with success and result, or with an error", () => {
    for (const end of stages.filter(({ stage }) => stage === "end")) {
      const { success, result, error } = end;
      if (success) expect([typeof result, error]).toEqual(["string", undefined]);
      else expect([success, typeof error]).toEqual([false, "string"]);
    }
  });

  it("say nothing of isRunning", () => {
    for (const params of stages) expect(params).not.toHaveProperty("isRunning");
  });

  it("are commands where the person ran a command line", () => {
    const commands = openingsOf(life).filter(isUsersCommand);
    const words = told(life.log).map(({ callback }) => callback);
    const count = (word: string) => words.filter((callback) => callback === word).length;
    expect(count("onAddCommandOutputMessage")).toBe(commands.length);
    expect(count("onCompleteCommandMessage")).toBe(commands.length);
  });
});

describe("texts", () => {
  it.each(lives)("accumulate to the sum of their chunks in $name", ({ log }) => {
    let content = "";
    let reasoning = "";
    for (const call of told(log)) {
      if (call.callback === "onAssistantMessageAdded") [content, reasoning] = ["", ""];
      if (call.callback === "onAssistantContentUpdated") {
        content += call.chunk;
        expect(call.accumulated).toBe(content);
      }
      if (call.callback === "onAssistantReasoningUpdated") {
        reasoning += call.chunk;
        expect(call.accumulated).toBe(reasoning);
      }
    }
  });

  it.each(["plain-text", "reasoning-then-text", "text-between-calls", "nested-agent"])(
    "are told once by closings without deltas in %s",
    (name) => {
      const textOf = (log: readonly RunEvent[]) =>
        told(log).flatMap((call) => ("accumulated" in call ? [[call.callback, call.chunk]] : []));
      const closings = logOf(name).flatMap((event) =>
        event.type === "text.closed" || event.type === "reasoning.closed" ? [event.text] : [],
      );
      const whole = logOf(name).filter(({ type }) => !type.endsWith("delta"));
      const chunks = textOf(whole).map(([, chunk]) => chunk);
      expect(chunks).toEqual(closings.filter((text) => chunks.includes(text)));
      const joined = (log: readonly RunEvent[], word: string) =>
        textOf(log)
          .flatMap(([callback, chunk]) => (callback === word ? [chunk] : []))
          .join("");
      for (const word of ["onAssistantContentUpdated", "onSubagentContentUpdated"]) {
        expect(joined(whole, word)).toBe(joined(logOf(name), word));
      }
    },
  );

  it("are told exactly in order, with what the message was before a call", () => {
    const texts = told(logOf("text-between-calls")).filter((call) => "accumulated" in call);
    expect(texts).toStrictEqual([
      {
        callback: "onAssistantContentUpdated",
        chunk: "First the list.",
        accumulated: "First the list.",
      },
      {
        callback: "onAssistantContentUpdated",
        chunk: "Then the file.",
        accumulated: "First the list.Then the file.",
      },
    ]);
  });
});

describe("the output of a command", () => {
  it("is told by its end when it did not stream", () => {
    const life = createLife("quiet", "A command that prints at its end.", ({ user, tool, run }) => {
      const command = user.runs("Bash", { command: "ls" }, { kind: "execute" });
      tool.starts(command);
      tool.ends(command, "a.txt\n", { exitCode: 0 });
      run.ends();
    });
    expect(told(life.log).slice(0, -1)).toStrictEqual([
      { callback: "onAddCommandOutputMessage", command: "ls" },
      {
        callback: "onUpdateCommandOutputMessage",
        command: "ls",
        chunk: "a.txt\n",
        output: "a.txt\n",
      },
      { callback: "onCompleteCommandMessage", command: "ls", exitCode: 0 },
    ]);
  });

  it("is completed by its end where only the start streamed, and not told twice", () => {
    const outputsOf = (whole: string) => {
      const life = createLife("half", "A command cut in its output.", ({ user, tool, run }) => {
        const command = user.runs("Bash", { command: "ls" }, { kind: "execute" });
        tool.starts(command);
        tool.prints(command, "a.txt\n");
        tool.ends(command, whole, { exitCode: 0 });
        run.ends();
      });
      return told(life.log).flatMap((call) =>
        call.callback === "onUpdateCommandOutputMessage" ? [[call.chunk, call.output]] : [],
      );
    };
    expect(outputsOf("a.txt\n")).toEqual([["a.txt\n", "a.txt\n"]]);
    expect(outputsOf("a.txt\nb.txt\n")).toEqual([
      ["a.txt\n", "a.txt\n"],
      ["b.txt\n", "a.txt\nb.txt\n"],
    ]);
  });
});

describe("compactParams", () => {
  const path: CompactParams = (tool, input) =>
    typeof input.file_path === "string" ? `${tool} ${input.file_path}` : undefined;
  const outline = (log: readonly RunEvent[], compact: CompactParams) =>
    stagesOf(log, compact).map((params) => [params.stage, params.compactParams]);

  it("grows with the arguments and stays to the end", () => {
    expect(outline(logOf("read-file"), path)).toEqual([
      ["start", undefined],
      ["streaming", undefined],
      ["streaming", "Read src/app.ts"],
      ["streaming", "Read src/app.ts"],
      ["running", "Read src/app.ts"],
      ["end", "Read src/app.ts"],
    ]);
    expect(outline(logOf("late-name"), path)).toEqual([
      ["start", undefined],
      ["streaming", "Read docs/no"],
      ["streaming", "Read docs/notes."],
      ["streaming", "Read docs/notes.md"],
      ["running", "Read docs/notes.md"],
      ["end", "Read docs/notes.md"],
    ]);
  });

  it("is there for a whole call, for a broken one and for arguments cut short", () => {
    const glob: CompactParams = (_, { pattern }) => String(pattern);
    expect(outline(logOf("whole-call"), glob)).toEqual([
      ["start", undefined],
      ["running", "scripts/*"],
      ["end", "scripts/*"],
    ]);
    expect(outline(logOf("abort-in-arguments"), path).at(-1)).toEqual(["end", "Write a.txt"]);
    expect(outline(logOf("truncated-arguments"), path).at(-1)).toEqual(["end", "Write long.txt"]);
  });

  it("is asked for each delta of a page, then after every quarter more, and once for the whole", () => {
    const content = "x".repeat(1_000_000);
    const life = createLife("long", "A megabyte in 16-character deltas.", ({ model, run }) => {
      model.begins();
      const call = model.opensCall("Write");
      model.streams(call, JSON.stringify({ content }), 16);
      model.closesInput(call);
      run.ends("cancelled");
    });
    const lengths: number[] = [];
    const length: CompactParams = (_, input: JsonObject) => {
      lengths.push(typeof input.content === "string" ? input.content.length : 0);
      return undefined;
    };
    told(life.log, length);
    expect(lengths.filter((one) => one <= 1_000)).toHaveLength(63);
    expect(lengths.at(-1)).toBe(content.length);
    const read = lengths.reduce((sum, one) => sum + one, 0);
    expect(read).toBeLessThan(7 * content.length);
    const grown = lengths.slice(64, -1).map((now, index) => now / (lengths[63 + index] ?? 1));
    expect(Math.min(...grown)).toBeGreaterThan(1.2);
    expect(Math.max(...grown)).toBeLessThan(1.3);
  });

  it("is the same when an old memory is stepped again", () => {
    const projection = createCallbacksProjection({ compactParams: path });
    for (const { log } of lives.filter(({ name }) => name !== "huge-argument")) {
      const projector = createProjector(projection);
      const steps = log.map((event) => {
        const { memory, run: before } = projector;
        const outputs = projector.push(event);
        return { memory, event, outputs, change: { before, after: projector.run } };
      });
      for (const { memory, event, outputs, change } of steps.toReversed()) {
        expect(projection.step(memory, event, change).outputs).toStrictEqual(outputs);
        expect(projection.step(memory, event, change).outputs).toStrictEqual(outputs);
      }
    }
  });
});

describe("what is remembered of calls", () => {
  it.each(lives)("is nothing once $name has ended", ({ log }) => {
    const projector = createProjector(createCallbacksProjection());
    for (const event of log) projector.push(event);
    expect([...projector.memory.stages.keys()]).toEqual([]);
  });
});
