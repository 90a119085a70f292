/** What the board shows of a call at each moment of its life. */
import { createLife, lifeNamed } from "@callboard/testkit";
import { describe, expect, it } from "vitest";
import { project } from "../shared/projection.js";
import { msIn } from "../shared/track.js";
import { createTracksProjection } from "./index.js";

const tracksOf = (name: string) => project(createTracksProjection(), lifeNamed(name)?.log ?? []);
const statesOf = (name: string) => [...new Set(tracksOf(name).map(({ state }) => state))];

describe("the state of a track", () => {
  it.each([
    ["read-file", ["arguments", "queued", "running", "done"]],
    ["approval-allowed", ["arguments", "queued", "approval", "running", "done"]],
    ["denial", ["arguments", "queued", "approval", "failed"]],
    ["denial-while-running", ["arguments", "queued", "running", "approval", "failed"]],
    ["tool-timeout", ["arguments", "queued", "running", "failed"]],
    ["abort-in-arguments", ["arguments", "queued", "stopped"]],
    ["abort-while-running", ["arguments", "queued", "running", "stopped"]],
  ])("in %s is %j", (name, states) => {
    expect(new Set(statesOf(name))).toEqual(new Set(states));
    expect(tracksOf(name).at(-1)?.state).toBe(states.at(-1));
  });
});

describe("the phases of a track", () => {
  it("follow one another without holes and end with the call", () => {
    for (const name of ["read-file", "approval-allowed", "approval-while-running", "denial"]) {
      const { phases = [], openedAt, closedAt } = tracksOf(name).at(-1) ?? {};
      expect(phases[0]?.from).toBe(openedAt);
      expect(phases.at(-1)?.to).toBe(closedAt);
      phases.slice(1).forEach((phase, index) => {
        expect(phase.from).toBe(phases[index]?.to);
      });
    }
  });

  it("tell waiting apart from running", () => {
    const track = tracksOf("approval-allowed").at(-1);
    expect(track && [msIn(track, "approval", 0), msIn(track, "running", 0)]).toEqual([4_000, 60]);
    const asked = tracksOf("approval-while-running").find(({ state }) => state === "approval");
    expect(asked && msIn(asked, "approval", (asked.phases.at(-1)?.from ?? 0) + 250)).toBe(250);
  });
});

describe("what a track holds", () => {
  it("is the latest report, every step, and the output as it grows", () => {
    const life = createLife("work", "A call that reports.", ({ model, tool, run }) => {
      model.begins();
      const call = model.calls("Work", { deep: true });
      model.ends();
      tool.starts(call);
      tool.reports(call, { type: "message", message: "half", percent: 50 });
      tool.reports(call, { type: "step", step: "index", data: { rows: 2 } });
      tool.reports(call, { type: "output", text: "one " });
      tool.reports(call, { type: "output", text: "two" });
      tool.reports(call, { type: "retry", attempt: 1, reason: "busy" });
      tool.fails(call, "gave up");
      run.ends();
    });
    const tracks = project(createTracksProjection(), life.log);
    expect(tracks.at(-1)).toMatchObject({
      input: { deep: true },
      inputText: '{"deep":true}',
      percent: 50,
      message: "busy",
      retries: 1,
      steps: [{ step: "index", data: { rows: 2 } }],
      outputText: "one two",
      outcome: "error",
      error: { message: "gave up" },
    });
    expect(tracks.map(({ outputText }) => outputText).filter((text) => text !== "")).toEqual([
      "one ",
      "one two",
      "one two",
      "one two",
    ]);
  });

  it("is what was asked while an answer is awaited, and no longer", () => {
    const [asked] = tracksOf("approval-allowed").filter(({ approval }) => approval !== undefined);
    expect(asked?.state).toBe("approval");
    expect(asked?.approval?.options.map(({ kind }) => kind)).toContain("allow_once");
    expect(tracksOf("approval-allowed").at(-1)).not.toHaveProperty("approval");
    expect(tracksOf("denial").at(-1)).not.toHaveProperty("approval");
  });

  it("links nested calls to their parent", () => {
    const parents = new Map(tracksOf("nested-agent").map((one) => [one.callId, one.parentCallId]));
    expect([...parents.values()]).toEqual([undefined, "call_a1_1"]);
  });
});
