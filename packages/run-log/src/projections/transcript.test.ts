/** What a model is told: each entry once, in order, when nothing more can change it. */
import { createLife, type Life } from "@callboard/testkit";
import { describe, expect, it } from "vitest";
import { createProjector } from "./shared/projection.js";
import { createTranscriptProjection, pendingEntries, repairedStatus } from "./transcript.js";

type Told = Parameters<typeof createLife>[2];

function toldOf(tell: Told) {
  const life: Life = createLife("told", "A life for this test.", tell);
  const projector = createProjector(createTranscriptProjection());
  const outputs = life.log.flatMap((event) =>
    projector.push(event).map((output) => ({ seq: event.seq, ...output })),
  );
  return { outputs, log: life.log, memory: projector.memory };
}

describe("an entry", () => {
  it("is put out with the last closing that it waits for: its message's, or that of its last call", () => {
    const { outputs, log } = toldOf(({ user, model, tool, run }) => {
      user.says("Go.");
      model.begins();
      model.says("Both.");
      const first = model.calls("Read", { p: 1 });
      const second = model.calls("Read", { p: 2 });
      model.ends("tool-calls");
      tool.starts(first);
      tool.starts(second);
      tool.ends(second, "two");
      tool.ends(first, "one");
      model.begins();
      model.says("Done.");
      model.ends();
      run.ends();
    });
    const typeAt = (seq: number) => log[seq - 1]?.type;
    expect(outputs.map(({ seq, entry }) => [typeAt(seq), entry.type])).toEqual([
      ["message.closed", "user"],
      ["call.closed", "assistant"],
      ["message.closed", "assistant"],
    ]);
    expect(outputs[1]?.entry).toMatchObject({
      parts: [
        { type: "text", text: "Both." },
        { type: "call", input: { p: 1 }, end: { outcome: "ok", output: "one" } },
        { type: "call", input: { p: 2 }, end: { outcome: "ok", output: "two" } },
      ],
    });
  });

  it("that is open is pending, and the run's closing puts it out whatever it lacks", () => {
    const { outputs, memory } = toldOf(({ user, model }) => {
      user.says("Go.");
      model.begins();
      model.calls("Read", { p: 1 });
      model.ends("tool-calls");
    });
    expect(outputs).toHaveLength(1);
    expect(pendingEntries(memory)).toMatchObject([
      { type: "assistant", parts: [{ type: "call", input: { p: 1 } }] },
    ]);
  });

  it("of a nested agent belongs to the call that it works for", () => {
    const { outputs } = toldOf(({ user, model, tool, run, nestedModel }) => {
      user.says("Go.");
      model.begins();
      const task = model.calls("Task", {}, { toolType: "agent" });
      model.ends("tool-calls");
      tool.starts(task);
      const nested = nestedModel(task);
      nested.begins();
      nested.says("Inside.");
      nested.ends();
      tool.ends(task, "done");
      run.ends();
    });
    expect(outputs.map(({ scope, entry }) => [scope, entry.type])).toEqual([
      [undefined, "user"],
      ["call_a1_1", "assistant"],
      [undefined, "assistant"],
    ]);
  });

  it("marks where a history was repaired, in its own scope", () => {
    const { outputs } = toldOf(({ user, run }) => {
      user.says("Go.");
      run.reports(repairedStatus, { metadata: { scope: "call_1" } });
      run.reports(repairedStatus, {});
      run.ends();
    });
    expect(outputs.slice(1).map(({ scope, entry }) => [scope, entry.type])).toEqual([
      ["call_1", "repaired"],
      [undefined, "repaired"],
    ]);
  });
});
