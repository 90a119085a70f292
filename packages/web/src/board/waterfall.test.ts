/** Rows, depths and shares of time on the waterfall. */
import { type CallTrack, createTracksProjection, project } from "@callboard/run-log";
import { lifeNamed } from "@callboard/testkit";
import { describe, expect, it } from "vitest";
import { waterfallOf } from "./waterfall.js";

function tracksOf(name: string, events = Number.POSITIVE_INFINITY): readonly CallTrack[] {
  const log = lifeNamed(name)?.log.slice(0, events) ?? [];
  const tracks = project(createTracksProjection(), log);
  return [...new Map(tracks.map((track) => [track.callId, track])).values()];
}

describe("the waterfall", () => {
  it("is empty without calls", () => {
    expect(waterfallOf([], 7)).toEqual({ rows: [], from: 7, to: 7 });
  });

  it("puts nested calls below the call they work for", () => {
    const { rows } = waterfallOf(tracksOf("nested-agent"), 0);
    expect(rows.map(({ depth, track }) => [depth, track.callId])).toEqual([
      [0, "call_a1_1"],
      [1, "call_a2_3"],
    ]);
  });

  it("shares the whole time among the phases, without holes", () => {
    const { rows, nowLine } = waterfallOf(tracksOf("approval-allowed"), 0);
    const bars = rows[0]?.bars ?? [];
    expect(nowLine).toBeUndefined();
    expect(bars[0]?.start).toBe(0);
    expect(bars.reduce((sum, { width }) => sum + width, 0)).toBeCloseTo(1, 9);
    expect(bars.filter(({ isOpen }) => isOpen)).toEqual([]);
  });

  it("draws what still runs up to now", () => {
    const log = lifeNamed("abort-while-running")?.log ?? [];
    const running = log.findIndex(({ type }) => type === "call.run.started") + 1;
    const tracks = tracksOf("abort-while-running", running);
    const startedAt = log[running - 1]?.at ?? 0;
    const { rows, nowLine, to } = waterfallOf(tracks, startedAt + 1_000);
    expect(to).toBe(startedAt + 1_000);
    expect(nowLine).toBe(1);
    const last = rows[0]?.bars.at(-1);
    expect(last?.isOpen).toBe(true);
    expect((last?.start ?? 0) + (last?.width ?? 0)).toBeCloseTo(1, 9);
  });

  it("shows a call whose parent is not there by itself", () => {
    const alone = tracksOf("nested-agent").filter(({ parentCallId }) => parentCallId !== undefined);
    expect(waterfallOf(alone, 0).rows.map(({ depth }) => depth)).toEqual([0]);
  });
});
