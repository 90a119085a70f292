/** Streams of other agents while the store fails. */
import type { RunEvent } from "@callboard/run-log";
import type { SplitLine } from "@callboard/run-log/intake";
import { createFakeClock } from "@callboard/testkit";
import { expect, test } from "vitest";
import { quietLogger } from "../testing/place.js";
import type { ForeignRuns } from "./foreignRuns.js";
import { createIntakeStreams } from "./intakeStreams.js";

const user = { userId: "ada" };

const lines = [
  { type: "start" },
  { type: "text-delta", id: "t", text: "Hello." },
  { type: "finish" },
].map((value): SplitLine => ({ type: "line", text: JSON.stringify(value) }));

async function* sent(part: readonly SplitLine[]): AsyncGenerator<SplitLine> {
  yield* part;
}

test("a stream whose line could not be stored is taken again from its start", async () => {
  const stored: RunEvent[] = [];
  let fails = 0;
  const runs: ForeignRuns = {
    idOf: (id) => id,
    async take(taken) {
      if (taken.sessions.some(({ events }) => events.length > 0) && fails === 1) {
        fails = 2;
        throw new Error("the disk is full");
      }
      for (const { events } of taken.sessions) stored.push(...events);
    },
    release: async () => undefined,
    close: async () => undefined,
  };
  const streams = createIntakeStreams({
    runsOf: () => runs,
    clock: createFakeClock(),
    logger: quietLogger,
    redactLine: (text) => text,
  });
  const first = await streams.open(user, "aiSdk", "s");
  await first.take(0, sent(lines.slice(0, 1)));
  fails = 1;
  await expect(first.take(1, sent(lines.slice(1)))).rejects.toThrow("the disk is full");
  const again = await streams.open(user, "aiSdk", "s");
  expect(again.lines).toBe(0);
  stored.length = 0;
  await again.take(0, sent(lines));
  expect(again.lines).toBe(3);
  expect(stored.map(({ seq }) => seq)).toEqual(stored.map((_, at) => at + 1));
  expect(stored.flatMap((event) => (event.type === "text.closed" ? [event.text] : []))).toEqual([
    "Hello.",
  ]);
  await streams.close();
});
