/**
 * A run idles when its model has ended its answer and nothing continues but calls in the background. For a person the
 * turn is over then; the run is open, and its model is called again when a call ends or a message comes.
 */
import type { EventOf, RunEvent } from "./events/index.js";
import type { CallId, MessageId } from "./ids.js";
import { queueOf } from "./queue.js";
import { messageOf, openCallsOf, type RunState } from "./state.js";

export interface Idling {
  readonly isIdle: boolean;
  /** The last message in which the run's own model called a tool: the model is called again with the results. */
  readonly calling?: MessageId;
  /** Whether a turn of the person has ended, and whether the person has sent a message since: the model's next answer starts another one. */
  readonly turn?: "ended" | "asked";
  /** The last message with which the person started another turn in this run. */
  readonly answering?: MessageId;
}

export const notIdling: Idling = { isIdle: false };

/** `run` is the run after the event. The same object if nothing changed. */
export function idlingAfter(idling: Idling, event: RunEvent, run: RunState): Idling {
  switch (event.type) {
    case "call.opened":
      return event.parentCallId === undefined ? { ...idling, calling: event.messageId } : idling;
    case "run.closed":
      return { ...idling, isIdle: false };
    case "message.opened":
      return event.parentCallId === undefined ? spokenIn(idling, event) : idling;
    case "message.closed": {
      const message = messageOf(run, event.messageId);
      if (message?.role !== "assistant" || message.parentCallId !== undefined) return idling;
      if (event.messageId === idling.calling || !hasOnlyBackground(run)) return idling;
      return { ...idling, isIdle: true, turn: "ended" };
    }
    default:
      return idling;
  }
}

function spokenIn(idling: Idling, { role, messageId }: EventOf<"message.opened">): Idling {
  const { turn, ...rest } = idling;
  if (role === "user") {
    if (turn === undefined) return idling;
    return { ...rest, isIdle: false, turn: "asked", answering: messageId };
  }
  // The end of a call resumed the model: its answer belongs to the turn that has ended.
  if (turn === "ended") return { ...idling, isIdle: false };
  return turn === undefined ? idling : { ...rest, isIdle: false };
}

/** The calls of the run in the background. */
export function backgroundOf(run: RunState): readonly CallId[] {
  return openCallsOf(run)
    .filter((call) => call.status === "running" && call.execution.isDetached)
    .map(({ callId }) => callId);
}

function hasOnlyBackground(run: RunState): boolean {
  const background = new Set(backgroundOf(run));
  const own = openCallsOf(run).filter(({ parentCallId }) => parentCallId === undefined);
  if (background.size === 0 || queueOf(run).length > 0) return false;
  return own.every(({ callId }) => background.has(callId));
}
