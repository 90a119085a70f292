import { describe, expect, it } from "vitest";
import { type CoalesceLimits, createCoalescer } from "./coalesce.js";
import type { RunEvent } from "./events/index.js";
import { evolve } from "./evolve.js";
import { callId, conversationId, messageId, partId, runId } from "./ids.js";
import type { Timed } from "./intents.js";
import { createRecorder } from "./recorder.js";
import { initialState } from "./state.js";

const m = messageId("m");
const [a, b] = [callId("a"), callId("b")];

function logOf(stepMs: number, ...intents: readonly Timed[]): readonly RunEvent[] {
  let now = 1_000;
  const recorder = createRecorder(() => {
    now += stepMs;
    return now;
  });
  return intents.flatMap((intent) => {
    const decision = recorder.propose(intent);
    if (decision.status === "refused") throw new Error(decision.refusal.message);
    return decision.events;
  });
}

const opening: readonly Timed[] = [
  { type: "startRun", runId: runId("r"), conversationId: conversationId("c"), model: "x" },
  { type: "openMessage", messageId: m, role: "assistant" },
];
const openCall = (id: typeof a): Timed => ({
  type: "openCall",
  messageId: m,
  callId: id,
  toolName: "t",
  toolType: "local",
});
const text = (piece: string): Timed => ({
  type: "appendText",
  messageId: m,
  partId: partId("p"),
  text: piece,
});
const input = (id: typeof a, piece: string): Timed => ({
  type: "appendInput",
  callId: id,
  text: piece,
});

function coalesced(log: readonly RunEvent[], limits: CoalesceLimits): readonly RunEvent[] {
  const coalescer = createCoalescer(limits);
  return [...log.flatMap((event) => coalescer.push(event)), ...coalescer.flush()];
}

const outline = (events: readonly RunEvent[]) =>
  events.map((event) => [
    event.type,
    ("from" in event && event.from) || event.seq,
    event.seq,
    ...("text" in event ? [event.text] : []),
  ]);

const wide = { maxDelayMs: 1_000, maxChars: 1_000 };

describe("the coalescer", () => {
  it("merges neighbouring deltas and passes everything else at once", () => {
    const log = logOf(1, ...opening, text("Hel"), text("lo "), text("you"), {
      type: "closeMessage",
      messageId: m,
    });
    expect(outline(coalesced(log, wide))).toEqual([
      ["run.started", 1, 1],
      ["message.opened", 2, 2],
      ["text.delta", 3, 5, "Hello you"],
      ["text.closed", 6, 6, "Hello you"],
      ["message.closed", 7, 7],
    ]);
  });

  it("merges each of two interleaved calls and says up to where nothing is missing", () => {
    const log = logOf(
      1,
      ...opening,
      openCall(a),
      openCall(b),
      ...[input(a, "1"), input(b, "x"), input(a, "2"), input(b, "y")],
    );
    expect(outline(coalesced(log, wide)).slice(4)).toEqual([
      ["call.input.delta", 5, 5, "12"],
      ["call.input.delta", 6, 8, "xy"],
    ]);
  });

  it("lets a reader that was cut between two merged deltas continue without loss", () => {
    const log = logOf(
      1,
      ...opening,
      openCall(a),
      openCall(b),
      ...[input(a, "1"), input(b, "x"), input(a, "2"), input(b, "y"), input(a, "3")],
    );
    const merged = coalesced(log, wide);
    const whole = log.reduce(evolve, initialState);
    for (let cut = 0; cut <= merged.length; cut += 1) {
      const before = merged.slice(0, cut).reduce(evolve, initialState);
      const after = log.filter((event) => event.seq > before.seq).reduce(evolve, before);
      expect(after).toEqual(whole);
    }
  });

  it("lets go when the oldest held text is too old, by the events' own times", () => {
    const log = logOf(20, ...opening, text("a"), text("b"), text("c"), text("d"));
    const limits = { maxDelayMs: 33, maxChars: 1_000 };
    expect(outline(coalesced(log, limits)).slice(2)).toEqual([
      ["text.delta", 3, 5, "abc"],
      ["text.delta", 6, 6, "d"],
    ]);
  });

  it("lets go when the held text is long enough", () => {
    const log = logOf(1, ...opening, text("aaaa"), text("bbbb"), text("c"));
    const limits = { maxDelayMs: 1_000, maxChars: 8 };
    expect(outline(coalesced(log, limits)).slice(2)).toEqual([
      ["text.delta", 3, 4, "aaaabbbb"],
      ["text.delta", 5, 5, "c"],
    ]);
  });

  it("never merges over a hole in the log", () => {
    const log = logOf(1, ...opening, text("a"), text("b"), text("c"));
    const holed = log.filter((event) => event.seq !== 4);
    expect(outline(coalesced(holed, wide)).slice(2)).toEqual([
      ["text.delta", 3, 3, "a"],
      ["text.delta", 5, 5, "c"],
    ]);
  });

  it("never merges over a missing event, also where the text itself has no hole", () => {
    const log = logOf(
      1,
      ...opening,
      openCall(a),
      openCall(b),
      ...[input(a, "1"), input(b, "x"), input(a, "2")],
    );
    const holed = log.filter((event) => event.seq !== 6);
    expect(outline(coalesced(holed, wide)).slice(4)).toEqual([
      ["call.input.delta", 5, 5, "1"],
      ["call.input.delta", 7, 7, "2"],
    ]);
  });

  it("never merges text that does not start where the text before it ends", () => {
    const log = logOf(1, ...opening, text("ab"), text("cd"));
    const broken = log.map((event) =>
      event.seq === 4 && event.type === "text.delta" ? { ...event, offset: 7 } : event,
    );
    expect(outline(coalesced(broken, wide)).slice(2)).toEqual([
      ["text.delta", 3, 3, "ab"],
      ["text.delta", 4, 4, "cd"],
    ]);
  });

  it("merges streamed output and what was merged before", () => {
    const log = logOf(
      1,
      ...opening,
      openCall(a),
      { type: "closeInput", callId: a },
      { type: "startCall", callId: a },
      { type: "progressCall", callId: a, progress: { type: "output", text: "one\n" } },
      { type: "progressCall", callId: a, progress: { type: "output", text: "two\n" } },
      { type: "progressCall", callId: a, progress: { type: "output", text: "three\n" } },
      { type: "closeCall", callId: a, outcome: "ok", output: "one\ntwo\nthree\n" },
    );
    const once = coalesced(log, { maxDelayMs: 1_000, maxChars: 8 });
    const twice = coalesced(once, wide);
    expect(twice.map((event) => event.seq)).toEqual([1, 2, 3, 4, 5, 8, 9]);
    expect(twice.reduce(evolve, initialState)).toEqual(log.reduce(evolve, initialState));
  });

  it("tells since when it holds text", () => {
    const log = logOf(10, ...opening, text("a"), text("b"));
    const coalescer = createCoalescer(wide);
    for (const event of log) coalescer.push(event);
    expect(coalescer.heldSince).toBe(1_030);
    coalescer.flush();
    expect(coalescer.heldSince).toBeUndefined();
  });
});
