/**
 * Nothing is lost and nothing is repeated: any life, in any format, over any number of connections
 * that are cut anywhere, in pieces of any size, with deltas merged differently each time.
 */
import type { RunEvent } from "@callboard/run-log";
import { arbitraryLife, createRandom, lives, type Random, searchCount } from "@callboard/testkit";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { createRunFold } from "./board/runFold.js";
import { createClient } from "./client.js";
import { createFakeServer, type Weather } from "./testing/fakeServer.js";
import { eventLines, settledTranscript } from "./testing/renderings.js";
import { isNotice } from "./wire/logReading.js";

/** Connections that are cut after a while; the last ones hold. */
function badWeather(random: Random, cuts: number): () => Weather {
  let left = cuts;
  return () => {
    left -= 1;
    const merges = () => random.next() < 0.5;
    const framing = random.next() < 0.5 ? ("sse" as const) : ("ndjson" as const);
    const pieces = [1, 7, 60, 500, 4_000].map((most) => 1 + random.int(most));
    if (left < 0) return { merges, framing, pieces };
    const cutAfter = 1 + random.int(2_500);
    return { merges, framing, pieces, cutAfter, isQuietCut: random.next() < 0.5 };
  };
}

function stageFor(log: readonly RunEvent[], random: Random) {
  const server = createFakeServer({ weather: badWeather(random, 1 + random.int(6)) });
  server.append(...log);
  const clock = { now: () => 0, monotonic: () => 0, sleep: () => Promise.resolve() };
  // The watchdog must not bark in a time that stands still.
  const client = createClient({ fetch: server.fetch, clock, silenceMs: 1 });
  return { server, client };
}

async function readEvents(
  log: readonly RunEvent[],
  seed: number,
  toolEvents: "v2" | "legacy" | "both",
): Promise<readonly object[]> {
  const { client } = stageFor(log, createRandom(seed));
  const lines: object[] = [];
  const options = { toolEvents, streamArguments: true };
  for await (const item of client.events(log[0]?.runId ?? "", options)) {
    if (!isNotice(item)) lines.push(item);
  }
  return lines;
}

const closed = (log: readonly RunEvent[]): boolean => log.at(-1)?.type === "run.closed";

describe.each(["v2", "legacy", "both"] as const)("lines with %s tool events", (toolEvents) => {
  it.each(lives)("of $name are the same after cuts", async ({ log }) => {
    const whole = eventLines(log, { toolEvents, streamArguments: true }).map(({ value }) => value);
    for (let seed = 1; seed <= searchCount(3); seed += 1) {
      const read = await readEvents(log, seed, toolEvents);
      expect(settledTranscript(read)).toEqual(settledTranscript(whole));
    }
  });

  it("of any life are the same after any cuts", async () => {
    const life = arbitraryLife.filter(({ log }) => closed(log));
    await fc.assert(
      fc.asyncProperty(life, fc.integer(), async ({ log }, seed) => {
        const whole = eventLines(log, { toolEvents, streamArguments: true });
        const read = await readEvents(log, seed, toolEvents);
        expect(settledTranscript(read)).toEqual(settledTranscript(whole.map(({ value }) => value)));
      }),
      { numRuns: searchCount(60) },
    );
  });
});

describe("the log", () => {
  const foldOf = (log: readonly RunEvent[]) => {
    const fold = createRunFold(log[0]?.runId ?? "");
    for (const event of log) fold.push(event);
    return { view: fold.view, messages: fold.messages, calls: [...fold.calls], seq: fold.seq };
  };

  async function readLog(log: readonly RunEvent[], seed: number): Promise<readonly RunEvent[]> {
    const { client } = stageFor(log, createRandom(seed));
    const events: RunEvent[] = [];
    for await (const item of client.log(log[0]?.runId ?? ""))
      if (!isNotice(item)) events.push(item);
    return events;
  }

  it.each(lives)("of $name folds to the same after cuts", async ({ log }) => {
    for (let seed = 1; seed <= searchCount(3); seed += 1) {
      const read = await readLog(log, seed);
      expect(foldOf(read)).toEqual(foldOf(log));
      const seqs = read.map(({ seq }) => seq);
      expect(seqs).toEqual([...new Set(seqs)].toSorted((one, other) => one - other));
    }
  });

  it("of any life folds to the same after any cuts", async () => {
    const life = arbitraryLife.filter(({ log }) => closed(log));
    await fc.assert(
      fc.asyncProperty(life, fc.integer(), async ({ log }, seed) => {
        expect(foldOf(await readLog(log, seed))).toEqual(foldOf(log));
      }),
      { numRuns: searchCount(100) },
    );
  });
});
