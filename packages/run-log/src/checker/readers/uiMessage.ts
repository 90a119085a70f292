/**
 * Reads the AI SDK's UI message stream, versions 6 and 7. It knows the chunks and their ids; which
 * chunk may follow which is the judge's.
 */
import { type Fields, nameOf, textOf, textSizeOf } from "../../values/fields.js";
import {
  type CallRef,
  type DialectFacts,
  missing,
  nothing,
  type Observation,
  observed,
  type PartKind,
  type Reader,
  type Reading,
  remarked,
} from "../observations.js";
import { suspicion } from "../rules.js";

export const uiMessageFacts: DialectFacts = {
  startRequired: false,
  endRequired: true,
  inputIsClosed: true,
};

const callChunks = [
  "tool-input-start",
  "tool-input-delta",
  "tool-input-available",
  "tool-input-error",
  "tool-approval-request",
  "tool-output-available",
  "tool-output-error",
  "tool-output-denied",
] as const;
type CallChunk = (typeof callChunks)[number];

const partChunks: Readonly<Record<string, readonly [PartKind, "opened" | "continued" | "closed"]>> =
  {
    "text-start": ["text", "opened"],
    "text-delta": ["text", "continued"],
    "text-end": ["text", "closed"],
    "reasoning-start": ["reasoning", "opened"],
    "reasoning-delta": ["reasoning", "continued"],
    "reasoning-end": ["reasoning", "closed"],
  };

const streamChunks = [
  "start",
  "finish",
  "abort",
  "error",
  "start-step",
  "finish-step",
  "tool-approval-response",
  "source-url",
  "source-document",
  "file",
  "message-metadata",
] as const;
type StreamChunk = (typeof streamChunks)[number];

export function isUiMessageLine(value: Fields): boolean {
  const type = textOf(value.type) ?? "";
  return (
    type.startsWith("data-") ||
    type in partChunks ||
    [...callChunks, ...streamChunks].some((known) => known === type)
  );
}

export function createUiMessageReader(): Reader {
  const approvals = new Map<string, CallRef>();
  const unknown = new Set<string>();
  let isBroken = false;
  let isEnded = false;
  /** After `start` and before the model's first step, outputs belong to calls of earlier messages. */
  let isContinuing = false;

  const ended = (by: "finish" | "abort" | "error"): Observation => {
    isEnded = true;
    const how = by === "abort" ? "cancelled" : isBroken ? "failed" : "finished";
    const excuse = { type: by === "finish" ? "unnamed" : "none" } as const;
    return { type: "turn.ended", scope: "", how, excuse };
  };

  const streamReading = (type: StreamChunk, value: Fields): Reading => {
    switch (type) {
      case "start":
        isEnded = false;
        isContinuing = true;
        return observed({ type: "turn.started", scope: "", mayRepeat: true });
      case "finish":
        return observed(ended("finish"));
      case "abort":
        return observed(ended("abort"));
      case "error":
        isBroken = true;
        return nothing;
      case "start-step":
        isContinuing = false;
        return observed(
          { type: "part.opened", kind: "step", id: "" },
          { type: "model.spoke", scope: "" },
        );
      case "finish-step":
        return observed(
          ...(isBroken ? [] : [{ type: "parts.settled", kinds: ["text", "reasoning"] } as const]),
          { type: "part.closed", kind: "step", id: "" },
        );
      case "tool-approval-response": {
        const call = approvals.get(textOf(value.approvalId) ?? "");
        if (!call) return nothing;
        const allowed = value.approved === true;
        return observed({ type: "call.approval.answered", call, allowed });
      }
      case "source-url":
      case "source-document":
      case "file":
      case "message-metadata":
        return nothing;
      default:
        return type satisfies never;
    }
  };

  const callReading = (type: CallChunk, value: Fields): Reading => {
    const id = nameOf(value.toolCallId);
    if (id === undefined) return missing(type, "toolCallId");
    const call = { scope: "", id };
    const approvalId = nameOf(value.approvalId);
    if (type === "tool-approval-request" && approvalId) approvals.set(approvalId, call);
    isContinuing &&= type.startsWith("tool-output");
    const recalled = { type: "call.recalled", call, closed: false } as const;
    return observed(...(isContinuing ? [recalled] : []), ...callObservations(type, call, value));
  };

  return {
    read(payload) {
      if (payload.type === "done") {
        return isBroken && !isEnded ? observed(ended("error")) : nothing;
      }
      const { value } = payload;
      const type = textOf(value.type);
      if (type === undefined) return missing("the chunk", "type");
      const callChunk = callChunks.find((known) => known === type);
      if (callChunk) return callReading(callChunk, value);
      const streamChunk = streamChunks.find((known) => known === type);
      if (streamChunk) return streamReading(streamChunk, value);
      const part = partChunks[type];
      if (part) return partReading(type, part, value);
      if (type.startsWith("data-") || unknown.has(type)) return nothing;
      unknown.add(type);
      return remarked(suspicion("unknown-type", `unknown chunk ${type}`));
    },
    end: () => (isBroken && !isEnded ? [ended("error")] : []),
  };
}

function partReading(
  type: string,
  [kind, move]: readonly [PartKind, "opened" | "continued" | "closed"],
  value: Fields,
): Reading {
  const id = nameOf(value.id);
  if (id === undefined) return missing(type, "id");
  return observed({ type: `part.${move}`, kind, id }, { type: "model.spoke", scope: "" });
}

function callObservations(type: CallChunk, call: CallRef, value: Fields): readonly Observation[] {
  switch (type) {
    case "tool-input-start":
      return [{ type: "call.opened", call }];
    case "tool-input-delta": {
      const length = textOf(value.inputTextDelta)?.length ?? 0;
      return [{ type: "call.input.delta", call, length }];
    }
    case "tool-input-available":
      return [
        { type: "call.upserted", call },
        { type: "call.input.closed", call },
      ];
    case "tool-input-error":
      // An output error for the same call follows when the call was never the provider's to run.
      return [
        { type: "call.upserted", call },
        { type: "call.closed", call, outcome: "failed", tentative: true },
      ];
    case "tool-approval-request":
      return [{ type: "call.approval.asked", call, answerVisible: false }];
    case "tool-output-available": {
      const size = textSizeOf(value.output);
      const content = { type: "call.content.replaced", call, field: "output", size } as const;
      return value.preliminary === true
        ? [content, { type: "call.run.progressed", call, output: true }]
        : [content, { type: "call.closed", call, outcome: "ok" }];
    }
    case "tool-output-error":
      return [{ type: "call.closed", call, outcome: "failed" }];
    case "tool-output-denied":
      return [{ type: "call.closed", call, outcome: "failed" }];
    default:
      return type satisfies never;
  }
}
