/**
 * The resources of a machine: disk, file descriptors, memory. Checked at most once a second. A server that is close to
 * the end of one refuses new work with the reason, and continues its running work.
 */
import { readdir, readFile, statfs } from "node:fs/promises";
import { getHeapStatistics } from "node:v8";
import type { Clock } from "@callboard/agent-sdk";
import { HttpProblem } from "./http/problem.js";

export interface ResourceReadings {
  /** Free bytes on the disk of the embedded database. Absent without one. */
  readonly freeDiskBytes?: number | undefined;
  /** How many files and sockets may still be opened. Absent if the system does not report it. */
  readonly freeDescriptors?: number | undefined;
  /** Which share of the memory that the process may have is in use. */
  readonly memoryShare: number;
}

export interface Resources {
  /** Why no new work is taken; undefined while there is enough of everything. */
  problem(): Promise<Shortage | undefined>;
  /** Throws a 503 with the reason. */
  assertEnough(): Promise<void>;
}

export interface Shortage {
  readonly kind: "disk-full" | "out-of-descriptors" | "out-of-memory";
  readonly detail: string;
}

export const leastDiskBytes = 64 * 1024 * 1024;
export const leastDescriptors = 64;
export const mostMemoryShare = 0.9;
const freshMs = 1_000;

export interface ResourcesOptions {
  readonly clock: Pick<Clock, "monotonic">;
  readonly read: () => Promise<ResourceReadings>;
}

export function createResources({ clock, read }: ResourcesOptions): Resources {
  let known: { readonly at: number; readonly reading: Promise<ResourceReadings> } | undefined;

  async function problem(): Promise<Shortage | undefined> {
    const now = clock.monotonic();
    if (known === undefined || now - known.at >= freshMs) known = { at: now, reading: read() };
    return shortageIn(await known.reading);
  }

  return {
    problem,
    async assertEnough() {
      const shortage = await problem();
      if (shortage === undefined) return;
      const headers = { "retry-after": "10" };
      throw new HttpProblem(503, shortage.kind, shortage.detail, { headers });
    },
  };
}

function shortageIn(readings: ResourceReadings): Shortage | undefined {
  const { freeDiskBytes, freeDescriptors, memoryShare } = readings;
  if (freeDiskBytes !== undefined && freeDiskBytes < leastDiskBytes) {
    const detail = `The disk of the database has ${freeDiskBytes} bytes left. Free some space.`;
    return { kind: "disk-full", detail };
  }
  if (freeDescriptors !== undefined && freeDescriptors < leastDescriptors) {
    const detail = `The server may open only ${freeDescriptors} more files and connections. Raise its limit (ulimit -n), or close streams.`;
    return { kind: "out-of-descriptors", detail };
  }
  if (memoryShare > mostMemoryShare) {
    const share = Math.round(memoryShare * 100);
    const detail = `The server uses ${share} % of the memory that it may have. Try again later.`;
    return { kind: "out-of-memory", detail };
  }
  return undefined;
}

/** The free resources of this process. `folder` is that of the embedded database. */
export async function readResources(folder: string | undefined): Promise<ResourceReadings> {
  const { used_heap_size: used, heap_size_limit: limit } = getHeapStatistics();
  return {
    freeDiskBytes: folder === undefined ? undefined : await freeBytesOf(folder),
    freeDescriptors: await freeDescriptors(),
    memoryShare: used / limit,
  };
}

async function freeBytesOf(folder: string): Promise<number | undefined> {
  try {
    const { bavail, bsize } = await statfs(folder);
    return bavail * bsize;
  } catch {
    // A folder that is not there yet, or a system that does not say: nothing is known to be short.
    return undefined;
  }
}

/** Linux reports both; other systems report neither. */
async function freeDescriptors(): Promise<number | undefined> {
  try {
    const [limits, open] = await Promise.all([
      readFile("/proc/self/limits", "utf8"),
      readdir("/proc/self/fd"),
    ]);
    const limit = /^Max open files\s+(\d+)/m.exec(limits)?.[1];
    return limit === undefined ? undefined : Number(limit) - open.length;
  } catch {
    return undefined;
  }
}
