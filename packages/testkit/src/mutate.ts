/**
 * Corrupts a history in the ways of disks, sockets and careless readers. The result still consists of events, but is
 * seldom a valid log.
 */
import { type CallId, type MessageId, type RunEvent, runId } from "@callboard/run-log";
import type { Random } from "./torture/random.js";
import { deltaViewOf } from "./variations.js";

export const mutationKinds = [
  "drop",
  "double",
  "reorder",
  "truncate",
  "swapIds",
  "corruptOffset",
  "overlap",
  "splice",
] as const;
export type MutationKind = (typeof mutationKinds)[number];

export interface MutatedHistory {
  readonly history: readonly RunEvent[];
  readonly kinds: readonly MutationKind[];
}

/** One to three mutations, one after the other. */
export function mutate(log: readonly RunEvent[], random: Random): MutatedHistory {
  const kinds = Array.from({ length: 1 + random.int(3) }, () => random.pick(mutationKinds));
  const history = kinds.reduce((events, kind) => mutatedBy(kind, events, random), log);
  return { history, kinds };
}

export function mutatedBy(
  kind: MutationKind,
  log: readonly RunEvent[],
  random: Random,
): readonly RunEvent[] {
  if (log.length === 0) return log;
  const at = random.int(log.length);
  const count = 1 + random.int(3);
  switch (kind) {
    case "drop":
      return log.toSpliced(at, count);
    case "double":
      return log.toSpliced(random.int(log.length + 1), 0, ...log.slice(at, at + count));
    case "reorder": {
      const moved = log.slice(at, at + count);
      const rest = log.toSpliced(at, count);
      return rest.toSpliced(random.int(rest.length + 1), 0, ...moved);
    }
    case "truncate":
      return log.slice(0, at);
    case "swapIds":
      return swappedIds(log, at, random);
    case "corruptOffset":
      return withDelta(log, at, (offset, text) => [Math.max(0, offset + random.int(9) - 4), text]);
    case "overlap":
      return withDelta(log, at, (offset, text) => {
        const back = random.int(offset + 1);
        return [offset - back, "?".repeat(back) + text];
      });
    case "splice":
      return log.toSpliced(at, 0, ...ofAnotherRun(log.slice(at, at + count)));
    default:
      return kind satisfies never;
  }
}

/** Gives one event the ids of another. */
function swappedIds(log: readonly RunEvent[], at: number, random: Random): readonly RunEvent[] {
  const donor = random.pick(log);
  const event = log[at];
  if (!event) return log;
  return log.toSpliced(at, 1, {
    ...event,
    ...("callId" in event && "callId" in donor ? { callId: donor.callId } : {}),
    ...(hasMessageId(event) && hasMessageId(donor) ? { messageId: donor.messageId } : {}),
  });
}

function hasMessageId(
  event: RunEvent,
): event is RunEvent & { readonly messageId: MessageId; readonly callId?: CallId } {
  return "messageId" in event && event.messageId !== undefined;
}

/** Changes the first delta at or after a place. */
function withDelta(
  log: readonly RunEvent[],
  at: number,
  change: (offset: number, text: string) => readonly [number, string],
): readonly RunEvent[] {
  for (let index = at; index < log.length; index += 1) {
    const event = log[index];
    const delta = event && deltaViewOf(event);
    if (delta) return log.toSpliced(index, 1, delta.reaching(...change(delta.offset, delta.text)));
  }
  return log;
}

const otherRun = runId("run_other");

function ofAnotherRun(events: readonly RunEvent[]): readonly RunEvent[] {
  return events.map((event) => ({ ...event, runId: otherRun }));
}
