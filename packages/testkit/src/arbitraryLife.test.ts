/** Random lives are only worth their laws if they reach everything that a log can say. */
import {
  type CallStatus,
  callOutcomes,
  evolve,
  initialState,
  openCallsOf,
  type RunEvent,
  type RunEventType,
  runOutcomes,
} from "@callboard/run-log";
import { describe, expect, it } from "vitest";
import { createTape, randomLife, seededLife } from "./arbitraryLife.js";
import { mutatedBy, mutationKinds } from "./mutate.js";
import { violationOf } from "./plainReading.js";
import { sortedTexts } from "./surface.js";
import { createRandom } from "./torture/random.js";

const many = Array.from({ length: 300 }, (_, index) => seededLife(index + 1));
const events = many.flatMap(({ log }) => log);
const among = (names: Iterable<string>): readonly string[] => sortedTexts(new Set(names));

const everyType: Readonly<Record<RunEventType, true>> = {
  "run.started": true,
  "run.closed": true,
  "run.parked": true,
  "run.resumed": true,
  "status.reported": true,
  "data.emitted": true,
  "error.reported": true,
  "usage.reported": true,
  "message.opened": true,
  "message.closed": true,
  "text.delta": true,
  "text.closed": true,
  "reasoning.delta": true,
  "reasoning.closed": true,
  "image.attached": true,
  "message.queued": true,
  "message.requeued": true,
  "message.unqueued": true,
  "context.compacted": true,
  "hook.answered": true,
  "call.opened": true,
  "call.input.delta": true,
  "call.input.closed": true,
  "call.input.amended": true,
  "call.approval.asked": true,
  "call.approval.answered": true,
  "call.run.started": true,
  "call.run.progressed": true,
  "call.closed": true,
};

describe("random lives", () => {
  it("hold every type of event", () => {
    expect(among(events.map(({ type }) => type))).toEqual(among(Object.keys(everyType)));
  });

  it("end calls and runs in every way", () => {
    const calls = events.flatMap((event) => (event.type === "call.closed" ? [event.outcome] : []));
    expect(among(calls)).toEqual(among(callOutcomes));
    const runs = events.flatMap((event) => (event.type === "run.closed" ? [event.outcome] : []));
    expect(among(runs)).toEqual(among(runOutcomes));
  });

  it("report progress of every kind", () => {
    const kinds = events.flatMap((event) =>
      event.type === "call.run.progressed" ? [event.progress.type] : [],
    );
    expect(among(kinds)).toEqual(
      among([
        "message",
        "step",
        "preview",
        "output",
        "heartbeat",
        "title",
        "locations",
        "terminal",
        "retry",
      ]),
    );
  });

  it("stop with calls in every open status, beside each other and inside each other", () => {
    const open = many.map(({ log }) => openCallsOf(log.reduce(evolve, initialState)));
    const statuses: readonly CallStatus[] = open.flat().map((call) => call.status);
    expect(among(statuses)).toEqual(
      among(["inputStreaming", "ready", "awaitingApproval", "running"]),
    );
    expect(open.some((calls) => calls.length >= 4)).toBe(true);
    expect(open.flat().some((call) => call.parentCallId !== undefined)).toBe(true);
  });

  it("ask for some moves that are refused, and for many that are not", () => {
    const refusals = many.reduce((count, life) => count + life.refusals, 0);
    expect(refusals).toBeGreaterThan(100);
    expect(refusals).toBeLessThan(events.length / 5);
  });

  it("are the same for the same seed, and the plainest for no draws at all", () => {
    expect(seededLife(42)).toEqual(seededLife(42));
    expect(seededLife(42)).not.toEqual(seededLife(43));
    const plain = randomLife(createTape([]), 0).log.map(({ type }) => type);
    expect(plain).toEqual(["run.started", "run.closed"]);
  });
});

describe("mutations", () => {
  const changed = (kind: (typeof mutationKinds)[number]): readonly (readonly RunEvent[])[] =>
    many.flatMap(({ log }, seed) => {
      const history = mutatedBy(kind, log, createRandom(seed));
      return history === log ? [] : [history];
    });

  it.each(mutationKinds)("%s changes most logs and leaves the given one alone", (kind) => {
    const before = JSON.stringify(many[5]?.log);
    expect(changed(kind).length).toBeGreaterThan(many.length / 2);
    expect(JSON.stringify(many[5]?.log)).toBe(before);
  });

  it.each(["drop", "double", "reorder", "splice"] as const)("%s mostly breaks the law", (kind) => {
    const histories = changed(kind);
    const broken = histories.filter((history) => violationOf(history) !== undefined);
    expect(broken.length).toBeGreaterThan(histories.length / 2);
  });

  it("truncate never breaks it", () => {
    const violations = changed("truncate").map(violationOf);
    expect(violations.filter((violation) => violation !== undefined)).toEqual([]);
  });
});
