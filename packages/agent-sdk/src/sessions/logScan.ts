/**
 * Reads a session's log once, from its first byte: where every event stands, how every run was left,
 * where the last whole batch ends, and which line is broken, if one is. It never changes the file.
 */
import { isUtf8 } from "node:buffer";
import type { FileHandle } from "node:fs/promises";
import {
  evolve,
  initialState,
  parseEventLine,
  type RunEvent,
  type RunId,
  type RunState,
} from "@callboard/run-log";
import { isContinued } from "./batchLines.js";
import { createLogIndex, type LinePlace, type LogIndex } from "./logIndex.js";

/** A run whose log does not end in its closing. */
export interface UnclosedRun {
  readonly state: RunState;
  /** When its last event was written. */
  readonly lastAt: number;
}

export interface ScannedLog {
  readonly index: LogIndex;
  /** In the order of their starts. */
  readonly unclosed: readonly UnclosedRun[];
  /** The bytes up to the end of the last whole batch. Beyond it is what a crash tore, or the broken line. */
  readonly end: number;
  /** Whether the last whole batch lacks nothing but its newline. */
  readonly lacksNewline: boolean;
  readonly broken?: { readonly line: number; readonly problem: string };
}

type ReadLine = LinePlace & { readonly number: number } & (
    | { readonly event: RunEvent }
    | { readonly problem: string }
  );

const newline = 0x0a;
const chunkBytes = 256 * 1024;

export async function scanLog(file: FileHandle): Promise<ScannedLog> {
  const scan = createScan();
  const chunk = Buffer.allocUnsafe(chunkBytes);
  let pieces: Buffer[] = [];
  for (let position = 0; ; ) {
    const { bytesRead } = await file.read(chunk, 0, chunkBytes, position);
    if (bytesRead === 0) break;
    position += bytesRead;
    const bytes = chunk.subarray(0, bytesRead);
    let from = 0;
    for (let to = bytes.indexOf(newline); to !== -1; to = bytes.indexOf(newline, from)) {
      const tail = bytes.subarray(from, to);
      if (!scan.takeLine(pieces.length === 0 ? tail : Buffer.concat([...pieces, tail]))) {
        return scan.result();
      }
      pieces = [];
      from = to + 1;
    }
    if (from < bytesRead) pieces.push(Buffer.from(bytes.subarray(from)));
  }
  if (pieces.length > 0) scan.takeLastPiece(Buffer.concat(pieces));
  return scan.result();
}

function createScan() {
  const index = createLogIndex();
  const unclosed = new Map<RunId, UnclosedRun>();
  let batch: ReadLine[] = [];
  let position = 0;
  let lines = 0;
  let end = 0;
  let lacksNewline = false;
  let broken: ScannedLog["broken"];

  function readLine(bytes: Buffer): ReadLine {
    lines += 1;
    const place = { start: position, length: bytes.length, number: lines };
    position += bytes.length + 1;
    if (!isUtf8(bytes)) return { ...place, problem: "it is not UTF-8" };
    const parsed = parseEventLine(bytes.toString("utf8"));
    if (parsed.status === "malformed") return { ...place, problem: parsed.problem };
    return { ...place, event: parsed.event };
  }

  /** A batch is taken whole, or named as broken and not taken at all. */
  function takeBatch(): boolean {
    const events: { readonly event: RunEvent; readonly place: LinePlace }[] = [];
    const seqs = new Map<RunId, number>();
    for (const line of batch) {
      const problem = "event" in line ? misplacement(line.event, seqs) : line.problem;
      if (problem !== undefined || !("event" in line)) {
        broken = { line: line.number, problem: problem ?? "it holds no event" };
        return false;
      }
      events.push({ event: line.event, place: line });
    }
    for (const { event, place } of events) takeEvent(event, place);
    batch = [];
    end = position;
    return true;
  }

  function misplacement(event: RunEvent, seqs: Map<RunId, number>): string | undefined {
    const { runId, seq } = event;
    const expected = (seqs.get(runId) ?? index.seqOf(runId)) + 1;
    seqs.set(runId, expected);
    if (seq === expected) return undefined;
    return `run ${runId} goes on at seq ${expected}, and this is seq ${seq}`;
  }

  function takeEvent(event: RunEvent, { start, length }: LinePlace): void {
    index.add(event, { start, length });
    if (event.type === "run.closed") {
      unclosed.delete(event.runId);
      return;
    }
    const state = evolve(unclosed.get(event.runId)?.state ?? initialState, event);
    unclosed.set(event.runId, { state, lastAt: event.at });
  }

  return {
    /** False when the log is broken here. */
    takeLine(bytes: Buffer): boolean {
      if (isBlank(bytes)) {
        lines += 1;
        position += bytes.length + 1;
        if (batch.length === 0) end = position;
        return true;
      }
      batch.push(readLine(bytes));
      return isContinued(bytes) || takeBatch();
    },
    /** What stands behind the last newline: a batch without its own, or torn. */
    takeLastPiece(bytes: Buffer): void {
      if (isBlank(bytes) || isContinued(bytes)) return;
      batch.push(readLine(bytes));
      lacksNewline = takeBatch();
      if (lacksNewline) end -= 1;
      else broken = undefined;
    },
    result: (): ScannedLog => ({
      index,
      unclosed: [...unclosed.values()],
      end,
      lacksNewline,
      ...(broken ? { broken } : {}),
    }),
  };
}

function isBlank(line: Buffer): boolean {
  return line.every((byte) => byte === 0x20 || byte === 0x09 || byte === 0x0d);
}
