/** What a closing still has to tell depends on what the deltas told. */
import { describe, expect, it } from "vitest";
import { messageId, partId, runId } from "./ids.js";
import { isClosing, isReasoning, type Told, toldAfter } from "./told.js";

const part = { v: 1, runId: runId("r"), seq: 1, at: 0, messageId: messageId("m") } as const;
const p = partId("p");
const q = partId("q");
const nothing: Told = new Map();

function delta(id: typeof p, offset: number, text: string) {
  return { ...part, type: "text.delta", partId: id, offset, text } as const;
}

function closing(id: typeof p, text: string) {
  return { ...part, type: "text.closed", partId: id, text, startedAt: 0 } as const;
}

describe("toldAfter", () => {
  it("tells every delta, and nothing at the closing", () => {
    const first = toldAfter(nothing, delta(p, 0, "Hel"));
    const second = toldAfter(first.told, delta(p, 3, "lo"));
    const last = toldAfter(second.told, closing(p, "Hello"));
    expect([first.chunk, second.chunk, last.chunk]).toEqual(["Hel", "lo", ""]);
    expect([...second.told]).toEqual([[p, 5]]);
    expect([...last.told]).toEqual([]);
  });

  it("tells the whole text at a closing without deltas", () => {
    expect(toldAfter(nothing, closing(p, "Hello"))).toEqual({ told: new Map(), chunk: "Hello" });
  });

  it("tells the rest at a closing whose last deltas are missing", () => {
    const { told } = toldAfter(nothing, delta(p, 0, "Hel"));
    expect(toldAfter(told, closing(p, "Hello")).chunk).toBe("lo");
  });

  it("counts each part for itself", () => {
    const first = toldAfter(nothing, delta(p, 0, "one"));
    const second = toldAfter(first.told, delta(q, 0, "fourth"));
    expect([...second.told]).toEqual([
      [p, 3],
      [q, 6],
    ]);
    const closed = toldAfter(second.told, closing(p, "one more"));
    expect(closed.chunk).toBe(" more");
    expect([...closed.told]).toEqual([[q, 6]]);
  });

  it("leaves what it was given unchanged", () => {
    const { told } = toldAfter(nothing, delta(p, 0, "Hel"));
    toldAfter(told, delta(p, 3, "lo"));
    toldAfter(told, closing(p, "Hello"));
    expect([...told]).toEqual([[p, 3]]);
    expect(nothing.size).toBe(0);
  });
});

it("knows closings and reasoning by their type", () => {
  const thought = { ...delta(p, 0, "Hm"), type: "reasoning.delta" } as const;
  const thoughtEnd = { ...closing(p, "Hm"), type: "reasoning.closed" } as const;
  const events = [delta(p, 0, "a"), closing(p, "a"), thought, thoughtEnd];
  expect(events.map(isClosing)).toEqual([false, true, false, true]);
  expect(events.map(isReasoning)).toEqual([false, false, true, true]);
});
