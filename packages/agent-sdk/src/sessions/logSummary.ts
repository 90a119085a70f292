/**
 * The summary of a session for a list, without opening it: its first and last lines are parsed, and the bytes between
 * are only searched for the starts of runs. It takes no lock and changes nothing.
 */

import type { FileHandle } from "node:fs/promises";
import type { RunEvent } from "@callboard/run-log";
import { withoutUndefined } from "@callboard/run-log/values";
import { parseRestedLine } from "@callboard/run-log/writing";
import { sessionTitleOf } from "./sessionTitle.js";

export interface LogSummary {
  readonly createdAt: number;
  readonly updatedAt: number;
  readonly title: string;
  readonly runs: number;
  /** The expected result of opening, if it is known here. */
  readonly warning?: string;
}

const headBytes = 256 * 1024;
const chunkBytes = 1024 * 1024;
const newline = 0x0a;

/** Every run has one event at seq 1; `runStart` distinguishes it from the same text inside other data. */
const needle = Buffer.from('"seq":1,"at":');
const runStart = /^ ?\{"v":\d+,"runId":"((?:[^"\\]|\\.)*)",$/;
const longestRunStart = 4 * 1024;

/** `tail` contains running runs; it is absent if there are none. */
export async function logSummaryOf(file: FileHandle, tail?: FileHandle): Promise<LogSummary> {
  const { size, mtimeMs, birthtimeMs } = await file.stat();
  const tailSize = tail === undefined ? 0 : (await tail.stat()).size;
  const createdAt = Math.round(birthtimeMs || mtimeMs);
  const updatedAt = Math.round(mtimeMs);
  const first = size > 0 || tail === undefined ? file : tail;
  const newest = tailSize > 0 && tail !== undefined ? tail : file;
  if (size + tailSize === 0) return { createdAt, updatedAt, title: "", runs: 0 };
  const head = await headOf(first);
  const last = await lastLineOf(newest, newest === file ? size : tailSize);
  const warning = head.warning ?? last.warning;
  const runs = new Set([...(await runsIn(file)), ...(tail ? await runsIn(tail) : [])]);
  return {
    createdAt: head.events[0]?.at ?? createdAt,
    updatedAt: last.event?.at ?? updatedAt,
    title: sessionTitleOf(head.events),
    runs: runs.size,
    ...withoutUndefined({ warning }),
  };
}

interface Head {
  readonly events: readonly RunEvent[];
  readonly warning?: string;
}

async function headOf(file: FileHandle): Promise<Head> {
  const bytes = Buffer.allocUnsafe(headBytes);
  const { bytesRead } = await file.read(bytes, 0, headBytes, 0);
  const text = bytes.toString("utf8", 0, bytesRead);
  const lines = text.slice(0, text.lastIndexOf("\n") + 1).split("\n");
  const events: RunEvent[] = [];
  for (const [at, line] of lines.entries()) {
    if (line.trim() === "") continue;
    const parsed = parseRestedLine(line);
    if (parsed.status === "malformed") {
      return { events, warning: `line ${at + 1} is broken: ${parsed.problem}` };
    }
    const { event } = parsed.rested;
    if (events[0] && event.runId !== events[0].runId) break;
    events.push(event);
    if (event.type === "text.closed" && sessionTitleOf(events) !== "") break;
  }
  return { events };
}

async function lastLineOf(
  file: FileHandle,
  size: number,
): Promise<{ readonly event?: RunEvent; readonly warning?: string }> {
  for (let span = 64 * 1024; ; span *= 4) {
    const from = Math.max(0, size - span);
    const bytes = Buffer.alloc(size - from);
    await file.read(bytes, 0, bytes.length, from);
    const end = bytes.lastIndexOf(newline);
    const start = end <= 0 ? -1 : bytes.lastIndexOf(newline, end - 1);
    if (start === -1 && from > 0) continue;
    const isTorn = end !== bytes.length - 1;
    const parsed = parseRestedLine(bytes.toString("utf8", start + 1, Math.max(end, 0)));
    const torn = isTorn ? { warning: "it ends in the middle of a line; opening repairs it" } : {};
    if (parsed.status === "parsed") return { event: parsed.rested.event, ...torn };
    return isTorn ? torn : { warning: `its last line is broken: ${parsed.problem}` };
  }
}

async function runsIn(file: FileHandle): Promise<readonly string[]> {
  const bytes = Buffer.allocUnsafe(longestRunStart + chunkBytes);
  let kept = 0;
  const runs: string[] = [];
  for (let position = 0; ; ) {
    const { bytesRead } = await file.read(bytes, kept, chunkBytes, position);
    if (bytesRead === 0) return runs;
    position += bytesRead;
    const known = bytes.subarray(0, kept + bytesRead);
    // Runs that started before the end of the kept bytes were counted with them.
    const searched = Math.max(0, kept - needle.length + 1);
    for (let at = known.indexOf(needle, searched); at !== -1; at = known.indexOf(needle, at + 1)) {
      const line = known.subarray(at === 0 ? 0 : known.lastIndexOf(newline, at - 1) + 1, at);
      const [, runId] = runStart.exec(line.toString("utf8")) ?? [];
      if (runId !== undefined) runs.push(runId);
    }
    kept = Math.min(longestRunStart, known.length);
    known.copyWithin(0, known.length - kept);
  }
}
