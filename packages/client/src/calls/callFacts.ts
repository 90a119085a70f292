/**
 * Facts about a call that were told in other words than the log's, as events of the log: so there is
 * one way from facts to what a board draws, whoever told them. The events made here have no place in a
 * log of their own; their `seq` means nothing.
 */
import {
  type CallEvent,
  callId as callIdOf,
  callIdSchema,
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

/** Of which run, and when: milliseconds since the epoch. */
export interface Stamp {
  readonly runId: RunId;
  readonly at: number;
}

export interface CallIdentity {
  readonly callId: string;
  readonly toolName: string;
}

/** What every event made here begins with. */
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

/** What of a piece is news, where it says at which offset of the text it starts. */
export function unseen(text: string, piece: string, offset = text.length): string {
  return offset >= text.length ? piece : piece.slice(text.length - offset);
}

/** One call as far as it is known, and the memory to go on from. */
export interface KnownCall {
  readonly memory: TracksMemory;
  readonly track: CallTrack | undefined;
}

const tracks = createTracksProjection();

export const unknownCall: KnownCall = { memory: tracks.initial, track: undefined };

/** The call after more facts, by the heart's own projection. Nothing follows a closing. */
export function knownAfter(call: KnownCall, facts: readonly CallEvent[]): KnownCall {
  return facts.reduce<KnownCall>((known, fact) => {
    if (known.track?.outcome !== undefined) return known;
    const { memory, outputs } = tracks.step(known.memory, fact, noRun);
    return { memory, track: outputs.at(-1) ?? known.track };
  }, call);
}
