/** The checker's findings at their places: on a line of the tape, and on their call. Pure. */
import { type CallKey, trackKey } from "../board/trackKey.js";
import type { LineProblem, LogLine } from "./tape.js";

/** `line` counts the lines of the file from 1. */
export interface LineFinding {
  readonly line: number;
  readonly rule: string;
  readonly message: string;
  readonly callId?: string;
}

/** `numbers` are those of the lines in the file, rising: blank lines of it are not on the tape. */
export function markedLines(
  lines: readonly LogLine[],
  numbers: readonly number[],
  findings: readonly LineFinding[],
): readonly LogLine[] {
  if (findings.length === 0) return lines;
  const found = new Map<number, LineFinding[]>();
  for (const finding of findings) {
    const index = indexOfLine(numbers, finding.line);
    const known = found.get(index);
    if (known) known.push(finding);
    else found.set(index, [finding]);
  }
  const named = new Set<string>();
  const lastNamed = new Map<string, CallKey>();
  return lines.map((line, index) => {
    const own = keyIn(line);
    if (own) {
      named.add(trackKey(own));
      lastNamed.set(own.callId, own);
    }
    const problems = found.get(index)?.map(({ rule, message, callId }): LineProblem => {
      // The end of a run, a turn or the stream brings faults of calls that its line does not name.
      const inRun = callId !== undefined &&
        line.runId !== undefined && { runId: line.runId, callId };
      const call =
        callId === undefined
          ? own
          : inRun && named.has(trackKey(inRun))
            ? inRun
            : lastNamed.get(callId);
      return { text: `${rule}: ${message}`, ...(call && { call }) };
    });
    return problems ? { ...line, problems } : line;
  });
}

/** The line of the tape for one of the file: itself, or the last before it. */
export function indexOfLine(numbers: readonly number[], line: number): number {
  let [low, high] = [0, numbers.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((numbers[middle] ?? 0) <= line) low = middle + 1;
    else high = middle;
  }
  return Math.max(0, low - 1);
}

function keyIn({ runId, callId }: LogLine): CallKey | undefined {
  return runId === undefined || callId === undefined ? undefined : { runId, callId };
}
