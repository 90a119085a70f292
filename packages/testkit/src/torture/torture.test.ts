import { mkdtemp, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { formatEventLine } from "@callboard/run-log";
import { describe, expect, it } from "vitest";
import { quietCommand } from "../lives/besides.js";
import { helpText, tortureCommandOf } from "./command.js";
import { callEnds, logFaultsOf, readLog } from "./logFaults.js";
import { pageWith, triedPartsOf } from "./page.js";
import { memoryTortures, tortureParts } from "./parts.js";
import { seedsUpTo, tortured } from "./run.js";
import type { TorturePart } from "./torturePart.js";
import { stoppedRunsIn, type TriedCases } from "./triedCases.js";

describe("the runner of torture", () => {
  it("reports every failure with its seed, and says the same of a seed twice", async () => {
    const part = {
      name: "thirteen",
      promise: "no seed is a multiple of 13",
      fullCount: 100,
      quickCount: 100,
      tryCase: (seed: number) => (seed % 13 === 0 ? `seed ${seed}` : undefined),
    };
    const result = await tortured(part, seedsUpTo(200));
    expect(result.failureCount).toBe(15);
    expect(result.failures.length).toBe(10);
    expect(result.failures[0]).toEqual({ seed: 13, reason: "seed 13" });
    for (const { tryCase } of memoryTortures) {
      expect(await tryCase(11)).toEqual(await tryCase(11));
    }
  });

  it("keeps no more cases under way than the part allows, adds up figures, survives a throw", async () => {
    let underWay = 0;
    let most = 0;
    const part: TorturePart = {
      name: "slow",
      promise: "no seed is 5",
      fullCount: 20,
      quickCount: 20,
      concurrency: 3,
      async tryCase(seed) {
        underWay += 1;
        most = Math.max(most, underWay);
        await Promise.resolve();
        underWay -= 1;
        if (seed === 5) throw new Error("five");
        return { failure: seed === 7 ? "seven" : undefined, figures: { seeds: 1 } };
      },
    };
    const progress: number[] = [];
    const failed: number[] = [];
    const result = await tortured(part, seedsUpTo(20), {
      onProgress: (done) => progress.push(done),
      onFailure: ({ seed }) => failed.push(seed),
    });
    expect(most).toBe(3);
    expect(progress).toEqual([...seedsUpTo(20)]);
    expect(failed).toEqual([5, 7]);
    expect(result.figures).toEqual({ seeds: 19 });
    expect(result.failures.map(({ seed }) => seed)).toEqual([5, 7]);
  });

  it("continues after the cases of a run that was stopped, also where they ended in another order", async () => {
    const tried: number[] = [];
    const part: TorturePart = {
      ...{ name: "uneven", promise: "no seed is 3 or 12", fullCount: 20, quickCount: 20 },
      concurrency: 4,
      async tryCase(seed) {
        tried.push(seed);
        for (let turn = 0; turn < (seed * 7) % 5; turn += 1) await Promise.resolve();
        return { failure: [3, 12].includes(seed) ? `seed ${seed}` : undefined, figures: { seed } };
      },
    };
    const snapshots: TriedCases[] = [];
    const whole = await tortured(part, seedsUpTo(20), {
      onProgress: (_, now) => snapshots.push(now()),
    });
    expect(snapshots.length).toBe(20);
    expect(snapshots.some(({ beyond }) => beyond.length > 0)).toBe(true);
    for (const [index, before] of snapshots.entries()) {
      tried.length = 0;
      expect(await tortured(part, seedsUpTo(20), {}, before)).toEqual(whole);
      expect(tried.length).toBe(19 - index);
    }
  });

  it("keeps the cases of a run that was stopped in a file; a broken file counts as none", async () => {
    const folder = join(await mkdtemp(join(tmpdir(), "torture-")), "new");
    const stopped = stoppedRunsIn(folder);
    expect(stopped.read("log")).toBe(undefined);
    const tried = {
      ...{ upTo: 5, beyond: [7], failureCount: 1, figures: { kills: 2 } },
      failures: [{ seed: 3, reason: "three" }],
    };
    const run = { commit: "12345678", seconds: 6.5, tried };
    stopped.write("log", run);
    expect(stopped.read("log")).toEqual(run);
    expect(stopped.read("json")).toBe(undefined);
    await writeFile(join(folder, "log.json"), '{"commit":"12');
    expect(stopped.read("log")).toBe(undefined);
    stopped.write("log", run);
    stopped.remove("log");
    expect(stopped.read("log")).toBe(undefined);
  });
});

describe("the page", () => {
  const part = (name: string): TorturePart => ({
    ...{ name, promise: `${name} holds`, fullCount: 100, quickCount: 1 },
    tryCase: () => undefined,
  });
  const parts = [part("one"), part("two")];
  const tried = (name: string, count: number, failed = 0) => ({
    ...{ name, tried: count, failed, seconds: 7, commit: `c${count}` },
  });
  const rowsOf = (page: string): readonly string[] =>
    page.split("\n").filter((line) => /^\| (one|two) /.test(line));

  it("has a row for each part, keeps what was said before, and what stands above it", () => {
    const first = pageWith("# Proof\n\ntext\n", [tried("one", 50)], parts);
    expect(first.startsWith("# Proof\n\ntext\n\n## Torture\n")).toBe(true);
    const second = pageWith(first, [tried("two", 100)], parts);
    expect(rowsOf(second)).toEqual([
      "| one | one holds | 50 | 100 | 0 | 7 s | c50 |",
      "| two | two holds | 100 | 100 | 0 | 7 s | c100 |",
    ]);
    expect(pageWith(second, [], parts)).toBe(second);
  });

  it("tells which parts it has, and how much of the whole was tried", () => {
    const page = pageWith("# Proof\n", [tried("one", 50), tried("two", 100, 1)], parts);
    expect(triedPartsOf(page)).toEqual([tried("one", 50), tried("two", 100, 1)]);
    expect(triedPartsOf("# Proof\n")).toEqual([]);
    expect(page).toContain(
      "1 of 2 parts were tried in their full form, in 0 minutes together; 1 of them had failures.",
    );
  });

  it("does not let a smaller run replace a larger one, unless it failed", () => {
    const page = pageWith("# Proof\n", [tried("one", 50)], parts);
    expect(rowsOf(pageWith(page, [tried("one", 10)], parts))[0]).toContain("| 50 | 100 | 0 |");
    expect(rowsOf(pageWith(page, [tried("one", 10, 1)], parts))[0]).toContain("| 10 | 100 | 1 |");
  });
});

describe("the command", () => {
  const asked = (args: readonly string[], seed?: string) =>
    tortureCommandOf(args, seed, tortureParts);

  it("prints every part with its promise and its number of cases", () => {
    expect(asked(["--help"])).toEqual({ type: "help" });
    expect(asked(["-h", "log"])).toEqual({ type: "help" });
    const lines = helpText(tortureParts).split("\n");
    for (const { name, promise, fullCount } of tortureParts) {
      const words = lines.find((line) => line.startsWith(`${name} `))?.split(/ {2,}/);
      expect(words).toContain(promise);
      expect(words).toContain(String(fullCount));
    }
  });

  it("says what is wrong with a call", () => {
    expect(asked(["--cuont", "3"])).toMatchObject({ type: "wrong" });
    expect(asked(["nothing"])).toEqual({
      type: "wrong",
      message: "There is no part named nothing.",
    });
    expect(asked(["--count", "0"])).toEqual({
      type: "wrong",
      message: "--count must be a whole number of at least 1, not 0.",
    });
    expect(asked(["--again"])).toEqual({
      type: "wrong",
      message: "--again is for runs with --page.",
    });
    expect(asked([], "x")).toEqual({
      type: "wrong",
      message: "SEED must be a whole number of at least 0, not x.",
    });
  });

  it("runs the parts that are named, by name or by group", () => {
    expect(asked(["log", "--count", "5"], "9")).toEqual({
      type: "run",
      parts: tortureParts.filter(({ name }) => name === "log"),
      count: 5,
      seed: 9,
      isForPage: false,
      isAgain: false,
    });
    expect(asked(["--page", "--again"])).toMatchObject({ isForPage: true, isAgain: true });
    const group = tortureParts.find((part) => part.group !== undefined)?.group ?? "";
    expect(asked([group])).toMatchObject({
      parts: tortureParts.filter((part) => part.group === group),
    });
    expect(asked([])).toMatchObject({ parts: tortureParts });
  });
});

describe("the faults of a log", () => {
  const text = quietCommand.log.map(formatEventLine).join("");
  const withoutLine = (type: string): string => {
    const lines = text.split("\n");
    return lines
      .toSpliced(
        lines.findIndex((line) => line.includes(`"${type}"`)),
        1,
      )
      .join("\n");
  };

  it("are none where every call has its end", () => {
    expect(callEnds(readLog(text).events).size).toBeGreaterThan(0);
    expect(logFaultsOf(text)).toEqual([]);
  });

  it.each([
    ["a call without its end", withoutLine("call.closed"), /has 0 ends/],
    ["a run without its end", withoutLine("run.closed"), /is still open/],
    ["a missing event", withoutLine("call.opened"), /seq \d+ in place \d+/],
    ["a line that was cut short", text.slice(0, -5), /1 lines of the log are broken/],
    ["everything twice", text + text, /was opened 2 times and has 2 ends/],
  ])("tell of %s", (_, broken, fault) => {
    expect(logFaultsOf(broken).join("\n")).toMatch(fault);
  });
});
