/** A run that has ended comes to rest. Whenever its process dies on the way, nothing that was told is lost. */
import { existsSync } from "node:fs";
import { mkdir, readFile, writeFile } from "node:fs/promises";
import { formatEventLine, type RunEvent, runId } from "@callboard/run-log";
import { isDelta, parseRestedLine, restedLog } from "@callboard/run-log/writing";
import { lifeNamed } from "@callboard/testkit";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { SessionLog } from "../types/sessions.js";
import { batchLinesOf, restedLinesOf } from "./batchLines.js";
import { createLogIndex } from "./logIndex.js";
import { createLogRest } from "./logRest.js";
import { createTestHome, type TestHome } from "./testing/testHome.js";

let home: TestHome;
beforeEach(async () => {
  home = await createTestHome({ flush: "never" });
});
afterEach(() => home.remove());

const life = lifeNamed("shell-stream")?.log ?? lifeNamed("read-file")?.log ?? [];
const run = life[0]?.runId ?? runId("missing");
const deltas = life.filter(isDelta).length;

const linesOf = (events: readonly RunEvent[]): string => events.map(formatEventLine).join("");
const textIn = (id: string, name?: string): Promise<string> =>
  readFile(home.path(id, name), "utf8");
const tailOf = (id: string): string => home.path(id, "tail.jsonl");

async function appendAll(log: SessionLog, events: readonly RunEvent[]): Promise<void> {
  for (const event of events) await log.append(event.runId, event.seq - 1, [event]);
}

/** A session as a ended process left it. */
async function left(id: string, files: { readonly log: string; readonly tail?: string }) {
  await mkdir(home.path(id, "."), { recursive: true });
  await writeFile(home.path(id), files.log);
  if (files.tail !== undefined) await writeFile(tailOf(id), files.tail);
}

async function wholeOf(id: string): Promise<string> {
  const log = await home.store.open(id);
  const events = await log.read(run, { after: 0 });
  await log.close();
  return linesOf(events);
}

it("has deltas to speak of", () => {
  expect(deltas).toBeGreaterThan(5);
});

describe("a run that has ended", () => {
  it("is kept without its deltas, and read as it was written", async () => {
    const log = await home.store.open("ended");
    await appendAll(log, life.slice(0, -1));
    expect(await textIn("ended")).toBe("");
    await appendAll(log, life.slice(-1));
    expect(linesOf(await log.read(run, { after: 0 }))).toBe(linesOf(life));
    await log.close();
    expect(existsSync(tailOf("ended"))).toBe(false);
    const kept = (await textIn("ended")).trimEnd().split("\n").map(parseRestedLine);
    const types = kept.map((line) =>
      line.status === "parsed" ? line.rested.event.type : line.problem,
    );
    expect(types).toEqual(life.filter((event) => !isDelta(event)).map(({ type }) => type));
    expect(await wholeOf("ended")).toBe(linesOf(life));
  });

  it("is read in pages and followed from any position as it was written", async () => {
    const log = await home.store.open("paged");
    await log.append(run, 0, life);
    await log.close();
    const again = await home.store.open("paged");
    for (let after = 0; after <= life.length; after += 3) {
      const page = await again.read(run, { after, limit: 4 });
      expect(page).toEqual(life.slice(after, after + 4));
      const followed: RunEvent[] = [];
      for await (const event of again.tail(run, { after })) followed.push(event);
      expect(followed).toEqual(life.slice(after));
    }
    await again.close();
  });

  it("is in the history without its deltas, in this process and in the next", async () => {
    const lasting = life.filter((event) => !isDelta(event));
    const log = await home.store.open("past");
    await log.append(run, 0, life);
    for (const opened of [log, undefined]) {
      const session = opened ?? (await home.store.open("past"));
      const history: RunEvent[] = [];
      for await (const page of session.history()) history.push(...page);
      expect(linesOf(history)).toBe(linesOf(lasting));
      await session.close();
    }
  });

  it("waits in the tail for a run that started before it: runs stand in the order of their starts", async () => {
    const other = life.map((event) => ({ ...event, runId: runId("other") }));
    const log = await home.store.open("two");
    await appendAll(log, other.slice(0, 4));
    await log.append(run, 0, life);
    expect(await textIn("two")).toBe("");
    await appendAll(log, other.slice(4));
    for (const [id, events] of [
      [run, life],
      [runId("other"), other],
    ] as const) {
      expect(await log.read(id, { after: 0 })).toEqual(events);
    }
    await log.close();
    expect(existsSync(tailOf("two"))).toBe(false);
    const again = await home.store.open("two");
    expect(await again.runIds()).toEqual([runId("other"), run]);
    expect(await again.read(runId("other"), { after: 0 })).toEqual(other);
    await again.close();
  });
});

describe("nothing is lost when the process dies", () => {
  const raw = batchLinesOf(life).text;
  const { text: rested, lengths } = restedLinesOf(restedLog(life));

  it("before the run came to rest", async () => {
    await left("a", { log: "", tail: raw });
    expect(await wholeOf("a")).toBe(linesOf(life));
    expect(await textIn("a")).toBe(rested);
    expect(existsSync(tailOf("a"))).toBe(false);
  });

  it("at any byte of the run's way into the log", async () => {
    const ends = lengths.map((_, at) =>
      lengths.slice(0, at + 1).reduce((sum, one) => sum + one + 1, 0),
    );
    const cuts = new Set([...ends, ...ends.map((end) => end - 1)]);
    for (let cut = 1; cut < rested.length; cut += 211) cuts.add(cut);
    for (const cut of cuts) {
      const id = `cut-${cut}`;
      const bytes = Buffer.from(rested).subarray(0, cut).toString("latin1");
      await left(id, { log: "", tail: raw });
      await writeFile(home.path(id), bytes, "latin1");
      expect(await wholeOf(id), `cut at ${cut}`).toBe(linesOf(life));
      expect(await textIn(id), `cut at ${cut}`).toBe(rested);
    }
  });

  it("between the run's way into the log and its leaving the tail", async () => {
    await left("c", { log: rested, tail: raw });
    expect(await wholeOf("c")).toBe(linesOf(life));
    expect(await textIn("c")).toBe(rested);
    expect(existsSync(tailOf("c"))).toBe(false);
  });

  it("in the middle of the run: what was told is there, and its end", async () => {
    for (let told = 1; told < life.length; told += 1) {
      const id = `open-${told}`;
      const lines = life.slice(0, told).map((event) => batchLinesOf([event]).text);
      await left(id, { log: "", tail: lines.join("") });
      const log = await home.store.open(id);
      const events = await log.read(run, { after: 0 });
      expect(linesOf(events.slice(0, told)), `told up to ${told}`).toBe(
        linesOf(life.slice(0, told)),
      );
      expect(events.at(-1)?.type).toBe("run.closed");
      await log.close();
      expect(existsSync(tailOf(id))).toBe(false);
    }
  });
});

describe("an older log", () => {
  it("is read as it is, and continues", async () => {
    const begun = 6;
    await left("old", { log: life.slice(0, begun).map(formatEventLine).join("") });
    const log = await home.store.open("old", { keepRunsOpen: true });
    const kept = await log.read(run, { after: 0 });
    expect(kept.slice(0, begun)).toEqual(life.slice(0, begun));
    await log.close();
    await left("whole", { log: linesOf(life) });
    expect(await wholeOf("whole")).toBe(linesOf(life));
    expect(await textIn("whole")).toBe(linesOf(life));
  });
});

it("stays where it is when it cannot come to rest, and says so", async () => {
  const index = createLogIndex();
  const batch = batchLinesOf(life);
  let start = 0;
  for (const [at, event] of life.entries()) {
    const length = batch.lengths[at] ?? 0;
    index.add(event, "tail", { start, length });
    start += length + 1;
  }
  const told: string[] = [];
  const truncated: number[] = [];
  const rest = createLogRest({
    index,
    size: 70,
    flush: "closings",
    log: {
      write() {
        throw new Error("no space left on device");
      },
      flush: () => Promise.resolve(),
      truncate: (size) => void truncated.push(size),
    },
    tail: { truncate: () => void told.push("the tail was cut") },
    reader: {
      lines: async () => life.map((event) => ({ event })),
      page: () => Promise.reject(new Error("nobody asks for a page")),
    },
    onFailure: (cause) => void told.push(String(cause)),
  });
  expect(await rest.rest(start)).toBe(start);
  expect(await rest.rest(start)).toBe(start);
  expect(told).toEqual(["Error: no space left on device"]);
  expect(truncated).toEqual([70]);
  expect(index.inTail()).toEqual([run]);
});
