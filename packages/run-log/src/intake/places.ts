/** Messages and the texts in them: which message a claim belongs to, and which part of it. */

import { type MessageId, messageId, type PartId, partId } from "../log/ids.js";
import type { Timed } from "../log/intents.js";
import { callOf, type MessageState, messageOf, type OpenRun, partOf } from "../log/state.js";
import { withoutUndefined } from "../values/optional.js";
import type { ClaimOf, Place, TextKind } from "./claims.js";
import type { IntakeRemark } from "./findings.js";
import { callIdFor, isUsableId, type Narration, type Story, withMade } from "./story.js";

/** A message that is open, or will be once `intents` are done. */
export interface Placed extends Narration {
  readonly messageId: MessageId;
}

type OpenPlace = Pick<MessageState, "parentCallId">;

const ofTheRun: { readonly place: OpenPlace; readonly remarks: readonly IntakeRemark[] } = {
  place: {},
  remarks: [],
};
const noIntents: readonly Timed[] = [];
const noRemarks: readonly IntakeRemark[] = [];

/** The call that a place is nested in. One that has ended takes nothing more: what it brings is the run's own. */
export function parentOf(
  story: Story,
  run: OpenRun,
  { parent }: Place,
): { readonly place: OpenPlace; readonly remarks: readonly IntakeRemark[] } {
  if (parent === undefined) return ofTheRun;
  const id = callIdFor(story, run, parent);
  const call = id && callOf(run, id);
  if (id && call && call.status !== "closed") return { place: { parentCallId: id }, remarks: [] };
  const code = call ? "parentClosed" : "unknownParent";
  const message = `the call ${parent} that it is nested in ${call ? "has ended" : "was never opened"}`;
  return { place: {}, remarks: [{ code, message, callId: parent }] };
}

/** The open message of a place; one is opened if there is none. Opening one closes the previous one there. */
export function placed(story: Story, run: OpenRun, given: Place): Placed {
  const { place, remarks } = parentOf(story, run, given);
  const role = given.role ?? "assistant";
  const found = openMessageOf(run, given, place);
  if (found) return { story, intents: noIntents, remarks, messageId: found.messageId };
  const next = withMade(story);
  const id = newMessageId(next, run, given.message);
  const intents: Timed[] = [...run.messages.open.values()]
    .filter((message) => message.parentCallId === place.parentCallId)
    .map((message) => ({ type: "closeMessage", messageId: message.messageId }));
  intents.push({ type: "openMessage", messageId: id, role, ...place });
  return { story: next, intents, remarks, messageId: id };
}

export function openMessageOf(
  run: OpenRun,
  { role = "assistant", message: wanted }: Place,
  { parentCallId }: OpenPlace,
): MessageState | undefined {
  for (const message of run.messages.open.values()) {
    if (message.role !== role || message.parentCallId !== parentCallId) continue;
    const { messageId: id } = message;
    if (wanted === undefined || id === wanted || id.startsWith(`${wanted}~`)) return message;
  }
  return undefined;
}

function newMessageId({ sessionId, runs, made }: Story, run: OpenRun, wanted?: string): MessageId {
  if (wanted === undefined || !isUsableId(wanted)) {
    return messageId(`${sessionId}.${runs}-m${made}`);
  }
  const id = messageId(wanted);
  return messageOf(run, id) ? messageId(`${wanted}~${made}`) : id;
}

/** The part of a text: the open one if the text continues it, otherwise a new one. */
function partFor(
  story: Story,
  run: OpenRun,
  message: MessageId,
  given: { readonly kind: TextKind; readonly part?: string },
): { readonly id: PartId; readonly isOpen: boolean; readonly story: Story } {
  const openId = messageOf(run, message)?.openPartId;
  const open = openId && partOf(run, openId);
  const isSameKind = open?.status === "open" && open.kind === given.kind;
  const wanted = wantedPart(message, given.part);
  const isWanted = wanted === undefined || openId === wanted || openId?.startsWith(`${wanted}~`);
  if (openId && isSameKind && isWanted) return { id: openId, isOpen: true, story };
  const next = withMade(story);
  const made = partId(`${wanted ?? `${message}/`}~${next.made}`);
  if (wanted === undefined) return { id: made, isOpen: false, story: next };
  return partOf(run, wanted)
    ? { id: made, isOpen: false, story: next }
    : { id: wanted, isOpen: false, story };
}

function wantedPart(message: MessageId, part: string | undefined): PartId | undefined {
  if (part === undefined || message.length + part.length > 480) return undefined;
  return partId(`${message}/${part}`);
}

export function textGrew(story: Story, run: OpenRun, claim: ClaimOf<"textGrew">): Narration {
  const open = openTextOf(run, claim);
  if (open) return { story, intents: [open], remarks: noRemarks };
  const at = placed(story, run, claim);
  const part = partFor(at.story, run, at.messageId, claim);
  const type = claim.kind === "text" ? "appendText" : "appendReasoning";
  const append: Timed = { type, messageId: at.messageId, partId: part.id, text: claim.text };
  const intents = at.intents.length === 0 ? [append] : [...at.intents, append];
  return { story: part.story, intents, remarks: at.remarks };
}

/** The append to the text that is open in the claim's place, for a claim that names neither a part nor a call. */
function openTextOf(run: OpenRun, claim: ClaimOf<"textGrew">): Timed | undefined {
  if (claim.parent !== undefined || claim.part !== undefined) return undefined;
  const message = openMessageOf(run, claim, ofTheRun.place);
  const id = message?.openPartId;
  if (message === undefined || id === undefined) return undefined;
  const part = run.parts.open.get(id);
  if (part?.status !== "open" || part.kind !== claim.kind) return undefined;
  const type = claim.kind === "text" ? "appendText" : "appendReasoning";
  return { type, messageId: message.messageId, partId: id, text: claim.text };
}

export function textSaid(story: Story, run: OpenRun, claim: ClaimOf<"textSaid">): Narration {
  const at = placed(story, run, claim);
  const { messageId: message } = at;
  const wanted = wantedPart(message, claim.part);
  if (wanted && partOf(run, wanted)?.status === "closed") return { ...at, story, intents: [] };
  const part = partFor(at.story, run, message, claim);
  const state = part.isOpen ? partOf(run, part.id) : undefined;
  const known = state?.status === "open" ? state.text : "";
  const isWhole = claim.text.startsWith(known);
  const text = isWhole ? claim.text.slice(known.length) : "";
  const where = { messageId: message, partId: part.id };
  const [append, close] =
    claim.kind === "text"
      ? (["appendText", "closeText"] as const)
      : (["appendReasoning", "closeReasoning"] as const);
  const differs: IntakeRemark = {
    code: "piecesDiffer",
    message: "the whole text does not start with the streamed pieces",
  };
  return {
    story: part.story,
    intents: [
      ...at.intents,
      ...(text === "" ? [] : [{ type: append, ...where, text }]),
      ...(part.isOpen || text !== "" ? [{ type: close, ...where }] : []),
    ],
    remarks: isWhole ? at.remarks : [...at.remarks, differs],
  };
}

/** Closes the text that is open in the place, if one is. */
export function textEnded(story: Story, run: OpenRun, claim: Place): Narration {
  const { place } = parentOf(story, run, claim);
  const message = openMessageOf(run, claim, place);
  const part = message?.openPartId && partOf(run, message.openPartId);
  if (!message?.openPartId || part?.status !== "open") return { story, intents: [], remarks: [] };
  const type = part.kind === "reasoning" ? "closeReasoning" : "closeText";
  const closing: Timed = { type, messageId: message.messageId, partId: message.openPartId };
  return { story, intents: [closing], remarks: [] };
}

export function messageEnded(
  story: Story,
  run: OpenRun,
  claim: ClaimOf<"messageEnded">,
): Narration {
  const { place } = parentOf(story, run, claim);
  const message = openMessageOf(run, claim, place);
  if (!message) return { story, intents: [], remarks: [] };
  const { finishReason } = claim;
  const reason = withoutUndefined({ finishReason });
  const closing: Timed = { type: "closeMessage", messageId: message.messageId, ...reason };
  return { story, intents: [closing], remarks: [] };
}

export function imageShown(story: Story, run: OpenRun, claim: ClaimOf<"imageShown">): Narration {
  const at = placed(story, run, claim);
  const next = withMade(at.story);
  const id = wantedPart(at.messageId, claim.part) ?? partId(`${at.messageId}/~${next.made}`);
  const { image } = claim;
  return {
    story: next,
    intents: [...at.intents, { type: "attachImage", messageId: at.messageId, partId: id, image }],
    remarks: at.remarks,
  };
}
