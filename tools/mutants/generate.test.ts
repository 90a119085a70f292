import { describe, expect, it } from "vitest";
import { changesOf, sampled } from "./generate.js";

function mutantsOf(text: string): readonly string[] {
  return changesOf("a.ts", text).map(
    ({ operator, start, end, replacement }) =>
      `${operator}: ${text.slice(0, start)}${replacement}${text.slice(end)}`,
  );
}

describe("the bugs that are generated for a text", () => {
  it.each([
    [
      "if (a) b();",
      ["removed statement: ", "negated condition: if (!(a)) b();", "removed statement: if (a) ;"],
    ],
    ["x = a ? b : c", ["removed statement: ;", "negated condition: x = !(a) ? b : c"]],
    ["const x = a === b", ["swapped operator: const x = a !== b"]],
    [
      "const x = a <= 1",
      ["swapped operator: const x = a < 1", "changed literal: const x = a <= 2"],
    ],
    ["const x = a && !b", ["swapped operator: const x = a || !b"]],
    ['const x = "call.opened"', ['changed literal: const x = "call.opened_"']],
    ["const x = true", ["changed literal: const x = false"]],
    ["const x = [...a, b]", ["removed spread: const x = [...[], b]"]],
  ])("%s", (text, mutants) => {
    expect(mutantsOf(text)).toEqual(mutants);
  });

  it("leave alone what does nothing at run time", () => {
    expect(
      mutantsOf(
        'import { a } from "./a.js";\nexport * from "./b.js";\ntype T = "x" | 1;\ninterface I { readonly t: "x" }\nconst x: "y" | 1 = a;\nconst s = "a sentence with spaces";',
      ),
    ).toEqual([]);
  });
});

describe("a sample", () => {
  const items = Array.from({ length: 100 }, (_, index) => index);

  it("is the same for the same seed, in the order of the items, and another for another", () => {
    const sample = sampled(items, 10, 7);
    expect(sample).toEqual(sampled(items, 10, 7));
    expect(sample).toEqual(sample.toSorted((one, other) => one - other));
    expect(new Set(sample).size).toBe(10);
    expect(sampled(items, 10, 8)).not.toEqual(sample);
  });

  it("is everything where there is no more", () => {
    expect(sampled(items, 1_000, 1)).toEqual(items);
  });
});
