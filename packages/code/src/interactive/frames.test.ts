import { describe, expect, it } from "vitest";
import { createFakeClock } from "../testing/fakeClock.js";
import { createFrames } from "./frames.js";

function stage(pause: () => number | undefined) {
  const clock = createFakeClock(0);
  const drawn: number[] = [];
  const frames = createFrames({ clock, pause, draw: () => drawn.push(clock.now()) });
  return { clock, drawn, frames };
}

describe("frames", () => {
  it("are drawn never while nothing changes, and once for many changes", async () => {
    const { clock, drawn, frames } = stage(() => undefined);
    await clock.advance(60_000);
    expect(drawn).toEqual([]);
    for (let change = 0; change < 100; change += 1) frames.request();
    await clock.advance(60_000);
    expect(drawn).toEqual([60_000]);
    frames.close();
  });

  it("are drawn regularly while something moves, and no more often than that", async () => {
    const { clock, drawn, frames } = stage(() => 100);
    await clock.advance(350);
    expect(drawn).toEqual([100, 230]);
    frames.close();
    await clock.advance(1_000);
    expect(drawn).toEqual([100, 230]);
  });

  it("keep a distance where changes come faster", async () => {
    const { clock, drawn, frames } = stage(() => undefined);
    for (let step = 0; step < 10; step += 1) {
      frames.request();
      await clock.advance(10);
    }
    expect(drawn).toEqual([0, 30, 60, 90]);
    frames.close();
  });
});
