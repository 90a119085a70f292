/** The figures of many processes under one home: summed, bounded, never counted twice or lost. */
import { mkdir, mkdtemp, readdir, readFile, rm, stat, writeFile } from "node:fs/promises";
import { hostname, tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { createFakeClock } from "../testing/fakeClock.js";
import { noStats, type UpdateStats } from "../updates/updateStats.js";
import { acpMetricsText } from "./acpMetricsText.js";
import { keepStats } from "./keptStats.js";
import { prometheusText } from "./prometheusText.js";
import { foldFinished, readStats, writeStats } from "./statsFolder.js";

let home = "";
const quiet = {
  debug: () => undefined,
  info: () => undefined,
  warn: () => undefined,
  error: () => undefined,
};
const folder = () => join(home, "acp-metrics");
const files = () => readdir(folder());
const of = (offered: number): UpdateStats => ({ ...noStats, offered });

beforeEach(async () => {
  home = await mkdtemp(join(tmpdir(), "callboard-figures-"));
  await mkdir(folder());
});
afterEach(() => rm(home, { recursive: true, force: true }));

/** A file as a process would leave it that was killed. */
async function leftBehind(pid: number, offered: number, host = hostname()): Promise<string> {
  const name = `${pid}-x.json`;
  const file = { pid, host, isFinished: false, stats: of(offered) };
  await writeFile(join(folder(), name), JSON.stringify(file));
  return name;
}
const deadPid = 4_000_001;

it("is Prometheus text: counters, a histogram of sizes, gauges", () => {
  const stats = {
    ...noStats,
    ...{ updates: { tool_call: 1, 'odd"\n': 2 }, bytes: { tool_call: 300, 'odd"\n': 70_200 } },
    ...{ sizes: [1, 1, 0, 0, 0, 1], largestBytes: 70_000, sparedChars: 5, offered: 9 },
    ...{ merged: 4, suppressed: 3, failedWrites: 2, detectionMs: 2.5 },
    ...{ calls: 2, callUpdates: 6, callBytes: 900, largestCallBytes: 600 },
  };
  const samples = prometheusText(stats).split("\n");
  expect(samples.filter((line) => line !== "" && !line.startsWith("#"))).toEqual([
    'callboard_acp_updates_total{kind="tool_call"} 1',
    'callboard_acp_updates_total{kind="odd\\"\\n"} 2',
    'callboard_acp_bytes_total{kind="tool_call"} 300',
    'callboard_acp_bytes_total{kind="odd\\"\\n"} 70200',
    "callboard_acp_saved_bytes_total 5",
    "callboard_acp_offered_total 9",
    "callboard_acp_merged_total 4",
    "callboard_acp_suppressed_total 3",
    "callboard_acp_calls_total 2",
    "callboard_acp_call_updates_total 6",
    "callboard_acp_call_bytes_total 900",
    "callboard_acp_call_largest_bytes 600",
    "callboard_acp_failed_writes_total 2",
    "callboard_acp_detection_seconds_total 0.0025",
    'callboard_acp_payload_bytes_bucket{le="256"} 1',
    'callboard_acp_payload_bytes_bucket{le="1024"} 2',
    'callboard_acp_payload_bytes_bucket{le="4096"} 2',
    'callboard_acp_payload_bytes_bucket{le="16384"} 2',
    'callboard_acp_payload_bytes_bucket{le="65536"} 2',
    'callboard_acp_payload_bytes_bucket{le="+Inf"} 3',
    "callboard_acp_payload_bytes_sum 70500",
    "callboard_acp_payload_bytes_count 3",
    "callboard_acp_payload_largest_bytes 70000",
  ]);
  expect(samples.slice(0, 2)).toEqual([
    "# HELP callboard_acp_updates_total Lines written, by kind.",
    "# TYPE callboard_acp_updates_total counter",
  ]);
});

it("is zeroes where nobody has spoken yet", async () => {
  await rm(folder(), { recursive: true });
  const text = await acpMetricsText(home);
  expect(text).toContain("callboard_acp_offered_total 0\n");
  expect(text).toContain("callboard_acp_processes 0\n");
});

it("adds what ended processes left to one total, and counts what runs beside it", async () => {
  await leftBehind(deadPid, 1);
  await leftBehind(deadPid + 1, 10);
  const elsewhere = await leftBehind(deadPid + 2, 100, "another-machine");
  await writeStats(home, `${process.pid}-y.json`, of(1_000), false);
  const sums = async () => (await readStats(home)).stats.offered;
  expect(await sums()).toBe(1_111);
  await foldFinished(home, 0);
  const left = [`${process.pid}-y.json`, elsewhere, "total.json"];
  expect(new Set(await files())).toEqual(new Set(left));
  expect(await readStats(home)).toMatchObject({ stats: { offered: 1_111 }, running: 1 });
  await foldFinished(home, 0);
  expect(await sums()).toBe(1_111);
});

it("counts no file twice that its folding left there", async () => {
  const name = await leftBehind(deadPid, 7);
  const total = { revision: 1, counted: [name], stats: of(7) };
  await writeFile(join(folder(), "total.json"), JSON.stringify(total));
  expect((await readStats(home)).stats.offered).toBe(7);
  await foldFinished(home, 0);
  expect((await readStats(home)).stats.offered).toBe(7);
  expect(await files()).toEqual(["total.json"]);
});

it("never shows less than before while processes end", async () => {
  for (let pid = deadPid; pid < deadPid + 30; pid += 1) await leftBehind(pid, 1);
  const seen: number[] = [];
  const folding = foldFinished(home, 0);
  for (let reading = 0; reading < 20; reading += 1) {
    seen.push((await readStats(home)).stats.offered);
  }
  await folding;
  expect(seen).toEqual(seen.map(() => 30));
});

it("says how many files hold no figures, and clears those of the dead", async () => {
  await writeFile(join(folder(), `${deadPid}-z.json`), "{");
  await writeFile(join(folder(), `${deadPid}-z.json.${deadPid}.draft`), "{");
  expect(await acpMetricsText(home)).toContain("callboard_acp_unreadable_files 1\n");
  await foldFinished(home, 0);
  expect(await acpMetricsText(home)).toContain("callboard_acp_unreadable_files 0\n");
  expect(await files()).toEqual(["total.json"]);
});

it("is written by a process at its pace, when something changed, and at its end", async () => {
  await rm(folder(), { recursive: true });
  const clock = createFakeClock();
  let offered = 0;
  const kept = keepStats({ home, clock, logger: quiet, stats: () => of(offered) });
  const own = async () => (await files()).filter((name) => name.startsWith(`${process.pid}-`));
  while (clock.sleepers === 0) await clock.advance(0);
  expect(await own()).toEqual([]);
  offered = 5;
  await clock.advance(1_999);
  expect(await own()).toEqual([]);
  await clock.advance(1);
  while (clock.sleepers === 0) await clock.advance(0);
  const [name = ""] = await own();
  const path = join(folder(), name);
  expect(JSON.parse(await readFile(path, "utf8"))).toMatchObject({ stats: { offered: 5 } });
  expect((await stat(path)).mode & 0o777).toBe(0o600);
  offered = 8;
  await kept.close();
  expect(await files()).toEqual(["total.json"]);
  expect((await readStats(home)).stats.offered).toBe(8);
});

it("continues without figures where there is no place for them", async () => {
  const warnings: string[] = [];
  const logger = { ...quiet, warn: (message: string) => void warnings.push(message) };
  const nowhere = join(folder(), "file");
  await writeFile(nowhere, "");
  const clock = createFakeClock();
  await keepStats({ home: nowhere, clock, logger, stats: () => of(1) }).close();
  expect(warnings).toEqual(["Saving the metrics of ACP updates failed."]);
});
