/** When a run is parked: not while anything in it works, is held, or has its answer already. */
import { describe, expect, it } from "vitest";
import { createFakeClock } from "../system/fakeClock.js";
import type { Wait } from "../types/wait.js";
import { ParkedError } from "../utils/parkedError.js";
import { createParking } from "./parking.js";

function waitFor() {
  let isAnswered = false;
  let answer: (value: string) => void = () => undefined;
  const log: string[] = [];
  const answered = new Promise<string>((resolve) => {
    answer = (value) => {
      isAnswered = true;
      resolve(value);
    };
  });
  const wait: Wait<string> = {
    answered,
    isAnswered: () => isAnswered,
    withdraw: () => void log.push("withdrawn"),
  };
  return { wait, log, answer: (value: string) => answer(value) };
}

function created(afterMs: number | undefined) {
  const clock = createFakeClock();
  let parked = 0;
  const park = (): boolean => {
    parked += 1;
    return true;
  };
  return { clock, parking: createParking({ clock, afterMs, park }), parked: () => parked };
}

const outcomeOf = (work: Promise<unknown>): Promise<unknown> =>
  work.catch((error: unknown) => (error instanceof ParkedError ? "parked" : error));

describe("a run in which everything waits", () => {
  it("is parked after its time, and whoever waits stops waiting", async () => {
    const { clock, parking, parked } = created(1_000);
    const { wait, log } = waitFor();
    const work = outcomeOf(parking.working(() => parking.waiting(wait)));
    await clock.advance(999);
    expect(parked()).toBe(0);
    await clock.advance(1);
    expect([await work, parked(), log]).toEqual(["parked", 1, ["withdrawn"]]);
  });

  it("is not parked while other work continues", async () => {
    const { clock, parking, parked } = created(1_000);
    const first = waitFor();
    const other = waitFor();
    const work = outcomeOf(parking.working(() => parking.waiting(first.wait)));
    const busy = parking.working(() => other.wait.answered);
    await clock.advance(5_000);
    expect([parked(), parking.parkNow()]).toEqual([0, false]);
    other.answer("over");
    await busy;
    await clock.advance(1_000);
    expect([await work, parked()]).toEqual(["parked", 1]);
  });

  it("is not parked while somebody holds it, nor once its answer is on its way", async () => {
    const { clock, parking, parked } = created(1_000);
    const { wait, answer, log } = waitFor();
    const letGo = parking.hold();
    const work = outcomeOf(parking.working(() => parking.waiting(wait)));
    await clock.advance(5_000);
    expect([parked(), parking.parkNow()]).toEqual([0, false]);
    answer("yes");
    letGo();
    letGo();
    expect(parking.parkNow()).toBe(false);
    expect([await work, parked(), log]).toEqual(["yes", 0, []]);
  });

  it("is parked at once where that is asked for, and never by itself without a time", async () => {
    const { clock, parking, parked } = created(undefined);
    const { wait } = waitFor();
    const work = outcomeOf(
      parking.working(() => parking.resting(() => parking.working(() => parking.waiting(wait)))),
    );
    await clock.advance(3_600_000);
    expect(parked()).toBe(0);
    expect([parking.parkNow(), parking.parkNow(), await work, parked()]).toEqual([
      true,
      true,
      "parked",
      1,
    ]);
  });
});
