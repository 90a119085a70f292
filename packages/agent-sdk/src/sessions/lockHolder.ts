/**
 * The process that holds a lock, and whether it is alive. Its start time distinguishes a process from a later one with
 * the same number, if the system provides it; elsewhere only the number is compared.
 */

import { randomBytes } from "node:crypto";
import { readFileSync } from "node:fs";
import { systemCodeOf, withoutUndefined } from "@callboard/run-log/values";
import * as z from "zod/mini";

export interface LockHolder {
  readonly pid: number;
  /** Clock ticks from the start of the system to the start of the process. */
  readonly startTicks?: string;
  /** Changes whenever the system starts. */
  readonly bootId?: string;
  readonly token: string;
  /** Milliseconds since the epoch. */
  readonly lockedAt: number;
}

const lockHolderSchema = z.strictObject({
  pid: z.int().check(z.positive()),
  startTicks: z.exactOptional(z.string()),
  bootId: z.exactOptional(z.string()),
  token: z.string().check(z.regex(/^[0-9a-f]{32}$/)),
  lockedAt: z.number(),
});

/** Undefined for what no lock has written. */
export function lockHolderIn(value: unknown): LockHolder | undefined {
  return lockHolderSchema.safeParse(value).data;
}

export function createLockHolder(lockedAt: number): LockHolder {
  const startTicks = statOf(process.pid)?.startTicks;
  const bootId = bootIdOf();
  return {
    pid: process.pid,
    ...withoutUndefined({ startTicks, bootId }),
    token: randomBytes(16).toString("hex"),
    lockedAt,
  };
}

export function isAlive(holder: LockHolder): boolean {
  const bootId = bootIdOf();
  if (bootId !== undefined && holder.bootId !== undefined && holder.bootId !== bootId) return false;
  try {
    process.kill(holder.pid, 0);
  } catch (error) {
    if (systemCodeOf(error) === "ESRCH") return false;
    if (systemCodeOf(error) !== "EPERM") throw error;
  }
  const stat = statOf(holder.pid);
  if (stat === undefined) return true;
  // A zombie answers to signals, but its threads are gone and it will write no more.
  if (stat.state === "Z" || stat.state === "X") return false;
  return holder.startTicks === undefined || holder.startTicks === stat.startTicks;
}

/** The name of a program may contain spaces and brackets: the fields start after the last bracket. */
function statOf(pid: number): { readonly state: string; readonly startTicks: string } | undefined {
  const text = fileTextOf(`/proc/${pid}/stat`);
  const fields = text?.slice(text.lastIndexOf(")") + 2).split(" ");
  const state = fields?.[0];
  const startTicks = fields?.[19];
  return state === undefined || startTicks === undefined ? undefined : { state, startTicks };
}

function bootIdOf(): string | undefined {
  return fileTextOf("/proc/sys/kernel/random/boot_id")?.trim();
}

/** Undefined if the system has no such file, or does not allow reading it. */
function fileTextOf(path: string): string | undefined {
  try {
    return readFileSync(path, "utf8");
  } catch (error) {
    if (systemCodeOf(error) !== undefined) return undefined;
    throw error;
  }
}
