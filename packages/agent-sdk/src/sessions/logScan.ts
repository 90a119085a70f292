/**
 * Reads a session's files once, from their first byte: the position of every line, the state of every run, the end of
 * the last whole batch of a file, and the first broken line, if there is one. It never changes a file.
 */
import { isUtf8 } from "node:buffer";
import type { FileHandle } from "node:fs/promises";
import { evolve, initialState, type RunEvent, type RunId, type RunState } from "@callboard/run-log";
import { isDelta, parseRestedLine, type RestedEvent, seqsOf } from "@callboard/run-log/writing";
import { isContinued } from "./batchLines.js";
import { createLogIndex, type LinePlace, type LogFileName, type LogIndex } from "./logIndex.js";

/** A run whose log does not end in its closing. */
export interface UnclosedRun {
  readonly state: RunState;
  /** When its last event was written. */
  readonly lastAt: number;
}

export interface ScannedFile {
  /** The bytes up to the end of the last whole batch. Beyond it is what a crash tore, or the broken line. */
  readonly end: number;
  /** Whether the last whole batch lacks nothing but its newline. */
  readonly lacksNewline: boolean;
  readonly broken?: { readonly line: number; readonly problem: string };
}

export interface SessionScan {
  readonly index: LogIndex;
  /** In the order of their starts. */
  readonly unclosed: readonly UnclosedRun[];
  /** The events of each run as far as they were read; for one that has ended, without deltas. */
  readonly past: Map<RunId, readonly RunEvent[]>;
  /** The log first, then the tail. */
  read(file: FileHandle, name: LogFileName): Promise<ScannedFile>;
}

type ReadLine = LinePlace & { readonly number: number } & (
    | { readonly rested: RestedEvent }
    | { readonly problem: string }
  );

const newline = 0x0a;
const chunkBytes = 256 * 1024;

export function createSessionScan(): SessionScan {
  const index = createLogIndex();
  const unclosed = new Map<RunId, UnclosedRun>();
  const past = new Map<RunId, RunEvent[]>();

  function take(event: RunEvent): void {
    const { runId } = event;
    const events = past.get(runId);
    if (events) events.push(event);
    else past.set(runId, [event]);
    if (event.type === "run.closed") {
      unclosed.delete(runId);
      if (events) past.set(runId, events.filter(isLasting));
      return;
    }
    const state = evolve(unclosed.get(runId)?.state ?? initialState, event);
    unclosed.set(runId, { state, lastAt: event.at });
  }

  return {
    index,
    get unclosed() {
      return [...unclosed.values()];
    },
    past,
    async read(file, name) {
      const scan = createFileScan(index, name, take);
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
    },
  };
}

const isLasting = (event: RunEvent): boolean => !isDelta(event);

function createFileScan(index: LogIndex, name: LogFileName, take: (event: RunEvent) => void) {
  let batch: ReadLine[] = [];
  let position = 0;
  let lines = 0;
  let end = 0;
  let lacksNewline = false;
  let broken: ScannedFile["broken"];

  function readLine(bytes: Buffer): ReadLine {
    lines += 1;
    const place = { start: position, length: bytes.length, number: lines };
    position += bytes.length + 1;
    if (!isUtf8(bytes)) return { ...place, problem: "it is not UTF-8" };
    const parsed = parseRestedLine(bytes.toString("utf8"));
    if (parsed.status === "malformed") return { ...place, problem: parsed.problem };
    return { ...place, rested: parsed.rested };
  }

  /** A batch is taken whole, or named as broken and not taken at all. */
  function takeBatch(): boolean {
    const found: { readonly rested: RestedEvent; readonly place: LinePlace }[] = [];
    for (const line of batch) {
      if (!("rested" in line)) {
        broken = { line: line.number, problem: line.problem };
        return false;
      }
      const { start, length } = line;
      found.push({ rested: line.rested, place: { start, length } });
    }
    const isRested = found.some(({ rested }) => rested.rhythm !== undefined);
    const problem = isRested ? restedProblem(batch) : misplacement(batch);
    if (problem !== undefined) {
      broken = problem;
      return false;
    }
    if (isRested) {
      const last = found.at(-1)?.rested.event;
      const places = found.map(({ place }) => place);
      if (last) index.addRested(last.runId, places, last.seq, last.type === "run.closed");
      for (const { rested } of found) take(rested.event);
    } else {
      for (const { rested, place } of found) takeEvent(rested.event, place);
    }
    batch = [];
    end = position;
    return true;
  }

  function takeEvent(event: RunEvent, place: LinePlace): void {
    if (isAtRest(event)) return;
    index.add(event, name, place);
    take(event);
  }

  /** A run at rest may still be in the tail: its process ended between the two writes. */
  function isAtRest({ runId, seq }: RunEvent): boolean {
    return name === "tail" && index.isClosed(runId) && seq <= index.seqOf(runId);
  }

  function misplacement(given: readonly ReadLine[]): ScannedFile["broken"] {
    const seqs = new Map<RunId, number>();
    for (const line of given) {
      if (!("rested" in line)) continue;
      const { event } = line.rested;
      if (isAtRest(event)) continue;
      const { runId, seq } = event;
      const expected = (seqs.get(runId) ?? index.seqOf(runId)) + 1;
      seqs.set(runId, expected);
      if (seq === expected) continue;
      const problem = `run ${runId} goes on at seq ${expected}, and this is seq ${seq}`;
      return { line: line.number, problem };
    }
    return undefined;
  }

  /** Events at rest represent all positions of one run after its last one. */
  function restedProblem(given: readonly ReadLine[]): ScannedFile["broken"] {
    const found = given.flatMap((line) => ("rested" in line ? [line.rested] : []));
    const line = given[0]?.number ?? lines;
    const [first] = found;
    const runId = first?.event.runId;
    if (runId === undefined || found.some(({ event }) => event.runId !== runId)) {
      return { line, problem: "events of several runs come to rest together" };
    }
    const seqs = found.flatMap(seqsOf).sort((one, other) => one - other);
    const after = index.seqOf(runId);
    const missing = seqs.findIndex((seq, at) => seq !== after + 1 + at);
    if (missing === -1) return undefined;
    return { line, problem: `seq ${after + 1 + missing} of run ${runId} is missing` };
  }

  return {
    /** False when the log is broken here. */
    takeLine(bytes: Buffer): boolean {
      if (isBlankLine(bytes)) {
        lines += 1;
        position += bytes.length + 1;
        if (batch.length === 0) end = position;
        return true;
      }
      batch.push(readLine(bytes));
      return isContinued(bytes) || takeBatch();
    },
    /** The text after the last newline: a batch without its own newline, or a torn one. */
    takeLastPiece(bytes: Buffer): void {
      if (isBlankLine(bytes) || isContinued(bytes)) return;
      batch.push(readLine(bytes));
      lacksNewline = takeBatch();
      if (lacksNewline) end -= 1;
      else broken = undefined;
    },
    result: (): ScannedFile => ({ end, lacksNewline, ...(broken ? { broken } : {}) }),
  };
}

function isBlankLine(line: Buffer): boolean {
  return line.every((byte) => byte === 0x20 || byte === 0x09 || byte === 0x0d);
}
