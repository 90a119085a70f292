/** Depths and shares of time on the waterfall. */
import { type CallTrack, createTracksProjection, project } from "@callboard/run-log";
import { lifeNamed } from "@callboard/testkit";
import { describe, expect, it } from "vitest";
import { barsOf, placedTracks, rangeOf, zoomedRange } from "./waterfall.js";

function tracksOf(name: string, events = Number.POSITIVE_INFINITY): readonly CallTrack[] {
  const log = lifeNamed(name)?.log.slice(0, events) ?? [];
  const tracks = project(createTracksProjection(), log);
  return [...new Map(tracks.map((track) => [track.callId, track])).values()];
}

describe("the places of calls", () => {
  it("are below the call they work for", () => {
    const rows = placedTracks(tracksOf("nested-agent"));
    expect(rows.map(({ depth, track }) => [depth, track.callId])).toEqual([
      [0, "call_a1_1"],
      [1, "call_a2_3"],
    ]);
  });

  it("are by themselves where the parent is not there", () => {
    const alone = tracksOf("nested-agent").filter(({ parentCallId }) => parentCallId !== undefined);
    expect(placedTracks(alone).map(({ depth }) => depth)).toEqual([0]);
  });

  it("are by themselves where a call names itself as its parent", () => {
    const tracks = tracksOf("nested-agent").map((track) => ({
      ...track,
      parentCallId: track.callId,
    }));
    expect(placedTracks(tracks).map(({ depth }) => depth)).toEqual([0, 0]);
  });

  it("are those of their own run, although call ids repeat", () => {
    const [parent, child] = tracksOf("nested-agent");
    if (!parent || !child) throw new Error("the life has two calls");
    const [first] = tracksOf("read-file");
    if (!first) throw new Error("the life has a call");
    const elsewhere: CallTrack = { ...child, runId: first.runId };
    const rows = placedTracks([parent, child, elsewhere]);
    expect(rows.map(({ depth }) => depth)).toEqual([0, 1, 0]);
  });
});

describe("the bars of a call", () => {
  it("share the whole time without holes", () => {
    const [track] = tracksOf("approval-allowed");
    const bars = track ? barsOf(track, rangeOf([track], 0), 0) : [];
    expect(bars[0]?.start).toBe(0);
    expect(bars.reduce((sum, { width }) => sum + width, 0)).toBeCloseTo(1, 9);
    expect(bars.filter(({ isOpen }) => isOpen)).toEqual([]);
  });

  it("reach up to now while they go on, and the range has room for more", () => {
    const log = lifeNamed("abort-while-running")?.log ?? [];
    const running = log.findIndex(({ type }) => type === "call.run.started") + 1;
    const tracks = tracksOf("abort-while-running", running);
    const [track] = tracks;
    const now = (log[running - 1]?.at ?? 0) + 1_000;
    const range = rangeOf(tracks, now);
    expect(range.to).toBeGreaterThan(now);
    expect(rangeOf(tracks, now + 1)).toEqual(range);
    const last = track && barsOf(track, range, now).at(-1);
    const nowShare = (now - range.from) / (range.to - range.from);
    expect(last?.isOpen).toBe(true);
    expect((last?.start ?? 0) + (last?.width ?? 0)).toBeCloseTo(nowShare, 9);
  });

  it("are left out where the shown range does not reach them", () => {
    const [track] = tracksOf("approval-allowed");
    const openedAt = track?.openedAt ?? 0;
    expect(track && barsOf(track, { from: openedAt - 10, to: openedAt - 5 }, 0)).toEqual([]);
  });
});

describe("a magnified range", () => {
  it.each([
    [0, { from: 0, to: 25 }],
    [50, { from: 37.5, to: 62.5 }],
    [100, { from: 75, to: 100 }],
  ])("around %d stays inside the whole", (around, expected) => {
    expect(zoomedRange({ from: 0, to: 100 }, 4, around)).toEqual(expected);
  });
});
