import { expect, it } from "vitest";
import { createFakeClock } from "../system/fakeClock.js";
import { createRunTime } from "./runTime.js";

it("counts the time of a run as it passes, whatever the machine's clock is set to", async () => {
  const clock = createFakeClock();
  const time = createRunTime(clock, 1_000);
  const isReached = time.reached(10_000, new AbortController().signal).then(() => true);
  clock.setBy(-3_600_000);
  await clock.advance(4_000);
  expect(time.elapsedMs()).toBe(5_000);
  clock.setBy(7_200_000);
  expect(time.elapsedMs()).toBe(5_000);
  await clock.advance(5_000);
  expect(await isReached).toBe(true);
});
