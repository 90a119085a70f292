/**
 * When a run rests: its model has no more text, and only calls in the background continue. For an editor the turn is
 * over then; the results of the calls come after it. It only reads a run's events and keeps nothing but the last of
 * them.
 */
import { messageOf, openCallsOf, queueOf, type RunEvent, type RunState } from "@callboard/run-log";

export interface RestWatch {
  /** Called for every event of a run, with the run after it. */
  push(event: RunEvent, run: RunState): "rests" | "goesOn" | undefined;
  /** The messages of the person that were read since the last rest. */
  takeMessages(): readonly string[];
}

export function createRestWatch(): RestWatch {
  let messages: string[] = [];
  /** The last message in which the run's own model called a tool: the model is called again with the results. */
  let calling: string | undefined;
  let isResting = false;
  return {
    push(event, run) {
      if (event.type === "call.opened") {
        if (event.parentCallId === undefined) calling = event.messageId;
        return undefined;
      }
      if (event.type !== "message.opened" && event.type !== "message.closed") return undefined;
      const message = messageOf(run, event.messageId);
      if (!message || message.parentCallId !== undefined) return undefined;
      if (event.type === "message.opened") {
        if (message.role === "user") messages.push(event.messageId);
        const wasResting = isResting;
        isResting = false;
        return wasResting ? "goesOn" : undefined;
      }
      if (message.role !== "assistant" || event.messageId === calling) return undefined;
      isResting = backgroundOf(run).length > 0 && hasOnlyBackground(run);
      return isResting ? "rests" : undefined;
    },
    takeMessages() {
      const taken = messages;
      messages = [];
      return taken;
    },
  };
}

/** The calls of the run in the background. */
export function backgroundOf(run: RunState): readonly string[] {
  return openCallsOf(run)
    .filter((call) => call.status === "running" && call.execution.isDetached)
    .map(({ callId }) => callId);
}

function hasOnlyBackground(run: RunState): boolean {
  const background = new Set(backgroundOf(run));
  const own = openCallsOf(run).filter(({ parentCallId }) => parentCallId === undefined);
  return own.every(({ callId }) => background.has(callId)) && queueOf(run).length === 0;
}
