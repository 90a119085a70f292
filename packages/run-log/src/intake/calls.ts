/**
 * Calls: the moves that a dialect omits. A result implies that the call ran, running implies that its
 * arguments are whole and that it was allowed. Nothing is made up about how a call ended.
 */

import { type CallState, runInputOf } from "../log/callState.js";
import { outputSoFar, parsedInput } from "../log/closing.js";
import { type ApprovalId, approvalId, type CallId } from "../log/ids.js";
import type { CallEnding, IntentOf, Timed } from "../log/intents.js";
import { callOf, type OpenRun } from "../log/state.js";
import { withoutUndefined } from "../values/optional.js";
import { isSameJson } from "../values/sameJson.js";
import type { ClaimOf, GivenInput } from "./claims.js";
import type { IntakeRemark } from "./findings.js";
import { parentOf, placed } from "./places.js";
import { callIdFor, isUsableId, type Narration, type Story, withAlias } from "./story.js";
import { knownKindOf } from "./toolKinds.js";

/** Who answered a question whose answer is not in the stream. */
export const unseenAnswerer = "not recorded";

export function callOpened(story: Story, run: OpenRun, claim: ClaimOf<"callOpened">): Narration {
  const { call, tool, isUpsert = false } = claim;
  const known = callIdFor(story, run, call);
  const isKnown = known !== undefined && callOf(run, known) !== undefined;
  if (isKnown && isUpsert) return { story, intents: [], remarks: [] };
  const isFresh = known !== undefined && !isKnown;
  const named = isFresh ? { story, id: known } : withAlias(story, call);
  const at = placed(named.story, run, claim);
  const { place } = parentOf(story, run, claim);
  const { title, kind = knownKindOf(tool), display, openedBy, toolType = "local" } = claim;
  const opening: Timed = {
    type: "openCall",
    callId: named.id,
    messageId: at.messageId,
    toolName: tool === "" ? "unknown" : tool,
    toolType,
    ...place,
    ...withoutUndefined({ title, kind, display, openedBy }),
  };
  const repeated: IntakeRemark = {
    code: "repeatedCallId",
    message: isUsableId(call)
      ? `its id was opened before; this one is recorded as ${named.id}`
      : `its id cannot be used; it is recorded as ${named.id}`,
    callId: call,
  };
  return {
    story: at.story,
    intents: [...at.intents, opening],
    remarks: isFresh ? at.remarks : [...at.remarks, repeated],
  };
}

const noRemarks: readonly IntakeRemark[] = [];

interface Found {
  readonly id: CallId;
  readonly call: CallState | undefined;
}

/** A claim about a call by what the log holds of it. One that was never opened is left to `decide`. */
export function aboutCall(
  story: Story,
  run: OpenRun,
  call: string,
  intentsOf: (found: Found) => {
    readonly intents: readonly Timed[];
    readonly remarks?: readonly IntakeRemark[];
  },
  isEnding = false,
): Narration {
  const id = callIdFor(story, run, call, isEnding);
  if (id === undefined) {
    const message = "it was never opened, and its id cannot be used";
    return { story, intents: [], remarks: [{ code: "unknownCall", message, callId: call }] };
  }
  const { intents, remarks = noRemarks } = intentsOf({ id, call: callOf(run, id) });
  return { story, intents, remarks };
}

export function inputGiven(
  { id, call }: Found,
  given: GivenInput,
): ReturnType<typeof inputClosing> {
  if (call === undefined) return inputClosing(id, given, undefined);
  // Arguments are given once; dialects repeat them with every later line.
  if (call.status !== "inputStreaming") return { intents: [] };
  if (given.value === undefined) {
    const differs = given.text !== undefined && !given.text.startsWith(call.inputText.trimEnd());
    return inputClosing(id, given, given.text, differs ? [piecesDiffer(id)] : []);
  }
  const streamed = call.inputText;
  if (streamed === "") return inputClosing(id, given, JSON.stringify(given.value));
  const parsed = parsedInput(streamed);
  const isSame = parsed.parsed && isSameJson(parsed.input, given.value);
  if (isSame || given.problem !== undefined) return inputClosing(id, given, undefined);
  return inputClosing(id, given, JSON.stringify(given.value), [piecesDiffer(id)]);
}

function inputClosing(
  callId: CallId,
  { problem, title, locations }: GivenInput,
  text: string | undefined,
  remarks: readonly IntakeRemark[] = [],
): { readonly intents: readonly Timed[]; readonly remarks?: readonly IntakeRemark[] } {
  const closing: Timed = {
    type: "closeInput",
    callId,
    ...withoutUndefined({ text, problem, title, locations }),
  };
  return { intents: [closing], remarks };
}

function piecesDiffer(callId: CallId): IntakeRemark {
  const message = "the streamed pieces do not add up to the arguments that were given";
  return { code: "piecesDiffer", message, callId };
}

/** The steps that are missing until the call is running; undefined if it cannot run. */
export function startIntentsOf({ id, call }: Found): readonly Timed[] | undefined {
  const start: Timed = { type: "startCall", callId: id };
  switch (call?.status) {
    case "inputStreaming":
      return parsedInput(call.inputText).parsed
        ? [{ type: "closeInput", callId: id }, start]
        : undefined;
    case "ready":
      return call.input.parsed ? [start] : undefined;
    case "awaitingApproval": {
      const allowed = answerIntentsOf(id, call.approvalId, true, unseenAnswerer);
      return call.execution ? [allowed] : [allowed, start];
    }
    case undefined:
    case "running":
    case "refused":
    case "closed":
      return [];
    default:
      return call satisfies never;
  }
}

function answerIntentsOf(
  callId: CallId,
  approval: ApprovalId,
  allowed: boolean,
  answeredBy: string,
  besides: Partial<Omit<Timed<IntentOf<"answerApproval">>, "type">> = {},
): Timed {
  return {
    type: "answerApproval",
    callId,
    approvalId: approval,
    allowed,
    answeredBy,
    ...besides,
  };
}

/** Dialects repeat it with every later line. */
export function inputAmended(
  { id, call }: Found,
  claim: ClaimOf<"inputAmended">,
): ReturnType<typeof inputClosing> {
  const { value: input, by: amendedBy = unseenAnswerer, title } = claim;
  const amendment = { input, ...withoutUndefined({ title }) };
  const amending: Timed = { type: "amendInput", callId: id, amendedBy, ...amendment };
  if (call === undefined) return { intents: [amending] };
  if (call.status === "inputStreaming") {
    return { intents: [{ type: "closeInput", callId: id }, amending] };
  }
  if (isSameJson(runInputOf(call), input)) return { intents: [] };
  if (call.status !== "awaitingApproval") return { intents: [amending] };
  return { intents: [answerIntentsOf(id, call.approvalId, true, amendedBy, amendment)] };
}

export function approvalAsked({ id, call }: Found, claim: ClaimOf<"approvalAsked">) {
  const closing: readonly Timed[] =
    call?.status === "inputStreaming" ? [{ type: "closeInput", callId: id }] : [];
  const { approval, options = [], reason } = claim;
  const asking: Timed = {
    type: "askApproval",
    callId: id,
    approvalId: approvalId(isUsableId(approval) ? approval : `${id}-approval`),
    options,
    ...withoutUndefined({ reason }),
  };
  return { intents: [...closing, asking] };
}

export function approvalAnswered({ id, call }: Found, claim: ClaimOf<"approvalAnswered">) {
  const pending = call?.status === "awaitingApproval" ? call.approvalId : approvalId("none");
  const { message, optionId, by = "person" } = claim;
  const besides = {
    ...withoutUndefined({ message, optionId }),
  };
  return { intents: [answerIntentsOf(id, pending, claim.allowed, by, besides)] };
}

export function callProgressed(found: Found, claim: ClaimOf<"callProgressed">) {
  const progress: Timed = {
    type: "progressCall",
    callId: found.id,
    progress: claim.progress,
  };
  return { intents: [...(startIntentsOf(found) ?? []), progress] };
}

export function outputShown(found: Found, text: string) {
  const known = found.call ? outputSoFar(found.call) : "";
  if (text === known) return { intents: startIntentsOf(found) ?? [] };
  const progress: Timed = text.startsWith(known)
    ? {
        type: "progressCall",
        callId: found.id,
        progress: { type: "output", text: text.slice(known.length) },
      }
    : { type: "progressCall", callId: found.id, progress: { type: "preview", text } };
  return { intents: [...(startIntentsOf(found) ?? []), progress] };
}

export function callEnded(
  found: Found,
  claim: ClaimOf<"callEnded">,
): ReturnType<typeof inputClosing> {
  const { id, call } = found;
  const { ending, neverRan = false, mayRepeat = false } = claim;
  const closing = (how: CallEnding): Timed => ({ type: "closeCall", callId: id, ...how });
  if (call?.status === "closed" && mayRepeat) return { intents: [] };
  if (ending.outcome !== "ok") {
    // The refusal closed the call; its failure adds nothing.
    if (call?.status === "closed" && call.outcome === "denied") return { intents: [] };
    if (call?.status === "awaitingApproval" && ending.outcome === "denied") {
      const { message } = ending;
      return {
        intents: [answerIntentsOf(id, call.approvalId, false, unseenAnswerer, { message })],
      };
    }
    const isRunnable = call?.status === "inputStreaming" || call?.status === "ready";
    const isImplied = isRunnable && ending.outcome === "error" && !neverRan;
    return { intents: [...((isImplied && startIntentsOf(found)) || []), closing(ending)] };
  }
  const start = startIntentsOf(found);
  if (start) return { intents: [...start, closing(ending)] };
  const message = "it ended well although its arguments do not parse";
  const { output } = ending;
  return {
    intents: [closing({ outcome: "error", errorType: "bad_arguments", message, output })],
    remarks: [{ code: "okWithoutInput", message, callId: id }],
  };
}
