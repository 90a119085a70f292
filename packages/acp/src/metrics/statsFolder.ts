/**
 * The metrics of every ACP process under one home, in `acp-metrics`: a file for each that runs, and one total of those
 * that have ended. A file is added to the total before it is removed, and the total names it until it is gone, so that
 * nothing is counted twice and no sum ever goes back.
 */

import { mkdir, readdir, readFile, rename, rm, writeFile } from "node:fs/promises";
import { hostname } from "node:os";
import { join } from "node:path";
import { acquireSessionLock, SessionLockedError } from "@callboard/agent-sdk/host";
import { isFileMissing, systemCodeOf } from "@callboard/run-log/values";
import * as z from "zod/mini";
import {
  addedStats,
  noStats,
  type UpdateStats,
  updateStatsSchema,
} from "../updates/updateStats.js";

const processSchema = z.object({
  pid: z.int().check(z.positive()),
  host: z.string(),
  isFinished: z.boolean(),
  stats: updateStatsSchema,
});
type ProcessStats = Readonly<z.infer<typeof processSchema>>;

const totalSchema = z.object({
  /** Grows with every writing. */
  revision: z.int().check(z.nonnegative()),
  /** The files that are in the sum already and may still be there. */
  counted: z.readonly(z.array(z.string())),
  stats: updateStatsSchema,
});
type Total = Readonly<z.infer<typeof totalSchema>>;

const totalName = "total.json";
const isProcessName = (name: string): boolean => /^\d+-[\w-]+\.json$/.test(name);

export function statsFolderOf(home: string): string {
  return join(home, "acp-metrics");
}

export interface FolderStats {
  readonly stats: UpdateStats;
  /** How many of the processes run. */
  readonly running: number;
  /** Files without metrics, after a power failure for example. */
  readonly unreadable: number;
}

const mostReadings = 20;

/** Everything that was ever counted under the home. */
export async function readStats(home: string): Promise<FolderStats> {
  const folder = statsFolderOf(home);
  for (let reading = 1; ; reading += 1) {
    const before = await totalIn(folder);
    const read = await statsBeside(before, folder);
    const { revision } = await totalIn(folder);
    // A file that was folded meanwhile is in the total only now.
    if (revision === before.revision || reading === mostReadings) return read;
  }
}

async function statsBeside(total: Total, folder: string): Promise<FolderStats> {
  let { stats } = total;
  let running = 0;
  let unreadable = 0;
  for (const name of await processNames(folder)) {
    if (total.counted.includes(name)) continue;
    const text = await readIfPresent(join(folder, name));
    if (text === undefined) continue;
    const found = parsedStats(processSchema, text);
    if (!found) unreadable += 1;
    else {
      stats = addedStats(stats, found.stats);
      if (!found.isFinished && isAlive(found.pid)) running += 1;
    }
  }
  return { stats, running, unreadable };
}

/** Adds the files of ended processes to the total. Does nothing while another process does it. */
export async function foldFinished(home: string, now: number): Promise<void> {
  const folder = statsFolderOf(home);
  const lock = lockOf(folder, now);
  if (!lock) return;
  try {
    const total = await totalIn(folder);
    const names = await processNames(folder);
    const left = names.filter((name) => total.counted.includes(name));
    const ended: string[] = [];
    let { stats } = total;
    for (const name of names) {
      if (left.includes(name)) continue;
      const text = await readIfPresent(join(folder, name));
      const found = text === undefined ? undefined : parsedStats(processSchema, text);
      if (found ? !isEnded(found) : isAlive(Number.parseInt(name, 10))) continue;
      if (found) stats = addedStats(stats, found.stats);
      ended.push(name);
    }
    await removeDrafts(folder);
    const counted = [...left, ...ended];
    if (counted.length === 0) return;
    const next: Total = { revision: total.revision + 1, counted, stats };
    await writeWhole(join(folder, totalName), next);
    for (const name of counted) await rm(join(folder, name), { force: true });
  } finally {
    lock.release();
  }
}

/** The unfinished files of ended processes. */
async function removeDrafts(folder: string): Promise<void> {
  for (const name of await readdir(folder)) {
    const [, pid] = /\.(\d+)\.draft$/.exec(name) ?? [];
    if (pid !== undefined && !isAlive(Number(pid))) await rm(join(folder, name), { force: true });
  }
}

function lockOf(folder: string, now: number): ReturnType<typeof acquireSessionLock> | undefined {
  try {
    return acquireSessionLock(folder, "acp-metrics", now);
  } catch (error) {
    if (error instanceof SessionLockedError) return undefined;
    throw error;
  }
}

/** A process of another machine that shares the home cannot be checked. */
function isEnded({ isFinished, host, pid }: ProcessStats): boolean {
  return isFinished || (host === hostname() && !isAlive(pid));
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return systemCodeOf(error) === "EPERM";
  }
}

/** Writes this process's metrics; `name` starts with its process number. */
export async function writeStats(
  home: string,
  name: string,
  stats: UpdateStats,
  isFinished: boolean,
): Promise<void> {
  const file: ProcessStats = { pid: process.pid, host: hostname(), isFinished, stats };
  await writeWhole(join(statsFolderOf(home), name), file);
}

export async function makeStatsFolder(home: string): Promise<void> {
  await mkdir(statsFolderOf(home), { recursive: true, mode: 0o700 });
}

async function writeWhole(path: string, value: ProcessStats | Total): Promise<void> {
  const draft = `${path}.${process.pid}.draft`;
  await writeFile(draft, JSON.stringify(value), { mode: 0o600 });
  await rename(draft, path);
}

async function totalIn(folder: string): Promise<Total> {
  const text = await readIfPresent(join(folder, totalName));
  const found = text === undefined ? undefined : parsedStats(totalSchema, text);
  return found ?? { revision: 0, counted: [], stats: noStats };
}

async function processNames(folder: string): Promise<readonly string[]> {
  try {
    return (await readdir(folder)).filter(isProcessName);
  } catch (error) {
    if (isFileMissing(error)) return [];
    throw error;
  }
}

async function readIfPresent(path: string): Promise<string | undefined> {
  try {
    return await readFile(path, "utf8");
  } catch (error) {
    if (isFileMissing(error)) return undefined;
    throw error;
  }
}

function parsedStats<Value>(schema: z.ZodMiniType<Value>, text: string): Value | undefined {
  try {
    return schema.safeParse(JSON.parse(text)).data;
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}
