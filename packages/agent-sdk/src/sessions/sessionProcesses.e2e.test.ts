/** Sessions between real processes: races, deaths, full disks. */
import { readdir, readFile } from "node:fs/promises";
import { runId } from "@callboard/run-log";
import { checkStream } from "@callboard/run-log/checker";
import { createRandom } from "@callboard/testkit";
import { afterEach, beforeEach, expect, it } from "vitest";
import { SessionLockedError } from "./sessionErrors.js";
import { killScenario } from "./testing/killScenario.js";
import { type SessionProcess, startSessionProcess } from "./testing/sessionProcess.js";
import { createTestHome, type TestHome } from "./testing/testHome.js";

let home: TestHome;
let started: SessionProcess[];
beforeEach(async () => {
  home = await createTestHome();
  started = [];
});
afterEach(async () => {
  for (const child of started) await child.kill();
  await home.remove();
});

function start(limits = {}): SessionProcess {
  const child = startSessionProcess(home.home, limits);
  started.push(child);
  return child;
}

async function answerOf(child: SessionProcess, line: string): Promise<string | undefined> {
  child.say(line);
  return child.next();
}

it("one of many wins the lock of a ended process, every time", async () => {
  let racers = Array.from({ length: 8 }, () => start());
  const wins: number[] = [];
  while (racers.length > 0) {
    const answers = await Promise.all(racers.map((racer) => answerOf(racer, "open raced")));
    const winners = racers.filter((_, at) => answers[at] === "opened");
    const losers = answers.filter((answer) => answer === "SessionLockedError");
    wins.push(winners.length);
    expect(losers.length).toBe(racers.length - winners.length);
    for (const winner of winners) await winner.kill();
    racers = racers.filter((racer) => !winners.includes(racer));
  }
  expect(wins).toEqual([1, 1, 1, 1, 1, 1, 1, 1]);
  const log = await home.store.open("raced");
  expect((await readdir(home.path("raced", "."))).sort()).toEqual([
    "lock",
    "log.jsonl",
    "tail.jsonl",
  ]);
  await log.close();
});

it("a living process is named, an ended one gave its lock back, a killed one is succeeded", async () => {
  const living = start();
  expect(await answerOf(living, "open held")).toBe("opened");
  await expect(home.store.open("held")).rejects.toThrow(`in use by process ${living.pid} (`);
  await expect(home.store.remove("held")).rejects.toThrow(SessionLockedError);
  living.say("exit");
  await living.ended();
  expect((await readdir(home.path("held", "."))).sort()).toEqual(["log.jsonl", "tail.jsonl"]);
  const killed = start();
  expect(await answerOf(killed, "open held")).toBe("opened");
  await killed.kill();
  expect((await readdir(home.path("held", "."))).sort()).toEqual([
    "lock",
    "log.jsonl",
    "tail.jsonl",
  ]);
  await home.store.remove("held");
  expect(await home.store.list()).toEqual([]);
});

it("20 kills in the middle of writing: no end is missing, doubled or lost", {
  timeout: 240_000,
}, async () => {
  const random = createRandom(20);
  const figures = await killScenario({ home: home.home, kills: 20, random: random.next });
  expect(figures).toEqual({
    kills: 20,
    runs: expect.any(Number),
    calls: expect.any(Number),
    tornWrites: expect.any(Number),
    interruptedRuns: expect.any(Number),
    missingEnds: 0,
    doubledEnds: 0,
    openRuns: 0,
    faults: 0,
    lostEvents: 0,
    unsettledOpenings: 0,
  });
  expect(figures.interruptedRuns).toBeGreaterThan(5);
});

it("a file that may not grow refuses this append and the next, and holds no half batch", async () => {
  const child = start({ fileBlocks: 64 });
  expect(await answerOf(child, "fill full")).toBe("SessionWriteError SessionWriteError");
  const text = await readFile(home.path("full"), "utf8");
  expect(text.endsWith("}\n")).toBe(true);
  await child.kill();
  const log = await home.store.open("full");
  expect((await log.runIds())[0]).toBe(runId("run_0"));
  for (const id of await log.runIds()) {
    expect((await log.read(id, { after: 0 })).at(-1)?.type).toBe("run.closed");
  }
  await log.close();
  const first = (await readFile(home.path("full"), "utf8")).split("\n");
  const run = first.filter((line) => line.includes('"runId":"run_0"')).join("\n");
  expect(checkStream(run).findings).toEqual([]);
});
