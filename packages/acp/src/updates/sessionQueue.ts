/**
 * The pending updates of one session, in order. Updates of one call, terminal or message wait as one; a boundary makes
 * everything before it due. It has no clock: the time is an argument.
 */
import type { JsonObject } from "@callboard/run-log";
import { type CallDiffer, createCallDiffer, type DifferSetup } from "./callDiffer.js";
import { type Pace, type Rhythm, waitOf } from "./pace.js";
import type { Sending } from "./sending.js";
import type { SessionUpdate } from "./sessionUpdate.js";
import {
  createMessageDiffer,
  createTerminalDiffer,
  createWholeDiffer,
  isSameMessage,
  type PendingUpdate,
} from "./streamDiffers.js";
import {
  isMessage,
  isOfCall,
  isOfTerminal,
  isReopening,
  requestNameOf,
  rhythmOf,
  terminalsIn,
  wholeKinds,
} from "./updateKinds.js";

export type Taken = "queued" | "merged" | "suppressed";

export interface SessionQueue {
  take(update: SessionUpdate, now: number): Taken;
  /** The next update that is due, if any. */
  next(now: number): Sending | undefined;
  /** Makes everything due that waits. */
  hasten(): void;
  /** The pending fields of an open call, removed from the queue for a message that names the call. */
  carry(toolCallId: string): Sending | undefined;
  /** While held, a boundary makes nothing due: a replay is merged to whole calls. */
  isHeld: boolean;
  readonly isEmpty: boolean;
  /** About how many characters the pipe has not taken although they are due, or wait to be appended. */
  backlogChars(now: number): number;
  /** When the next thing becomes due. */
  readonly dueAt: number | undefined;
  callOf(toolCallId: string): CallDiffer | undefined;
  /** Another message contained these fields of a call: the client has them, also of a call that it did not have yet. */
  shown(toolCallId: string, fields: JsonObject): void;
  /** The client knows that the call is over: nothing about it is sent any more. */
  withdraw(toolCallId: string): void;
  /** The calls that have no final status yet, in the order of their opening. */
  openCalls(): readonly string[];
}

interface Entry {
  readonly owed: PendingUpdate;
  /** Under which later updates find it. */
  readonly key?: string;
  rhythm: Rhythm;
  readonly message?: SessionUpdate;
  /** Terminals that a client has to know before this call, which shows them. */
  before?: readonly Entry[];
  flushes: number;
  dueAt: number;
}

const always = Number.NEGATIVE_INFINITY;
const never = Number.POSITIVE_INFINITY;
const patientKinds: ReadonlySet<string> = new Set(["usage_update"]);
/** The size of a pending item in addition to its text. */
const entryChars = 1_024;
/** How many ended calls are remembered, to refuse what comes late. */
const keptEnds = 10_000;

export function createSessionQueue(setup: DifferSetup, pace: Pace): SessionQueue {
  const known = new Map<string, Entry>();
  const calls = new Map<string, CallDiffer>();
  const ended = new Set<string>();
  /** Calls that the client has from another message alone. */
  const introduced = new Set<string>();
  /** The terminals that calls have shown. */
  const terminals = new Set<string>();
  /** A set, so that a replay of any length is queued and sent in linear time. */
  let queue = new Set<Entry>();
  let newest: Entry | undefined;
  let isHeld = false;

  function queueEntry(entry: Entry, now: number): Taken {
    const isWaiting = queue.has(entry);
    if (!isWaiting) {
      entry.dueAt = isHeld ? never : now + waitOf(entry.rhythm, entry.flushes, pace);
      queue.add(entry);
      newest = entry;
    }
    if (!isHeld && entry.owed.heldChars > pace.maxHeldChars) entry.dueAt = always;
    return isWaiting ? "merged" : "queued";
  }

  function entryFor(key: string, rhythm: Rhythm, create: () => PendingUpdate): Entry {
    const entry = known.get(key) ?? { owed: create(), key, rhythm, flushes: 0, dueAt: 0 };
    entry.rhythm = rhythm;
    known.set(key, entry);
    return entry;
  }

  function hasten(): void {
    for (const entry of queue) entry.dueAt = always;
  }

  function moveToEnd(entry: Entry): void {
    queue.delete(entry);
    queue.add(entry);
    newest = entry;
  }

  function takeCall(id: string, update: SessionUpdate, now: number): Taken {
    if (ended.has(id) && !isReopening(update)) return "suppressed";
    ended.delete(id);
    // The agent's own opening is sent as one, and whole: clients replace what they have of the call.
    if (update.sessionUpdate === "tool_call" && introduced.delete(id)) forgetCall(id);
    const picture = calls.get(id) ?? createCallDiffer(id, setup);
    const status = picture.fieldOf("status");
    const isOpening = !calls.has(id);
    calls.set(id, picture);
    const rhythm = rhythmOf(update);
    const isNews = picture.take(update);
    if (!isNews && !isOpening) return "suppressed";
    const entry = entryFor(`call ${id}`, rhythm, () => picture);
    const taken = queueEntry(entry, now);
    const isMoved = picture.fieldOf("status") !== status;
    // Text after a boundary is another stream: its first words are sent soon again.
    if (isOpening || isMoved) entry.flushes = -1;
    if (picture.isClosed) {
      // Whatever was printed for the call must not come after its end.
      moveToEnd(entry);
      endCall(id);
    }
    const hasNewTerminal = notedTerminals(update, entry);
    if (!isHeld && (isOpening || isMoved || hasNewTerminal)) hasten();
    return taken;
  }

  function forgetCall(id: string): void {
    calls.delete(id);
    known.delete(`call ${id}`);
    introduced.delete(id);
  }

  function endCall(id: string): void {
    forgetCall(id);
    ended.add(id);
    const [oldest] = ended;
    if (ended.size > keptEnds && oldest !== undefined) ended.delete(oldest);
  }

  /** Whether the call shows a terminal for the first time: a question to the client about it may follow at once. */
  function notedTerminals({ content }: SessionUpdate, call: Entry): boolean {
    const news = terminalsIn(content).filter((id) => !terminals.has(id));
    for (const id of news) {
      terminals.add(id);
      const terminal = known.get(`terminal ${id}`);
      if (terminal) call.before = [...(call.before ?? []), terminal];
    }
    return news.length > 0;
  }

  /** An entry that is due, after the terminals that it shows and that wait still. */
  function* inOrder(due: Entry): Generator<Entry> {
    for (let [first, ...others] = due.before ?? []; first; [first, ...others] = others) {
      due.before = others;
      if (queue.has(first)) yield first;
    }
    yield due;
  }

  function takeMessage(update: SessionUpdate, now: number): Taken {
    const last = newest !== undefined && queue.has(newest) ? newest : undefined;
    const joins = last?.message !== undefined && isSameMessage(last.message, update);
    const entry: Entry = joins
      ? last
      : {
          owed: createMessageDiffer(update, setup.limits.maxText),
          ...{ rhythm: "message", message: update, flushes: 0, dueAt: 0 },
        };
    return entry.owed.take(update) ? queueEntry(entry, now) : "suppressed";
  }

  function takeOther(kind: string, update: SessionUpdate, now: number): Taken {
    const entry: Entry = wholeKinds.has(kind)
      ? entryFor(`whole ${kind}`, "whole", createWholeDiffer)
      : { owed: createWholeDiffer(), rhythm: "whole", flushes: 0, dueAt: 0 };
    if (!entry.owed.take(update)) return "suppressed";
    const taken = queueEntry(entry, now);
    if (!patientKinds.has(kind) && !isHeld) hasten();
    return taken;
  }

  return {
    take(update, now) {
      const { sessionUpdate: kind, toolCallId, terminalId } = update;
      if (isOfCall(update)) return takeCall(requestNameOf(toolCallId), update, now);
      if (isOfTerminal(update)) {
        const id = requestNameOf(terminalId);
        const create = () => createTerminalDiffer(id, setup.limits.maxText);
        const entry = entryFor(`terminal ${id}`, "append", create);
        if (!entry.owed.take(update)) return "suppressed";
        const taken = queueEntry(entry, now);
        // Only what is printed makes the next wait longer.
        if (kind !== "terminal_output_chunk") entry.flushes = -1;
        return taken;
      }
      return isMessage(update) ? takeMessage(update, now) : takeOther(kind, update, now);
    },
    next(now) {
      for (const due of queue) {
        if (due.dueAt > now) continue;
        for (const entry of inOrder(due)) {
          const sending = entry.owed.next();
          if (!entry.owed.isOwed) {
            queue.delete(entry);
            entry.flushes += 1;
            if (entry.owed.isOver && entry.key !== undefined) known.delete(entry.key);
          }
          if (sending) return requeuing(sending, entry);
        }
      }
      return undefined;
    },
    hasten,
    carry(toolCallId) {
      const entry = known.get(`call ${toolCallId}`);
      const sending = calls.get(toolCallId)?.carry();
      if (!entry || !sending) return undefined;
      queue.delete(entry);
      const requeued = requeuing(sending, entry);
      return { ...requeued, fail: () => (ended.has(toolCallId) ? undefined : requeued.fail()) };
    },
    get isHeld() {
      return isHeld;
    },
    set isHeld(held) {
      isHeld = held;
    },
    get isEmpty() {
      return queue.size === 0;
    },
    backlogChars(now) {
      let chars = 0;
      for (const { owed, dueAt } of queue) {
        const isDue = dueAt <= now;
        chars += isDue ? entryChars + (owed.owedChars ?? owed.heldChars) : owed.heldChars;
      }
      return chars;
    },
    get dueAt() {
      const [first] = queue;
      // The held updates become due as a whole.
      if (isHeld || first === undefined) return first?.dueAt;
      let soonest = first.dueAt;
      for (const { dueAt } of queue) soonest = Math.min(soonest, dueAt);
      return soonest;
    },
    callOf: (toolCallId) => calls.get(toolCallId),
    shown(toolCallId, fields) {
      const picture = calls.get(toolCallId);
      if (picture) return picture.shown(fields);
      introduced.add(toolCallId);
      calls.set(toolCallId, createCallDiffer(toolCallId, setup, fields));
    },
    withdraw: endCall,
    openCalls: () => [...calls.keys()],
  };

  /** A failed update comes first again, and is tried before anything else of the session. */
  function requeuing(sending: Sending, entry: Entry): Sending {
    return {
      ...sending,
      fail() {
        sending.fail();
        entry.dueAt = always;
        if (!queue.has(entry)) queue = new Set([entry, ...queue]);
      },
    };
  }
}
