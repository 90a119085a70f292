/** What a list tells of logs that it does not open. */
import { mkdir, writeFile } from "node:fs/promises";
import { type RunEvent, runId } from "@callboard/run-log";
import { afterEach, beforeEach, expect, it } from "vitest";
import { batchLinesOf } from "./batchLines.js";
import { createTestHome, type TestHome } from "./testing/testHome.js";
import { batchesOf } from "./testing/testSession.js";

let home: TestHome;
beforeEach(async () => {
  home = await createTestHome({ flush: "never" });
});
afterEach(() => home.remove());

async function lay(sessionId: string, text: string): Promise<void> {
  await mkdir(home.path(sessionId, "."), { recursive: true });
  await writeFile(home.path(sessionId), text);
}

const textOf = (batches: readonly (readonly RunEvent[])[]): string =>
  batches.map((batch) => batchLinesOf(batch).text).join("");
const whole = textOf(batchesOf(runId("run_1"), 2));
const at = batchesOf(runId("run_1"), 2).flat().at(-1)?.at;

it("shows broken sessions with a warning and the good ones beside them", async () => {
  await lay("good", whole);
  await lay("garbage", "this is no log\n");
  await lay("garbled-end", `${whole}{}\n`);
  await lay("torn", whole.slice(0, -5));
  await lay("one-torn-line", '{"v":1,');
  await lay("empty", "");
  await mkdir(home.path("no-log", "."));
  const listed = await home.store.list();
  const told = listed.map(({ sessionId, title, runs, warning }) => [
    sessionId,
    title,
    runs,
    warning?.split(":")[0],
  ]);
  const title = "Wie spät ist es?";
  expect(told.sort()).toEqual([
    ["empty", "", 0, undefined],
    ["garbage", "", 0, "line 1 is broken"],
    ["garbled-end", title, 1, "its last line is broken"],
    ["good", title, 1, undefined],
    ["no-log", "", 0, "it has no log"],
    ["one-torn-line", "", 0, "it ends in the middle of a line; opening repairs it"],
    ["torn", title, 1, "it ends in the middle of a line; opening repairs it"],
  ]);
  expect(home.heard.map(({ level }) => level)).toEqual(Array.from({ length: 5 }, () => "warn"));
});

it("counts the runs of a large log by their starts, wherever they fall, and nothing else", async () => {
  const runs = Array.from({ length: 60 }, (_, count) =>
    batchesOf(runId(`run "${count}" \\`), 2, 20_000 + 2 * count),
  );
  const data = { v: 1, runId: runId("r"), seq: 1, at: 1, type: "run.started" };
  const [first] = batchesOf(runId("fake"), 0);
  const start = first?.[0];
  const fake: RunEvent[] = start
    ? [start, { v: 1, runId: runId("fake"), seq: 2, at: 5, type: "data.emitted", data }]
    : [];
  const text = textOf([...runs.flat(), fake]);
  expect(text.length).toBeGreaterThan(2_500_000);
  await lay("large", text);
  expect(await home.store.list()).toMatchObject([{ runs: 61, title: "Wie spät ist es?" }]);
});

it("counts a run once although its start lies across two reads", async () => {
  const start = textOf(batchesOf(runId("run_1"), 0).slice(0, 1));
  const read = 1024 * 1024;
  for (let before = 0; before <= 90; before += 1) {
    await lay("across", `${"x".repeat(read - before - 1)}\n${start}`);
    expect((await home.store.list())[0]?.runs, `${before} bytes before`).toBe(1);
  }
});

it("finds the last line however long it is", async () => {
  const long = batchesOf(runId("run_1"), 1, 600_000).slice(0, -1);
  await lay("long", textOf(long));
  expect((await home.store.list())[0]?.updatedAt).toBe(long.flat().at(-1)?.at);
});

it("takes no lock and lists a session that is in use", async () => {
  const log = await home.store.open("busy");
  for (const batch of batchesOf(runId("run_1"), 2)) {
    await log.append(runId("run_1"), (batch[0]?.seq ?? 1) - 1, batch);
  }
  expect(await home.store.list()).toEqual([
    {
      sessionId: "busy",
      createdAt: 1_800_000_000_007,
      updatedAt: at,
      title: "Wie spät ist es?",
      runs: 1,
    },
  ]);
  await log.close();
});
