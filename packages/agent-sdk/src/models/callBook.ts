/**
 * The calls of one answer: which are open, with which id and arguments. It makes every id
 * unique, and every call start before its input and end once, in whatever order the provider sends them.
 *
 * held ──name──▶ started ──whole input──▶ ended
 * └──input unproven──▶ settled ──end of the answer──▶ ended
 */

import type { JsonObject } from "@callboard/run-log";
import { parsedJson, withoutUndefined } from "@callboard/run-log/values";
import type { AnswerPart, FinishReason } from "../types/answer.js";
import { inputEndOf, intendedInput, isWholeInput } from "../utils/callInput.js";

import { createUniqueIds } from "./uniqueIds.js";

interface Call {
  readonly id: string;
  readonly providerId: string;
  name: string;
  status: "held" | "started" | "settled" | "ended";
  /** The pieces so far. */
  pieces: string;
  /** The whole text by the provider, if it sends it. */
  whole: string | undefined;
  /** The data that the provider requires back with the call. */
  opaque: JsonObject | undefined;
}

interface CompleteCall {
  readonly toolCallId: string;
  readonly toolName: string;
  readonly input: string;
}

export interface CallBook {
  start(providerId: string, name: string, opaque?: JsonObject): void;
  input(providerId: string, text: string): void;
  /** The provider reports the call as complete, with its arguments. */
  complete(call: CompleteCall, opaque?: JsonObject): void;
  result(providerId: string, output: string, isError: boolean): void;
  /** The answer ended in good order. */
  finish(reason: FinishReason): void;
  /** The answer broke: whatever is open ends with this problem. */
  fail(problem: string): void;
}

export function createCallBook(emit: (part: AnswerPart) => void): CallBook {
  const calls: Call[] = [];
  const byProviderId = new Map<string, Call>();
  const uniqueId = createUniqueIds();

  function open(providerId: string): Call {
    const id = uniqueId(providerId === "" ? `call_${calls.length}` : providerId);
    const call: Call = {
      id,
      providerId,
      name: "",
      status: "held",
      pieces: "",
      whole: undefined,
      opaque: undefined,
    };
    calls.push(call);
    byProviderId.set(providerId, call);
    return call;
  }

  function begin(call: Call, name: string): void {
    call.name = name;
    call.status = "started";
    emit({ type: "callStart", id: call.id, name });
    if (call.pieces !== "") emit({ type: "callInput", id: call.id, text: call.pieces });
  }

  function end(call: Call, text: string, problem?: string): void {
    call.status = "ended";
    emit({
      type: "callEnd",
      id: call.id,
      ...(text === call.pieces ? {} : { text }),
      ...withoutUndefined({ problem, opaque: call.opaque }),
    });
  }

  function settle(call: Call): void {
    const text = intendedInput(call.whole ?? call.pieces);
    if (isWholeInput(text)) end(call, text);
    else call.status = "settled";
  }

  function close(call: Call, reason: FinishReason, hasBrokenSibling = false): void {
    const text = intendedInput(call.whole ?? call.pieces);
    if (call.status === "held") {
      begin(call, "unknown");
      end(call, text, "The model did not name the tool that it calls.");
    } else if (isWholeInput(text)) {
      end(call, text);
    } else if (text.trim() === "" && hasBrokenSibling) {
      end(call, text, lostInput);
    } else {
      const { text: last, problem } = inputEndOf(text, reason);
      end(call, last, problem);
    }
  }

  return {
    start(providerId, name, opaque) {
      const known = byProviderId.get(providerId);
      if (known?.status === "started") {
        if (known.name === name && known.pieces === "") return;
        settle(known);
      }
      const call = known?.status === "held" ? known : open(providerId);
      call.opaque = opaque ?? call.opaque;
      if (name !== "") begin(call, name);
    },
    input(providerId, text) {
      const call = byProviderId.get(providerId) ?? open(providerId);
      if (text === "" || call.status === "settled" || call.status === "ended") return;
      call.pieces += text;
      if (call.status === "started") emit({ type: "callInput", id: call.id, text });
    },
    complete({ toolCallId: providerId, toolName: name, input }, opaque) {
      const isMeant = (call: Call) => call.providerId === providerId && call.whole === undefined;
      const call = calls.find(isMeant) ?? open(providerId);
      if (call.status === "held" && name !== "") begin(call, name);
      call.whole = input;
      call.opaque = opaque ?? call.opaque;
      if (call.status === "started") settle(call);
    },
    result(providerId, output, isError) {
      const call = byProviderId.get(providerId);
      if (call === undefined) return;
      if (call.status !== "ended") close(call, "tool-calls");
      emit({ type: "callResult", id: call.id, output, isError });
    },
    finish(reason) {
      const open = calls.filter(({ status }) => status !== "ended");
      const hasBroken = open.some(({ whole, pieces }) => isBroken(intendedInput(whole ?? pieces)));
      for (const call of open) close(call, reason, hasBroken);
    },
    fail(problem) {
      for (const call of calls) {
        if (call.status === "held") call.status = "ended";
        if (call.status !== "ended") end(call, call.whole ?? call.pieces, problem);
      }
    },
  };
}

const lostInput =
  "The call has no arguments, and those of a call beside it cannot be read: some may belong to this one, so it was not run.";

function isBroken(text: string): boolean {
  return text.trim() !== "" && parsedJson(text) === undefined;
}
