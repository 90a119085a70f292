import { expect, test } from "vitest";
import { createFakeClock } from "./fakeClock.js";
import { systemClock } from "./systemClock.js";

test("sleepers wake in the order of their hours, and see their own hour", async () => {
  const clock = createFakeClock(0);
  const woke: string[] = [];
  const sleep = async (name: string, milliseconds: number) => {
    await clock.sleep(milliseconds);
    woke.push(`${name} ${clock.now()}`);
  };
  const all = [sleep("b", 20), sleep("a", 10), sleep("c", 30)];
  expect(clock.sleeping()).toStrictEqual([20, 10, 30]);
  await clock.advance(25);
  expect(woke).toStrictEqual(["a 10", "b 20"]);
  expect(clock.now()).toBe(25);
  await clock.advance(5);
  await Promise.all(all);
  expect(woke).toStrictEqual(["a 10", "b 20", "c 30"]);
});

test("an abort wakes at once; who waits for a sleeper is told its length", async () => {
  const clock = createFakeClock();
  const controller = new AbortController();
  const told = clock.untilAsleep(7);
  const slept = clock.sleep(7, controller.signal);
  expect(await told).toBe(7);
  controller.abort();
  await slept;
  expect(clock.sleeping()).toStrictEqual([]);
  await clock.sleep(7, controller.signal);
});

test("the real clock ends a sleep with its signal and leaves no timer behind", async () => {
  const controller = new AbortController();
  const slept = systemClock.sleep(Number.POSITIVE_INFINITY, controller.signal);
  controller.abort();
  await slept;
  await systemClock.sleep(1e9, controller.signal);
  await systemClock.sleep(-1);
  expect(Math.abs(systemClock.now() - Date.now())).toBeLessThan(1000);
});
