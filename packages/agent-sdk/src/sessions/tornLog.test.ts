/** A log that ends anywhere is repaired to whole batches, and everything that was open is closed. */
import { mkdir, readFile, stat, writeFile } from "node:fs/promises";
import { evolve, initialState, type RunEvent, type RunState, runId } from "@callboard/run-log";
import { checkStream } from "@callboard/run-log/checker";
import { arbitraryLife, searchCount } from "@callboard/testkit";
import fc from "fast-check";
import { afterEach, beforeEach, expect, it } from "vitest";
import { batchLinesOf } from "./batchLines.js";
import { interruptionOf } from "./interruption.js";
import { createTestHome, type TestHome } from "./testing/testHome.js";
import { batchesOf } from "./testing/testSession.js";

let home: TestHome;
beforeEach(async () => {
  home = await createTestHome({ flush: "never" });
});
afterEach(() => home.remove());

async function lay(sessionId: string, bytes: Uint8Array): Promise<void> {
  await mkdir(home.path(sessionId, "."), { recursive: true });
  await writeFile(home.path(sessionId), bytes);
}

function foldOf(events: readonly RunEvent[]): RunState {
  return events.reduce(evolve, initialState);
}

/** The events of the batches that a cut at `size` bytes leaves whole; the last newline may be missing. */
function wholeAt(batches: readonly (readonly RunEvent[])[], size: number): readonly RunEvent[] {
  let end = 0;
  const whole: RunEvent[] = [];
  for (const batch of batches) {
    end += Buffer.byteLength(batchLinesOf(batch).text);
    if (end - 1 > size) break;
    whole.push(...batch);
  }
  return whole;
}

/** Opens what a cut left, twice, and checks every run in it. */
async function checkCut(
  sessionId: string,
  batches: readonly (readonly RunEvent[])[],
  size: number,
): Promise<void> {
  const bytes = Buffer.from(batches.map((batch) => batchLinesOf(batch).text).join(""));
  await lay(sessionId, bytes.subarray(0, size));
  const whole = wholeAt(batches, size);
  const log = await home.store.open(sessionId);
  const runIds = [...new Set(whole.map((event) => event.runId))];
  expect(await log.runIds()).toEqual(runIds);
  for (const id of runIds) {
    const kept = whole.filter((event) => event.runId === id);
    const events = await log.read(id, { after: 0 });
    expect(events.slice(0, kept.length)).toEqual(kept);
    const state = foldOf(events);
    expect([state.status, state.faultCount, state.seq]).toEqual(["closed", 0, events.length]);
    const at = Math.max(1_800_000_000_000, kept.at(-1)?.at ?? 0);
    expect(events.slice(kept.length)).toEqual(interruptionOf(foldOf(kept), at));
  }
  await log.close();
}

async function sizeOf(sessionId: string): Promise<number> {
  return (await stat(home.path(sessionId))).size;
}

it("is whole after a cut at any byte", { timeout: 240_000 }, async () => {
  const batches = [...batchesOf(runId("run_1"), 1), ...batchesOf(runId("run_2"), 1).slice(0, 1)];
  const size = Buffer.byteLength(batches.map((batch) => batchLinesOf(batch).text).join(""));
  expect(size).toBeGreaterThan(2_000);
  // Steps that no line is a multiple of: every kind of place is met, in a full search every byte.
  const step = Math.ceil(size / searchCount(size));
  for (let cut = 0; cut <= size; cut += step) await checkCut("cut", batches, cut);
});

it("is whole after a cut anywhere in any life, in any batches, between any runs", async () => {
  const share = fc.double({ min: 0, max: 1, noNaN: true });
  let count = 0;
  await fc.assert(
    fc.asyncProperty(
      fc.array(arbitraryLife, { minLength: 1, maxLength: 3 }),
      fc.array(fc.integer({ min: 1, max: 9 }), { minLength: 1, maxLength: 8 }),
      share,
      async (lives, sizes, cut) => {
        const lists = lives.map(({ log }, at) =>
          splitBy(
            log.map((event) => ({ ...event, runId: runId(`run_${at}`) })),
            sizes,
          ),
        );
        const batches = interleaved(lists);
        const bytes = Buffer.byteLength(batches.map((batch) => batchLinesOf(batch).text).join(""));
        count += 1;
        await checkCut(`life-${count}`, batches, Math.round(cut * bytes));
        const settled = await sizeOf(`life-${count}`);
        await (await home.store.open(`life-${count}`)).close();
        expect(await sizeOf(`life-${count}`)).toBe(settled);
      },
    ),
    { numRuns: searchCount(150) },
  );
});

function splitBy(
  log: readonly RunEvent[],
  sizes: readonly number[],
): readonly (readonly RunEvent[])[] {
  const batches: RunEvent[][] = [];
  for (let from = 0; from < log.length; ) {
    const size = sizes[batches.length % sizes.length] ?? 1;
    batches.push(log.slice(from, from + size));
    from += size;
  }
  return batches;
}

function interleaved<T>(lists: readonly (readonly T[])[]): readonly T[] {
  const longest = Math.max(...lists.map((list) => list.length));
  return Array.from({ length: longest }, (_, at) =>
    lists.flatMap((list) => list.slice(at, at + 1)),
  ).flat();
}

it("continues behind a batch that lacked nothing but its newline", async () => {
  const one = runId("run_1");
  const batches = batchesOf(one, 1);
  const text = batches.map((batch) => batchLinesOf(batch).text).join("");
  await lay("newline", Buffer.from(text.slice(0, -1)));
  const log = await home.store.open("newline");
  expect(home.heard).toEqual([]);
  // More than is held in memory, so that reading goes by the places in the file.
  const two = batchesOf(runId("run_2"), 200);
  for (const batch of two) await log.append(runId("run_2"), (batch[0]?.seq ?? 1) - 1, batch);
  expect(await log.read(one, { after: 0 })).toEqual(batches.flat());
  expect(await log.read(runId("run_2"), { after: 0 })).toEqual(two.flat());
  await log.close();
});

it("says how much it took back", async () => {
  const batches = batchesOf(runId("run_1"), 1);
  const bytes = Buffer.from(batches.map((batch) => batchLinesOf(batch).text).join(""));
  await lay("said", bytes.subarray(0, bytes.length - 10));
  await (await home.store.open("said")).close();
  expect(home.heard.map(({ level, message }) => `${level}: ${message}`)).toEqual([
    "warn: Removed an incomplete write at the end of the session log, left by a crash.",
    "info: a run that its process left open was closed as interrupted",
  ]);
});

it("loses zeros that a file system left behind the last write", async () => {
  const batches = batchesOf(runId("run_1"), 1);
  const text = batches.map((batch) => batchLinesOf(batch).text).join("");
  await lay("zeros", Buffer.concat([Buffer.from(text), Buffer.alloc(5_000)]));
  await (await home.store.open("zeros")).close();
  expect(await readFile(home.path("zeros"), "utf8")).toBe(text);
});

it("stays a plain list of events that the checker finds nothing wrong with", async () => {
  const log = await home.store.open("plain");
  for (const batch of batchesOf(runId("run_1"), 3)) {
    await log.append(runId("run_1"), (batch[0]?.seq ?? 1) - 1, batch);
  }
  await log.close();
  const text = await readFile(home.path("plain"), "utf8");
  expect(checkStream(text).findings).toEqual([]);
  expect(text.split("\n").filter((line) => line.startsWith(" ")).length).toBeGreaterThan(3);
});
