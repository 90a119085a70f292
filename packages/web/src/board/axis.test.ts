/** The scale of time: silences cut, windows that stay inside, ticks at round distances. */
import type { Turn } from "@callboard/client";
import { type CallTrack, createTracksProjection, project } from "@callboard/run-log/projections";
import { lifeNamed } from "@callboard/testkit";
import { describe, expect, it } from "vitest";
import {
  axisOf,
  brushedWindow,
  busySpans,
  cutsOf,
  isSameAxis,
  pannedWindow,
  placeOf,
  silenceMs,
  ticksOf,
  wholeAxis,
  windowAround,
  zoomedWindow,
} from "./axis.js";

const hour = 3_600_000;
const twoRuns = axisOf(
  [
    { from: 0, to: 4_000 },
    { from: 3_000, to: 7_000 },
    { from: hour, to: hour + 3_000 },
  ],
  false,
);

describe("a scale", () => {
  it("cuts a silence, and gives the rest to what happened", () => {
    const places = [0, 7_000, hour, hour + 3_000].map((at) => placeOf(twoRuns, at).toFixed(3));
    expect(places).toEqual(["0.000", "0.679", "0.709", "1.000"]);
    expect(cutsOf(twoRuns, wholeAxis).map(({ ms }) => ms)).toEqual([hour - 7_000]);
  });

  it("keeps a short pause as it is", () => {
    const axis = axisOf(
      [
        { from: 0, to: 10 },
        { from: 10 + silenceMs, to: 20_000 },
      ],
      false,
    );
    expect(axis.spans).toEqual([{ from: 0, to: 20_000, start: 0, end: 1 }]);
    expect(placeOf(axis, 5_000)).toBe(0.25);
  });

  it("keeps room for what happened however many silences there are", () => {
    const busy = Array.from({ length: 1_000 }, (_, run) => ({
      from: run * hour,
      to: run * hour + 60,
    }));
    const { spans } = axisOf(busy, false);
    const shown = spans.reduce((sum, { start, end }) => sum + end - start, 0);
    expect(shown).toBeCloseTo(0.7, 9);
    expect(spans.at(-1)?.end).toBeCloseTo(1, 9);
  });

  it("has room to grow while something continues, and grows in steps", () => {
    const at = (to: number) => axisOf([{ from: 0, to }], true);
    expect(at(1_200).spans[0]?.to).toBe(1_500);
    expect(isSameAxis(at(1_200), at(1_400))).toBe(true);
    expect(isSameAxis(at(1_200), at(1_600))).toBe(false);
  });

  it("is empty where nothing happened", () => {
    expect(axisOf([], true)).toEqual({ spans: [] });
    expect(placeOf({ spans: [] }, 5)).toBe(0);
  });
});

describe("what happened", () => {
  const [asked] = project(createTracksProjection(), lifeNamed("approval-allowed")?.log ?? []).slice(
    -1,
  );

  it("leaves out the time in which nobody answered a question of the model", () => {
    if (!asked) throw new Error("the life has a call");
    const phases: CallTrack["phases"] = [
      { kind: "arguments", from: 0, to: 10 },
      { kind: "running", from: 10, to: hour },
    ];
    const question = { ...asked, toolName: "ask_user", openedAt: 0, closedAt: hour, phases };
    const spans = busySpans([question], [], 0);
    expect(axisOf(spans, false).spans.map(({ from, to }) => to - from)).toEqual([
      10 + silenceMs,
      1,
    ]);
  });

  it("leaves out the time in which nobody answered a question", () => {
    if (!asked) throw new Error("the life has a call");
    const phases: CallTrack["phases"] = [
      { kind: "arguments", from: 0, to: 10 },
      { kind: "approval", from: 10, to: hour },
      { kind: "running", from: hour, to: hour + 50 },
    ];
    const closedAt = hour + 50;
    const spans = busySpans([{ ...asked, openedAt: 0, closedAt, phases }], [], 0);
    expect(axisOf(spans, false).spans.map(({ from, to }) => [from, to])).toEqual([
      [0, 10 + silenceMs],
      [hour, hour + 50],
    ]);
  });

  it("holds the time in which a model was awaited", () => {
    const turn: Turn = {
      ...{ kind: "answer", turnId: "t", runId: "r", askedAt: 100, retries: 0, calls: 0 },
    };
    expect(busySpans([], [turn], 900)).toEqual([{ from: 100, to: 900 }]);
  });
});

describe("a window", () => {
  it("is magnified around a place that stays where it is", () => {
    expect(zoomedWindow(wholeAxis, 4, 0.5)).toEqual({ start: 0.375, end: 0.625 });
    expect(zoomedWindow(wholeAxis, 4, 0)).toEqual({ start: 0, end: 0.25 });
    expect(zoomedWindow({ start: 0.5, end: 0.75 }, 0.1, 0.5)).toEqual(wholeAxis);
  });

  it("is moved as far as the scale goes", () => {
    expect(pannedWindow({ start: 0.25, end: 0.5 }, 0.5)).toEqual({ start: 0.375, end: 0.625 });
    expect(pannedWindow({ start: 0.25, end: 0.5 }, 9)).toEqual({ start: 0.75, end: 1 });
    expect(pannedWindow({ start: 0.25, end: 0.5 }, -9)).toEqual({ start: 0, end: 0.25 });
  });

  it("is what was brushed, in whichever direction", () => {
    expect(brushedWindow(wholeAxis, 0.75, 0.25)).toEqual({ start: 0.25, end: 0.75 });
    expect(brushedWindow({ start: 0.5, end: 1 }, 0.5, 1)).toEqual({ start: 0.75, end: 1 });
    expect(windowAround(0.25, 0.5)).toEqual({ start: 0.225, end: 0.525 });
  });
});

it("marks round distances from the start of each stretch", () => {
  const ticks = ticksOf(twoRuns, wholeAxis);
  expect(ticks.map(({ ms }) => ms)).toEqual([0, 2_000, 4_000, 6_000, 0, 2_000]);
  expect(ticks.map(({ at }) => at)).toEqual([0, 2_000, 4_000, 6_000, hour, hour + 2_000]);
  const [first] = ticksOf(twoRuns, { start: 0.194, end: 0.388 });
  expect(first?.ms).toBe(2_000);
});
