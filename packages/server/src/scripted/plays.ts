/**
 * Runs that are generated while they are read: the id of a run contains its script, so that any reader can request any
 * of them without a start. Pure except for the pace, which the clock sets.
 */
import { randomUUID } from "node:crypto";
import type { Clock } from "@callboard/agent-sdk";
import { conversationId, LOG_VERSION, type RunEvent, runId as runIdOf } from "@callboard/run-log";

export type Play =
  /** So many events of so many characters, as fast as they can be made. */
  | { readonly type: "flood"; readonly events: number; readonly chars: number }
  /** So many events, one every so many milliseconds, each with the time at which it was made. */
  | { readonly type: "pulse"; readonly events: number; readonly everyMs: number }
  /** Starts and stays silent. */
  | { readonly type: "silence" };

const kinds = { flood: "f100", pulse: "b1ea", silence: "5111" } as const;

/** An id for a run that does this; another one each time. */
export function playId(play: Play): string {
  const [, second = "", ...rest] = randomUUID().split("-");
  const numbers =
    play.type === "flood"
      ? [play.events, play.chars]
      : play.type === "pulse"
        ? [play.events, play.everyMs]
        : [0, 0];
  const [events = 0, size = 0] = numbers;
  const hex = (value: number, digits: number): string => value.toString(16).padStart(digits, "0");
  const last = `${hex(events, 6)}${hex(size, 6)}`;
  return [`${kinds[play.type]}${second}`, second, ...rest.slice(0, 2), last].join("-");
}

export function playOf(runId: string): Play {
  const events = Number.parseInt(runId.slice(24, 30), 16);
  const size = Number.parseInt(runId.slice(30, 36), 16);
  switch (runId.slice(0, 4)) {
    case kinds.flood:
      return { type: "flood", events, chars: size };
    case kinds.pulse:
      return { type: "pulse", events, everyMs: size };
    default:
      return { type: "silence" };
  }
}

/** How many events the run has when it is over. */
export function lengthOf(play: Play): number {
  return play.type === "silence" ? Number.MAX_SAFE_INTEGER : play.events + 2;
}

/** The event at a position. The times of a pulse are those of its making. */
export function eventAt(id: string, play: Play, seq: number, at: number): RunEvent {
  const place = { v: LOG_VERSION, runId: runIdOf(id), seq, at } as const;
  if (seq === 1) {
    const conversation = conversationId(id);
    return { ...place, type: "run.started", conversationId: conversation, model: "scripted" };
  }
  if (seq === lengthOf(play)) {
    const usage = { inputTokens: 0, outputTokens: 0 };
    return { ...place, type: "run.closed", outcome: "ok", usage, calls: 0 };
  }
  const data = play.type === "flood" ? `${seq} `.padEnd(play.chars, "flood ") : { seq, at };
  return { ...place, type: "data.emitted", data };
}

const eventsATurn = 16;

/** The run as it goes; a flood lets others have their turn now and then. */
export async function* played(id: string, after: number, clock: Clock): AsyncGenerator<RunEvent> {
  const play = playOf(id);
  const length = lengthOf(play);
  for (let seq = after + 1; seq <= length; seq += 1) {
    if (play.type === "pulse" && seq > 1) await clock.sleep(play.everyMs);
    if (play.type === "silence" && seq > 1) return silence();
    if (seq % eventsATurn === 0) await new Promise((resolve) => setImmediate(resolve));
    yield eventAt(id, play, seq, clock.now());
  }
}

function silence(): Promise<never> {
  return new Promise(() => undefined);
}
