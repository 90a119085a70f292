import { createFakeClock } from "@callboard/agent-sdk/testing";
import { expect, it } from "vitest";
import { FencedError } from "../errors.js";
import { leaseInTime } from "./renewal.js";

const runId = "00000000-0000-4000-8000-000000000001";

/** Takes a lease of 6 s whose answer comes after `answers[0]`, and its renewals after the others. */
async function renewals(answers: readonly number[], isOwner = true): Promise<number> {
  const clock = createFakeClock();
  const [first = 0, ...later] = answers;
  const since = clock.monotonic();
  let renewed = 0;
  await clock.advance(first);
  await leaseInTime({
    ...{ runId, leaseMs: 6_000, since, monotonic: clock.monotonic },
    async renew() {
      await clock.advance(later[renewed] ?? 0);
      renewed += 1;
      return isOwner;
    },
  });
  return renewed;
}

it("renews a lease whose taking was answered late, until an answer comes in time", async () => {
  expect(await renewals([2_000])).toBe(0);
  expect(await renewals([2_001])).toBe(1);
  expect(await renewals([5_000, 2_001, 3_000, 2_000])).toBe(3);
});

it("gives the run up when another node has it meanwhile", async () => {
  await expect(renewals([5_000], false)).rejects.toThrow(FencedError);
});
