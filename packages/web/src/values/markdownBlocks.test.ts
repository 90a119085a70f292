/** Blocks of markdown that grows. */
import fc from "fast-check";
import { expect, it } from "vitest";
import { createBlockSplitter } from "./markdownBlocks.js";

const text = "# One\n\nTwo\nthree\n\n```ts\ncode\n\nmore\n```\n\nfour";

it("end at blank lines, but not inside a fence", () => {
  expect(createBlockSplitter().blocksOf(text)).toEqual([
    "# One\n\n",
    "Two\nthree\n\n",
    "```ts\ncode\n\nmore\n```\n\n",
    "four",
  ]);
});

it("are the same however the text came, and those that stand stay", () => {
  const whole = createBlockSplitter().blocksOf(text);
  fc.assert(
    fc.property(fc.array(fc.integer({ min: 0, max: text.length })), (cuts) => {
      const splitter = createBlockSplitter();
      for (const cut of cuts.toSorted((one, other) => one - other)) {
        splitter.blocksOf(text.slice(0, cut));
      }
      expect(splitter.blocksOf(text)).toEqual(whole);
    }),
  );
});
