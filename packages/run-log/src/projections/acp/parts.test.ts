/** The small parts of the ACP surface: windows on growing texts, diffs, base64, sameness. */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { isSameJson } from "../../values/sameJson.js";
import { acpTitle } from "./acpTitle.js";
import { base64Of } from "./base64.js";
import { diffItems } from "./content.js";
import {
  argumentWindow,
  grownBy,
  isDue,
  noText,
  outputLimits,
  shownNow,
  windowOf,
} from "./liveText.js";

describe("a growing text that can only be replaced", () => {
  it.each([1_000, 10_000, 100_000])("costs no more than it grows, at %i characters", (length) => {
    let live = noText;
    let carried = 0;
    for (let at = 0; at < length; at += 10) {
      live = grownBy(live, "0123456789", outputLimits.window, 0);
      if (!isDue(live, outputLimits, 0)) continue;
      carried += windowOf(live, outputLimits.window).length;
      live = shownNow(live, 0);
    }
    expect(carried).toBeLessThanOrEqual(length + 2 * outputLimits.window + 200);
    expect(live.tail.length).toBeLessThanOrEqual(2 * outputLimits.window);
  });

  it("is shown after a while, however little is new", () => {
    const live = shownNow(grownBy(noText, "x".repeat(5_000), 2_000, 0), 0);
    const more = grownBy(live, "y", 2_000, 100);
    expect([isDue(more, outputLimits, 4_999), isDue(more, outputLimits, 5_000)]).toEqual([
      false,
      true,
    ]);
  });

  it("is never cut inside a character, and shows arguments as they are meant", () => {
    const live = grownBy(noText, `${"x".repeat(10)}😀abc`, 4, 0);
    expect(windowOf(live, 4)).toBe("…abc");
    const text = grownBy(noText, '{"content":"a\\n\\"b\\u00e9\\u00', 200, 0);
    expect(argumentWindow(text, 200)).toBe('{"content":"a\n"bé');
  });
});

it("a diff of v1 holds the changed lines and three around them", () => {
  const before = Array.from({ length: 100 }, (_, index) => `line ${index}\n`);
  const after = before.with(50, "changed\n");
  const diff = { path: "/a", oldText: before.join(""), newText: after.join("") };
  expect(diffItems(diff, 1)).toEqual([
    {
      ...{ type: "diff", path: "/a" },
      oldText: before.slice(47, 54).join(""),
      newText: after.slice(47, 54).join(""),
    },
  ]);
});

it("a diff of v1 has an item for each place that changed", () => {
  const before = Array.from({ length: 5_000 }, (_, index) => `line ${index}\n`);
  const after = before.with(10, "one\n").with(4_990, "two\n");
  const items = diffItems({ path: "/a", oldText: before.join(""), newText: after.join("") }, 1);
  expect(items).toHaveLength(2);
  expect(JSON.stringify(items).length).toBeLessThan(600);
});

it("a title is true at every moment of the call, also where it is one word", () => {
  const titles = ["Running npm test", "Editing", "Runningshoes", "constructor", "toString it"];
  expect([...titles, "Delegating: a task"].map(acpTitle)).toEqual([
    ...["Run npm test", "Edit", "Runningshoes", "constructor", "toString it", "Delegate: a task"],
  ]);
});

it("base64 is what everybody else makes of it", () => {
  fc.assert(
    fc.property(fc.string({ unit: "grapheme" }), (text) => {
      expect(base64Of(text)).toBe(Buffer.from(text, "utf8").toString("base64"));
    }),
  );
});

it("two values are the same exactly when their JSON is, whatever the order of keys", () => {
  const value = fc.jsonValue({ maxDepth: 3 });
  fc.assert(
    fc.property(value, value, (left, right) => {
      const copy: unknown = JSON.parse(JSON.stringify(left));
      expect(isSameJson(left, copy)).toBe(true);
      const isEqual = JSON.stringify(sorted(left)) === JSON.stringify(sorted(right));
      expect(isSameJson(left, right)).toBe(isEqual);
    }),
  );
});

function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  if (typeof value !== "object" || value === null) return Object.is(value, -0) ? 0 : value;
  const entries = Object.entries(value).map(([key, item]) => [key, sorted(item)]);
  return Object.fromEntries(
    entries.sort(([left], [right]) => (String(left) < String(right) ? -1 : 1)),
  );
}
