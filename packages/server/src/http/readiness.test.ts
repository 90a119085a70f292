import { createFakeClock } from "@callboard/testkit";
import { expect, it } from "vitest";
import { createReadiness } from "./readiness.js";

it("asks once for many, keeps the answer for a moment, and says no where none comes", async () => {
  const clock = createFakeClock();
  const asked: { readonly answer: () => void; readonly fail: (error: Error) => void }[] = [];
  const ask = (): Promise<void> =>
    new Promise((answer, fail) => {
      asked.push({ answer, fail });
    });
  const isThere = createReadiness({ ask, clock });
  const both = Promise.all([isThere(), isThere()]);
  asked[0]?.answer();
  expect(await both).toEqual([true, true]);
  expect([await isThere(), asked.length]).toEqual([true, 1]);

  await clock.advance(1_000);
  const failing = isThere();
  asked[1]?.fail(new Error("gone"));
  expect([await failing, await isThere(), asked.length]).toEqual([false, false, 2]);

  await clock.advance(1_000);
  const silent = isThere();
  await clock.advance(2_000);
  expect(await silent).toBe(false);
  // The question is still under way: it is not asked twice.
  const again = isThere();
  asked[2]?.answer();
  expect([await again, asked.length]).toEqual([true, 3]);
  expect(clock.sleeping()).toEqual([]);
});
