/**
 * Other logs with the same meaning as a given one: without its deltas, with deltas repeated, overlapping
 * or merged, with parallel calls interleaved in another way, or continued to its end. Laws compare them.
 */
import {
  type CallEvent,
  createRecorder,
  type EventOf,
  evolve,
  initialState,
  type RunEvent,
} from "@callboard/run-log";
import type { Random } from "./torture/random.js";

type OutputEvent = EventOf<"call.run.progressed">;
type TextDelta = EventOf<"text.delta" | "reasoning.delta" | "call.input.delta">;

/** One shape for the four kinds of delta. */
export interface DeltaView {
  /** Names the text that grows. */
  readonly target: string;
  readonly offset: number;
  readonly text: string;
  /** The same delta with another reach. */
  readonly reaching: (offset: number, text: string, place?: Place) => RunEvent;
}

interface Place {
  readonly seq: number;
  readonly from?: number;
}

export function deltaViewOf(event: RunEvent): DeltaView | undefined {
  switch (event.type) {
    case "text.delta":
    case "reasoning.delta":
      return textDeltaView(event, `part ${event.partId}`);
    case "call.input.delta":
      return textDeltaView(event, `input ${event.callId}`);
    case "call.run.progressed":
      return outputDeltaView(event);
    default:
      return undefined;
  }
}

function textDeltaView(event: TextDelta, target: string): DeltaView {
  const { offset, text } = event;
  const reaching = (newOffset: number, newText: string, place?: Place): RunEvent => ({
    ...event,
    ...place,
    offset: newOffset,
    text: newText,
  });
  return { target, offset, text, reaching };
}

function outputDeltaView(event: OutputEvent): DeltaView | undefined {
  const { progress } = event;
  if (progress.type !== "output") return undefined;
  const { offset, text } = progress;
  const reaching = (newOffset: number, newText: string, place?: Place): RunEvent => ({
    ...event,
    ...place,
    progress: { type: "output", offset: newOffset, text: newText },
  });
  return { target: `output ${event.callId}`, offset, text, reaching };
}

/** The log continued to its end, by the same closings that abort and recovery use. */
export function closedLog(log: readonly RunEvent[]): readonly RunEvent[] {
  const last = log.at(-1);
  if (last === undefined || last.type === "run.closed") return log;
  const recorder = createRecorder(() => last.at, log);
  const decision = recorder.propose({ type: "closeRun", outcome: "interrupted" });
  return decision.status === "accepted" ? [...log, ...decision.events] : log;
}

/** Positions are left as they were: a reader sees where something is missing. */
export function withoutDeltas(log: readonly RunEvent[]): readonly RunEvent[] {
  return log.filter((event) => deltaViewOf(event) === undefined);
}

/** Every delta comes twice in a row, as a reconnect may send it. */
export function withDoubledDeltas(log: readonly RunEvent[]): readonly RunEvent[] {
  return log.flatMap((event) => (deltaViewOf(event) ? [event, event] : [event]));
}

/** Every delta is written down twice, the second time at a position of its own. */
export function withRewrittenDeltas(log: readonly RunEvent[]): readonly RunEvent[] {
  return renumbered(withDoubledDeltas(log));
}

/** Every delta reaches back into the text before it. */
export function withOverlappingDeltas(
  log: readonly RunEvent[],
  random: Random,
): readonly RunEvent[] {
  const texts = new Map<string, string>();
  return log.map((event) => {
    const delta = deltaViewOf(event);
    if (!delta) return event;
    const before = texts.get(delta.target) ?? "";
    texts.set(delta.target, before + delta.text);
    const offset = random.int(delta.offset + 1);
    return delta.reaching(offset, before.slice(offset) + delta.text);
  });
}

/** Neighbours of one text become one delta that covers both positions. */
export function withMergedDeltas(log: readonly RunEvent[], random: Random): readonly RunEvent[] {
  const merged: RunEvent[] = [];
  for (const event of log) {
    const last = merged.at(-1);
    const before = last && deltaViewOf(last);
    const delta = deltaViewOf(event);
    const isNeighbour = before && delta && before.target === delta.target;
    if (isNeighbour && random.next() < 0.7) {
      const place = { seq: event.seq, from: firstSeqOf(last) };
      merged[merged.length - 1] = before.reaching(before.offset, before.text + delta.text, place);
    } else {
      merged.push(event);
    }
  }
  return merged;
}

export function firstSeqOf(event: RunEvent): number {
  return "from" in event && event.from !== undefined ? event.from : event.seq;
}

/** Neighbours that concern different calls change places, as often as chance wants. */
export function reinterleaved(log: readonly RunEvent[], random: Random): readonly RunEvent[] {
  const moved = [...log];
  for (let round = 0; round < log.length * 4; round += 1) {
    const index = random.int(Math.max(1, moved.length - 1));
    const [left, right] = [moved[index], moved[index + 1]];
    if (left && right && areIndependent(left, right)) moved.splice(index, 2, right, left);
  }
  const inOrder = renumbered(moved);
  return inOrder.reduce(evolve, initialState).faultCount === 0 ? inOrder : log;
}

function areIndependent(left: RunEvent, right: RunEvent): boolean {
  return isInCall(left) && isInCall(right) && left.callId !== right.callId;
}

/** Openings and closings stay in their order: nested calls depend on it. */
function isInCall(event: RunEvent): event is Exclude<CallEvent, { type: "call.opened" }> {
  return "callId" in event && event.type !== "call.opened" && event.type !== "call.closed";
}

export function renumbered(log: readonly RunEvent[]): readonly RunEvent[] {
  return log.map((event, index) => ({ ...event, seq: index + 1 }));
}
