/** What the roll-ups add up to. */
import { type CallTrack, createTracksProjection, project } from "@callboard/run-log/projections";
import { lifeNamed } from "@callboard/testkit";
import { describe, expect, it } from "vitest";
import { bucketsOf, nestedTotals, totalsByTool, totalsOf } from "./totals.js";

function tracksOf(...names: readonly string[]): readonly CallTrack[] {
  return names.flatMap((name) => {
    const tracks = project(createTracksProjection(), lifeNamed(name)?.log ?? []);
    return [...new Map(tracks.map((track) => [track.callId, track])).values()];
  });
}

describe("totals", () => {
  it("are nothing without calls", () => {
    expect(totalsOf([], 0)).toEqual({
      calls: 0,
      failed: 0,
      stopped: 0,
      open: 0,
      ranMs: 0,
      waitedMs: 0,
      tokens: 0,
      costUsd: 0,
      retries: 0,
    });
    expect(bucketsOf([], 0, 10)).toEqual([]);
  });

  it("count the time of a question of the model as waiting", () => {
    const [track] = tracksOf("approval-allowed");
    if (!track) throw new Error("the life has a call");
    const phases: CallTrack["phases"] = [{ kind: "running", from: 0, to: 4_000 }];
    const sums = totalsOf([{ ...track, toolName: "ask_user", phases }], 0);
    expect(sums).toMatchObject({ ranMs: 0, waitedMs: 4_000 });
  });

  it("add up running and waiting apart, tokens, cost and retries", () => {
    expect(totalsOf(tracksOf("approval-allowed", "cost-and-usage", "tool-retry"), 0)).toMatchObject(
      {
        calls: 3,
        failed: 0,
        waitedMs: 4_000,
        tokens: 320,
        costUsd: 0.0008,
        retries: 2,
      },
    );
    expect(totalsOf(tracksOf("denial", "abort-while-running"), 0)).toMatchObject({
      calls: 2,
      failed: 1,
      stopped: 1,
    });
  });

  it("are told for each tool, the longest first", () => {
    const tools = totalsByTool(tracksOf("abort-while-running", "read-file"), 0);
    expect(tools.map(({ toolName, calls }) => [toolName, calls])).toEqual([
      ["Bash", 1],
      ["Read", 1],
    ]);
  });

  it("count a tool that was renamed once", () => {
    const names = ["core_web_search", "web_search"];
    const tracks = tracksOf("abort-while-running", "read-file").map((track, index) => ({
      ...track,
      toolName: names[index] ?? "",
    }));
    const tools = totalsByTool(tracks, 0);
    expect(tools.map(({ toolName, calls }) => [toolName, calls])).toEqual([["web_search", 2]]);
  });

  it("over time count every call once, also the last", () => {
    const tracks = tracksOf("parallel-calls", "read-file");
    const buckets = bucketsOf(tracks, tracks[0]?.openedAt ?? 0, 7);
    expect(buckets).toHaveLength(7);
    expect(buckets.reduce((sum, { calls }) => sum + calls, 0)).toBe(tracks.length);
  });
});

it("over time count a call that was opened this moment", () => {
  const [first, second] = tracksOf("parallel-calls");
  if (!first || !second) throw new Error("the life has two calls");
  const { closedAt: _, ...open } = second;
  const now = first.openedAt + 1_000;
  const tracks = [
    { ...first, closedAt: first.openedAt + 1 },
    { ...open, openedAt: now },
  ];
  expect(bucketsOf(tracks, now, 4).map(({ calls }) => calls)).toEqual([1, 0, 0, 1]);
});

describe("what happened inside a call", () => {
  it("counts for every call above it", () => {
    const tracks = tracksOf("nested-agent");
    const [parent, child] = tracks;
    const sums = nestedTotals(tracks, 0);
    expect([...sums.keys()]).toEqual([`${parent?.runId} ${parent?.callId}`]);
    const ranMs = totalsOf(child ? [child] : [], 0).ranMs;
    expect([...sums.values()]).toEqual([{ calls: 1, ranMs, costUsd: 0 }]);
  });
});

describe("time", () => {
  it("starts with the first call, whatever now is", () => {
    const tracks = tracksOf("parallel-calls");
    const from = Math.min(...tracks.map(({ openedAt }) => openedAt));
    expect(bucketsOf(tracks, 0, 4)[0]?.from).toBe(from);
  });
});
