/** One test for each torture part that has a quick form. */
import { expect, it } from "vitest";
import { seedsUpTo, tortured } from "./run.js";
import type { TorturePart } from "./torturePart.js";

export function testQuickForms(parts: readonly TorturePart[]): void {
  it.each(parts.filter(({ quickCount }) => quickCount > 0))(
    "$name: $promise",
    async (part) => {
      const { failures, count } = await tortured(part, seedsUpTo(part.quickCount));
      expect(failures).toEqual([]);
      expect(count).toBe(part.quickCount);
    },
    // Parts that start processes wait for them, however busy the machine is.
    300_000,
  );
}
