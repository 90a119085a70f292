/**
 * The time scale of the board. Long idle stretches are cut out, so that a message an hour later does not compress
 * everything else. The visible part is a window that can be moved and magnified. Positions are from 0 to 1 of the whole
 * scale. Pure.
 */
import type { Turn } from "@callboard/client";
import type { CallTrack } from "@callboard/run-log/projections";
import { phasesOf } from "./phasesOf.js";

/** Milliseconds since the epoch. */
export interface Span {
  readonly from: number;
  readonly to: number;
}

/** A stretch in which something happened, and its place on the scale. */
export interface AxisSpan extends Span {
  readonly start: number;
  readonly end: number;
}

export interface Axis {
  readonly spans: readonly AxisSpan[];
}

/** The visible part of the scale. */
export interface AxisWindow {
  readonly start: number;
  readonly end: number;
}

export const wholeAxis: AxisWindow = { start: 0, end: 1 };

/** A silence that lasts longer than this is cut. */
export const silenceMs = 5_000;

/** A cut is so wide; many of them share what all may have together. */
const cutShare = 0.03;
const allCutsShare = 0.3;

/**
 * The active stretches, in the order of their starts. An open question is idle time: nothing happens until it is
 * answered. Calls and turns come in the order of their starts: the cost is linear in their number.
 */
export function busySpans(
  tracks: readonly CallTrack[],
  turns: readonly Turn[],
  now: number,
): readonly Span[] {
  const calls = inOrder(tracks.flatMap((track) => spansOfCall(track, now)));
  const answers = inOrder(
    turns.map(({ askedAt: from, closedAt }) => ({ from, to: Math.max(from, closedAt ?? now) })),
  );
  const spans: Span[] = [];
  let next = 0;
  for (const call of calls) {
    for (let turn = answers[next]; turn && turn.from <= call.from; turn = answers[next]) {
      spans.push(turn);
      next += 1;
    }
    spans.push(call);
  }
  return [...spans, ...answers.slice(next)];
}

function spansOfCall(track: CallTrack, now: number): readonly Span[] {
  const { openedAt, closedAt } = track;
  const spans: Span[] = [];
  let from = openedAt;
  for (const phase of phasesOf(track)) {
    const end = Math.max(phase.from, phase.to ?? now);
    if (phase.kind !== "approval" || end - phase.from <= silenceMs) continue;
    spans.push({ from, to: phase.from + silenceMs });
    from = end;
  }
  return [...spans, { from, to: Math.max(from, closedAt ?? now) }];
}

/** They are so nearly always: parallel calls that wait may be out of it. */
function inOrder(spans: readonly Span[]): readonly Span[] {
  const isSorted = spans.every(({ from }, index) => from >= (spans[index - 1]?.from ?? 0));
  return isSorted ? spans : spans.toSorted((one, other) => one.from - other.from);
}

/** `isLive`: something is running; the last stretch has space to grow. */
export function axisOf(busy: readonly Span[], isLive: boolean): Axis {
  const joined = joinedSpans(busy);
  const last = joined.at(-1);
  if (!last) return { spans: [] };
  const end = isLive ? last.from + roomFor(last.to - last.from) : Math.max(last.to, last.from + 1);
  const spans = [...joined.slice(0, -1), { from: last.from, to: end }];
  const busyMs = spans.reduce((sum, { from, to }) => sum + to - from, 0);
  const cuts = spans.length - 1;
  const cut = cuts === 0 ? 0 : Math.min(cutShare, allCutsShare / cuts);
  const scale = (1 - cut * cuts) / busyMs;
  let start = 0;
  return {
    spans: spans.map((span) => {
      const placed = { ...span, start, end: start + (span.to - span.from) * scale };
      start = placed.end + cut;
      return placed;
    }),
  };
}

/** Neighbours with no silence between them are one. */
function joinedSpans(busy: readonly Span[]): readonly Span[] {
  const joined: { from: number; to: number }[] = [];
  for (const { from, to } of inOrder(busy)) {
    const last = joined.at(-1);
    if (last && from - last.to <= silenceMs) last.to = Math.max(last.to, to);
    else joined.push({ from, to });
  }
  return joined;
}

const firstRoom = 1_000;
const growth = 1.5;

/** It grows in steps: bars that are done keep their place between two of them. */
function roomFor(ms: number): number {
  let room = firstRoom;
  while (room < ms) room *= growth;
  return room;
}

export function isSameAxis(one: Axis, other: Axis): boolean {
  return (
    one.spans.length === other.spans.length &&
    one.spans.every((span, index) => {
      const same = other.spans[index];
      return same?.from === span.from && same.to === span.to && same.start === span.start;
    })
  );
}

/** Where a moment is; a moment of a cut is at its place in the cut. */
export function placeOf({ spans }: Axis, at: number): number {
  let low = 0;
  let high = spans.length - 1;
  while (low < high) {
    const middle = Math.ceil((low + high) / 2);
    if ((spans[middle]?.from ?? 0) <= at) low = middle;
    else high = middle - 1;
  }
  const span = spans[low];
  if (!span || at <= span.from) return span?.start ?? 0;
  if (at <= span.to) return between(at, span.from, span.to, span.start, span.end);
  const next = spans[low + 1];
  return next ? between(at, span.to, next.from, span.end, next.start) : span.end;
}

function between(at: number, from: number, to: number, start: number, end: number): number {
  return to === from ? start : start + ((at - from) / (to - from)) * (end - start);
}

/** The position in the window: below 0 or above 1 if it is outside. */
export function shareOf({ start, end }: AxisWindow, place: number): number {
  return (place - start) / (end - start);
}

const smallest = 0.000_01;

/** Magnified by a factor around a share of the window, which keeps its position. */
export function zoomedWindow(window: AxisWindow, factor: number, around: number): AxisWindow {
  const size = window.end - window.start;
  const next = Math.min(1, Math.max(smallest, size / factor));
  return within(window.start + around * (size - next), next);
}

/** Moved by a share of itself. */
export function pannedWindow({ start, end }: AxisWindow, share: number): AxisWindow {
  return within(start + share * (end - start), end - start);
}

/** The part of a window between two shares of it, in whichever order. */
export function brushedWindow(window: AxisWindow, one: number, other: number): AxisWindow {
  const size = window.end - window.start;
  const width = Math.max(smallest, Math.abs(other - one) * size);
  return within(window.start + Math.min(one, other) * size, width);
}

function within(start: number, size: number): AxisWindow {
  const from = Math.min(1 - size, Math.max(0, start));
  return { start: from, end: from + size };
}

/** A window that contains a stretch of the scale with some space on either side. */
export function windowAround(start: number, end: number): AxisWindow {
  const size = Math.min(1, Math.max(smallest, (end - start) * 1.2));
  return within((start + end) / 2 - size / 2, size);
}

export interface Tick {
  /** Of the window. */
  readonly share: number;
  /** Relative to its stretch: 0 at its start. */
  readonly ms: number;
  readonly at: number;
}

const tickCount = 6;
const steps = [1, 2, 5];

/** 1, 2 or 5 of a power of ten that is at least so much. */
function roundStep(ms: number): number {
  const power = 10 ** Math.floor(Math.log10(Math.max(1, ms)));
  return (steps.find((step) => step * power >= ms) ?? 10) * power;
}

/** Moments at round distances from the start of their stretch, and every start. */
export function ticksOf({ spans }: Axis, window: AxisWindow): readonly Tick[] {
  const inSight = spans.filter(({ start, end }) => end >= window.start && start <= window.end);
  const [first] = inSight;
  if (!first) return [];
  const perShare = (first.to - first.from) / Math.max(smallest, first.end - first.start);
  const step = roundStep((perShare * (window.end - window.start)) / tickCount);
  const ticks: Tick[] = [];
  for (const { from, to, start, end } of inSight) {
    const shownFrom = Math.max(from, from + (window.start - start) * perShare);
    const shownTo = Math.min(to, from + (window.end - start) * perShare);
    for (let ms = Math.ceil((shownFrom - from) / step) * step; from + ms <= shownTo; ms += step) {
      const place = between(from + ms, from, to, start, end);
      ticks.push({ share: shareOf(window, place), ms, at: from + ms });
    }
  }
  return ticks;
}

export interface Cut {
  readonly start: number;
  readonly end: number;
  readonly ms: number;
}

/** The cut idle stretches, in shares of the window; invisible ones are omitted. */
export function cutsOf({ spans }: Axis, window: AxisWindow): readonly Cut[] {
  return spans.slice(1).flatMap((span, index) => {
    const before = spans[index];
    if (!before) return [];
    const [start, end] = [shareOf(window, before.end), shareOf(window, span.start)];
    return end < 0 || start > 1 ? [] : [{ start, end, ms: span.from - before.to }];
  });
}
