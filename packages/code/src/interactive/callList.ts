/** The calls under way with a few words for each, for commands that name one of them. */
import type { CallEvent, RunEvent } from "@callboard/run-log";
import { isCallEvent } from "@callboard/run-log";
import { mainArgument, verbOf } from "@callboard/run-log/projections";
import { exactText } from "../door/terminalText.js";
import { cutText } from "../door/textWidth.js";

export interface CallList {
  push(event: RunEvent): void;
  /** In the order of their openings. */
  readonly underWay: readonly { readonly callId: string; readonly words: string }[];
}

interface Listed {
  readonly toolName: string;
  readonly kind: string | undefined;
  readonly target: string;
  readonly isDetached: boolean;
}

const longestTarget = 60;

export function createCallList(): CallList {
  const calls = new Map<string, Listed>();

  function change(event: CallEvent): void {
    const { callId } = event;
    if (event.type === "call.opened") {
      const { toolName, kind } = event;
      calls.set(callId, { toolName, kind, target: "", isDetached: false });
    }
    const call = calls.get(callId);
    if (call === undefined) return;
    if (event.type === "call.closed") calls.delete(callId);
    if (
      event.type === "call.input.amended" ||
      (event.type === "call.input.closed" && event.parsed)
    ) {
      calls.set(callId, { ...call, target: mainArgument(event.input) ?? "" });
    }
    if (event.type === "call.run.started" && event.detached) {
      calls.set(callId, { ...call, isDetached: true });
    }
  }

  return {
    push(event) {
      if (isCallEvent(event)) change(event);
    },
    get underWay() {
      return [...calls].map(([callId, call]) => ({ callId, words: listedWordsOf(call) }));
    },
  };
}

function listedWordsOf({ target, isDetached, ...call }: Listed): string {
  const what = [verbOf(call, "doing"), cutText(exactText(target), longestTarget)];
  return `${exactText(what.join(" ").trim())}${isDetached ? " · in the background" : ""}`;
}
