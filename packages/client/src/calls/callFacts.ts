/**
 * Facts about a call in other forms than the log's, as events of the log: so there is one path from facts to what a
 * board draws, for every source. The events made here have no place in a log of their own; their `seq` has no meaning.
 */
import {
  type CallEvent,
  callId as callIdOf,
  type EventOf,
  type JsonValue,
  LOG_VERSION,
  messageId,
  type RunId,
} from "@callboard/run-log";
import {
  type CallTrack,
  createTracksProjection,
  noRun,
  type TracksMemory,
} from "@callboard/run-log/projections";
import { callIdSchema } from "@callboard/run-log/writing";

/** Of which run, and when: milliseconds since the epoch. */
export interface Stamp {
  readonly runId: RunId;
  readonly at: number;
}

export interface CallIdentity {
  readonly callId: string;
  readonly toolName: string;
}

/** The start of every event made here. */
export function factOf({ runId, at }: Stamp, id: string) {
  const callId = callIdSchema.safeParse(id).data ?? callIdOf("unnamed");
  return { v: LOG_VERSION, runId, seq: 1, at, callId } as const;
}

export function openedFact(
  stamp: Stamp,
  { callId, toolName }: CallIdentity,
  more: Partial<EventOf<"call.opened">> = {},
): EventOf<"call.opened"> {
  return {
    type: "call.opened",
    messageId: messageId("unknown"),
    toolName: toolName === "" ? "tool" : toolName,
    toolType: "local",
    ...more,
    ...factOf(stamp, callId),
  };
}

export function inputFact(stamp: Stamp, callId: string, input: JsonValue): CallEvent {
  return { ...factOf(stamp, callId), type: "call.input.closed", parsed: true, input };
}

/** The new part of a piece, if the piece has its offset in the text. */
export function unseen(text: string, piece: string, offset = text.length): string {
  return offset >= text.length ? piece : piece.slice(text.length - offset);
}

/** One call as far as it is known, and the memory to continue from. */
export interface KnownCall {
  readonly memory: TracksMemory;
  readonly track: CallTrack | undefined;
}

const tracks = createTracksProjection();

export const unknownCall: KnownCall = { memory: tracks.initial, track: undefined };

/** The call after more facts, by the projection of `run-log`. Nothing follows a closing. */
export function knownAfter(call: KnownCall, facts: readonly CallEvent[]): KnownCall {
  return facts.reduce<KnownCall>((known, fact) => {
    if (known.track?.outcome !== undefined) return known;
    const { memory, outputs } = tracks.step(known.memory, fact, noRun);
    return { memory, track: outputs.at(-1) ?? known.track };
  }, call);
}
