/** What a closing still has to tell depends on what the deltas told. */
import { describe, expect, it } from "vitest";
import type { RunEvent } from "./events/index.js";
import { admit, evolve } from "./evolve.js";
import { conversationId, messageId, partId, runId } from "./ids.js";
import { initialState } from "./state.js";
import { isClosing, isReasoning, isTextEvent, newTextOf, type TextEvent } from "./textEvents.js";

const run = { v: 1, runId: runId("r"), at: 0 } as const;
const message = messageId("m");
const p = partId("p");

const opening: readonly RunEvent[] = [
  { ...run, seq: 1, type: "run.started", conversationId: conversationId("c"), model: "test" },
  { ...run, seq: 2, type: "message.opened", messageId: message, role: "assistant" },
];

function delta(seq: number, offset: number, text: string, id = p) {
  return { ...run, seq, messageId: message, type: "text.delta", partId: id, offset, text } as const;
}

function closing(seq: number, text: string, id = p) {
  const part = { messageId: message, partId: id, text, startedAt: 0 };
  return { ...run, seq, type: "text.closed", ...part } as const;
}

/** What each text event of a log adds, as the rules admit it. */
function toldIn(...log: readonly TextEvent[]): readonly string[] {
  let state = opening.reduce(evolve, initialState);
  return log.map((event) => {
    const before = state;
    const admission = admit(before, event);
    state = admission.state;
    const admitted = admission.event;
    return admitted && isTextEvent(admitted) ? newTextOf(admitted, before) : "";
  });
}

describe("newTextOf", () => {
  it("is every delta, and nothing at the closing", () => {
    expect(toldIn(delta(3, 0, "Hel"), delta(4, 3, "lo"), closing(5, "Hello"))).toEqual([
      "Hel",
      "lo",
      "",
    ]);
  });

  it("is the whole text at a closing without deltas", () => {
    expect(toldIn(closing(3, "Hello"))).toEqual(["Hello"]);
  });

  it("is the rest at a closing whose last deltas are missing", () => {
    expect(toldIn(delta(3, 0, "Hel"), closing(4, "Hello"))).toEqual(["Hel", "lo"]);
  });

  it("is only what is new of a delta that overlaps", () => {
    expect(toldIn(delta(3, 0, "Hel"), delta(4, 1, "ello"), closing(5, "Hello!"))).toEqual([
      "Hel",
      "lo",
      "!",
    ]);
  });

  it("is nothing at a closing that contradicts its deltas", () => {
    expect(toldIn(delta(3, 0, "Hel"), closing(4, "Goodbye"))).toEqual(["Hel", ""]);
  });

  it("counts each part for itself", () => {
    const q = partId("q");
    expect(
      toldIn(
        delta(3, 0, "one"),
        closing(4, "one more"),
        delta(5, 0, "two", q),
        closing(6, "two", q),
      ),
    ).toEqual(["one", " more", "two", ""]);
  });
});

it("knows closings and reasoning by their type", () => {
  const thought = { ...delta(1, 0, "Hm"), type: "reasoning.delta" } as const;
  const thoughtEnd = { ...closing(2, "Hm"), type: "reasoning.closed" } as const;
  const events = [delta(1, 0, "a"), closing(2, "a"), thought, thoughtEnd];
  expect(events.map(isClosing)).toEqual([false, true, false, true]);
  expect(events.map(isReasoning)).toEqual([false, false, true, true]);
  expect([...events, ...opening].map(isTextEvent)).toEqual([true, true, true, true, false, false]);
});
