/** The persistent map: held against a plain one, with its old versions watched and its cost counted. */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { createLedger, entryOf, type Ledger, withOpen, withSettled } from "./ledger.js";

const keys = fc.integer({ min: 0, max: 12 });
const moves = fc.array(fc.tuple(fc.constantFrom("open", "settle"), keys), { maxLength: 120 });

interface Model {
  readonly open: Map<number, string>;
  readonly settled: Map<number, string>;
}

function expectEqual(ledger: Ledger<number, string>, model: Model): void {
  expect([...ledger.open]).toEqual([...model.open]);
  expect(ledger.size).toBe(model.open.size + model.settled.size);
  for (let key = 0; key <= 12; key += 1) {
    expect(entryOf(ledger, key)).toBe(model.open.get(key) ?? model.settled.get(key));
  }
}

/** How many entries the settled generations of a ledger hold in maps that another one does not share. */
function copiedBetween(before: Ledger<number, string>, after: Ledger<number, string>): number {
  return after.settled
    .filter((generation) => !before.settled.includes(generation))
    .reduce((count, generation) => count + generation.size, 0);
}

describe("a ledger", () => {
  it("does what a plain map does, and keeps every old version as it was", () => {
    fc.assert(
      fc.property(moves, (steps) => {
        let ledger = createLedger<number, string>();
        let model: Model = { open: new Map(), settled: new Map() };
        const versions = [{ ledger, model }];
        for (const [index, [move, key]] of steps.entries()) {
          if (model.settled.has(key)) continue;
          const value = `${move} ${index}`;
          model = { open: new Map(model.open), settled: new Map(model.settled) };
          if (move === "open") {
            ledger = withOpen(ledger, key, value);
            model.open.set(key, value);
          } else {
            ledger = withSettled(ledger, key, value);
            model.open.delete(key);
            model.settled.set(key, value);
          }
          versions.push({ ledger, model });
        }
        for (const version of versions) expectEqual(version.ledger, version.model);
      }),
    );
  });

  it("keeps the order of opening when an open entry changes", () => {
    let ledger = createLedger<number, string>();
    for (const key of [3, 1, 2]) ledger = withOpen(ledger, key, "new");
    ledger = withOpen(ledger, 3, "changed");
    expect([...ledger.open]).toEqual([
      [3, "changed"],
      [1, "new"],
      [2, "new"],
    ]);
  });

  it("keeps its generations at least twice as large as the next", () => {
    let ledger = createLedger<number, string>();
    for (let key = 0; key < 1_000; key += 1) {
      ledger = withSettled(ledger, key, "x");
      const sizes = ledger.settled.map((generation) => generation.size);
      for (const [index, size] of sizes.entries()) {
        expect(size).toBeGreaterThanOrEqual(2 * (sizes[index + 1] ?? 0));
      }
    }
    expect(ledger.settled.length).toBeLessThanOrEqual(10);
  });

  it("copies no more than log n entries for each settling, on average", () => {
    const count = 4_096;
    let ledger = createLedger<number, string>();
    let copied = 0;
    for (let key = 0; key < count; key += 1) {
      const next = withSettled(withOpen(ledger, key, "open"), key, "settled");
      copied += copiedBetween(ledger, next);
      ledger = next;
    }
    expect(copied / count).toBeLessThanOrEqual(Math.log2(count) + 1);
  });

  it("touches no settled entry when an open one changes", () => {
    let ledger = createLedger<number, string>();
    for (let key = 0; key < 100; key += 1) ledger = withSettled(ledger, key, "x");
    const changed = withOpen(ledger, 200, "open");
    expect(changed.settled).toBe(ledger.settled);
  });
});
