/**
 * When a run rests, and which messages of the person were read until then: their turns are over, and the results of the
 * calls in the background come after them. It only reads a run's events and keeps nothing but the last of them.
 */
import type { RunEvent, RunState } from "@callboard/run-log";
import { idlingAfter, notIdling } from "@callboard/run-log/projections";

export interface RestWatch {
  /** Called for every event of a run, with the run after it. */
  push(event: RunEvent, run: RunState): "rests" | "goesOn" | undefined;
  /** The messages of the person that were read since the last rest. */
  takeMessages(): readonly string[];
}

export function createRestWatch(): RestWatch {
  let messages: string[] = [];
  let idling = notIdling;
  return {
    push(event, run) {
      if (event.type === "message.opened" && event.parentCallId === undefined) {
        if (event.role === "user") messages.push(event.messageId);
      }
      const { isIdle: wasIdle } = idling;
      idling = idlingAfter(idling, event, run);
      if (idling.isIdle) return wasIdle ? undefined : "rests";
      return wasIdle && event.type === "message.opened" ? "goesOn" : undefined;
    },
    takeMessages() {
      const taken = messages;
      messages = [];
      return taken;
    },
  };
}
