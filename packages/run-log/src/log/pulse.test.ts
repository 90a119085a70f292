/** What passes at once, what waits for the pulse, and in how many pieces it is released. */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { type Appending, appendKeyOf, appendTextOf } from "./appending.js";
import { callId, messageId, partId } from "./ids.js";
import { createPulse } from "./pulse.js";

const text = (part: string, piece: string): Appending => ({
  ...{ type: "appendText", messageId: messageId("m"), partId: partId(part), text: piece },
});
const output = (call: string, piece: string): Appending => ({
  ...{ type: "progressCall", callId: callId(call), progress: { type: "output", text: piece } },
});

describe("a pulse", () => {
  it("lets the first piece pass and joins what follows within it", () => {
    const pulse = createPulse(33);
    expect(pulse.holds(text("p", "He"), 0)).toBe(false);
    expect(pulse.dueAt).toBeUndefined();
    expect(pulse.holds(text("p", "ll"), 10)).toBe(true);
    expect(pulse.holds(text("p", "o"), 32)).toBe(true);
    expect(pulse.dueAt).toBe(33);
    expect(pulse.release(33)).toEqual([text("p", "llo")]);
    expect(pulse.dueAt).toBeUndefined();
    expect(pulse.release(33)).toEqual([]);
  });

  it("counts from the last release, and lets a piece after a silence pass at once", () => {
    const pulse = createPulse(33);
    pulse.holds(text("p", "a"), 0);
    pulse.holds(text("p", "b"), 5);
    pulse.release(20);
    expect(pulse.holds(text("p", "c"), 52)).toBe(true);
    expect(pulse.dueAt).toBe(53);
    pulse.release(53);
    expect(pulse.holds(text("p", "d"), 86)).toBe(false);
  });

  it("keeps every text by itself, and releases all of them together", () => {
    const pulse = createPulse(33);
    pulse.holds(text("p", "a"), 0);
    pulse.holds(output("c", "1"), 10);
    expect(pulse.holds(output("c", "2"), 11)).toBe(true);
    expect(pulse.holds(text("p", "b"), 12)).toBe(true);
    expect(pulse.dueAt).toBe(33);
    expect(pulse.release(33)).toEqual([text("p", "b"), output("c", "2")]);
  });

  it("counts from the piece that started a text, also where another has its name", () => {
    const pulse = createPulse(33);
    pulse.began(text("p", "a"), 0);
    expect(pulse.holds(text("p", "b"), 1)).toBe(true);
    expect(pulse.release(1)).toEqual([text("p", "b")]);
    pulse.began(text("p", "c"), 40);
    expect(pulse.holds(text("p", "d"), 72)).toBe(true);
    expect(pulse.dueAt).toBe(73);
  });

  it("holds nothing where it is 0", () => {
    const pulse = createPulse(0);
    pulse.began(text("p", ""), 0);
    expect(pulse.holds(text("p", "a"), 0)).toBe(false);
    expect(pulse.holds(text("p", "b"), 0)).toBe(false);
    expect(pulse.release(0)).toEqual([]);
  });

  it("lets text pass when the clock was set back", () => {
    const pulse = createPulse(33);
    pulse.holds(text("p", "a"), 3_600_000);
    expect(pulse.holds(text("p", "b"), 0)).toBe(false);
  });

  it("loses nothing, keeps the order of every text, and passes at most one piece in a pulse", () => {
    const pieces = fc.array(
      fc.record({ part: fc.constantFrom("p", "q"), piece: fc.string(), wait: fc.nat(50) }),
      { maxLength: 60 },
    );
    fc.assert(
      fc.property(pieces, (given) => {
        const pulse = createPulse(33);
        const passed: { readonly key: string; readonly text: string; readonly at: number }[] = [];
        const pass = (append: Appending, at: number): void => {
          passed.push({ key: appendKeyOf(append), text: appendTextOf(append), at });
        };
        let now = 0;
        for (const { part, piece, wait } of given) {
          const until = now + wait;
          if (pulse.dueAt !== undefined && pulse.dueAt <= until) {
            const at = pulse.dueAt;
            for (const append of pulse.release(at)) pass(append, at);
          }
          now = until;
          if (!pulse.holds(text(part, piece), now)) pass(text(part, piece), now);
        }
        for (const append of pulse.release(now)) pass(append, now);
        for (const part of ["p", "q"]) {
          const key = appendKeyOf(text(part, ""));
          const own = passed.filter((one) => one.key === key);
          const whole = given.filter((one) => one.part === part).map(({ piece }) => piece);
          expect(own.map((one) => one.text).join("")).toBe(whole.join(""));
          const span = (own.at(-1)?.at ?? 0) - (own[0]?.at ?? 0);
          expect(own.length).toBeLessThanOrEqual(3 + (2 * span) / 33);
        }
      }),
    );
  });
});
