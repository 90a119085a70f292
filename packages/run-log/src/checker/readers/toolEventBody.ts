/**
 * Reads the `data` of one `tool_event`: what it contains about its call, and whether it has the required fields of its
 * kind. It never decides whether the kind may come now.
 */
import type { Evidence } from "../../lines/evidence.js";
import { type Fields, fieldsOf, nameOf, numberOf, textOf } from "../../values/fields.js";
import { type CallRef, type Observation, type Reading, remarked } from "../observations.js";
import { type Remark, suspicion, violation } from "../rules.js";

const kinds = [
  "tool_started",
  "tool_progress",
  "tool_step",
  "tool_result_preview",
  "tool_completed",
  "tool_error",
] as const;
type Kind = (typeof kinds)[number];

export interface ToolEventBody {
  read(data: unknown): Reading;
  /** Whether a line of this vocabulary named the call before. */
  knows(callId: string): boolean;
}

export function createToolEventBody(): ToolEventBody {
  const timestamps = new Map<string, number>();
  const known = new Set<string>();

  const timeRemarks = (id: string, timestamp: number | undefined): readonly Remark[] => {
    if (timestamp === undefined) return [];
    const before = timestamps.get(id) ?? timestamp;
    timestamps.set(id, Math.max(before, timestamp));
    if (timestamp >= before) return [];
    return [suspicion("timestamp-regressed", `${timestamp} after ${before}`, id)];
  };

  return {
    read(data) {
      const fields = fieldsOf(data) ?? {};
      const id = nameOf(fields.call_id);
      const kind = kinds.find((name) => name === fields.event);
      if (kind === undefined) return remarked(unknownKind(fields, id));
      const remarks = remarksOf(kind, fields, id);
      if (id === undefined) return { observations: [], remarks };
      const isNew = !known.has(id);
      known.add(id);
      const call = { scope: "", id };
      return {
        // The legacy vocabulary may have reported the start of this call already.
        observations: [
          ...(isNew ? [{ type: "call.forgotten", call } as const] : []),
          ...observationsOf(kind, call, fieldsOf(fields.data) ?? {}),
        ],
        remarks: [...remarks, ...timeRemarks(id, numberOf(fields.timestamp))],
      };
    },
    knows: (id) => known.has(id),
  };
}

function unknownKind(fields: Fields, id: string | undefined): Remark {
  const name = textOf(fields.event);
  return name === undefined
    ? violation("missing-field", "the tool event has no event", id)
    : suspicion("unknown-type", `unknown tool event ${name}`, id);
}

function remarksOf(kind: Kind, fields: Fields, id: string | undefined): readonly Remark[] {
  const remarks: Remark[] = [];
  const missing = (field: string) => {
    remarks.push(violation("missing-field", `${kind} without ${field}`, id));
  };
  if (id === undefined) missing("call_id");
  if (nameOf(fields.tool_name) === undefined) missing("tool_name");
  if (numberOf(fields.timestamp) === undefined) missing("timestamp");
  const required = requiredData[kind];
  if (required !== undefined && textOf(fieldsOf(fields.data)?.[required]) === undefined) {
    missing(`data.${required}`);
  }
  const isEnd = kind === "tool_completed" || kind === "tool_error";
  if (isEnd && fields.show_spinner === true) {
    remarks.push(violation("spinner-on-end", `${kind} shows the spinner`, id));
  }
  return remarks;
}

const requiredData: Readonly<Partial<Record<Kind, string>>> = {
  tool_step: "step",
  tool_result_preview: "preview",
  tool_error: "error_type",
};

function observationsOf(kind: Kind, call: CallRef, data: Fields): readonly Observation[] {
  switch (kind) {
    case "tool_started":
      return [{ type: "call.opened", call }];
    case "tool_progress":
      return [progressOf(call, data)];
    case "tool_step":
      return [{ type: "call.run.progressed", call, output: false }];
    case "tool_result_preview":
      return [{ type: "call.run.progressed", call, output: true }];
    case "tool_completed":
      return [{ type: "call.closed", call, outcome: "ok", ...evidenceOf(data) }];
    case "tool_error": {
      const isCancelled = data.error_type === "cancelled";
      return [{ type: "call.closed", call, outcome: isCancelled ? "cancelled" : "failed" }];
    }
    default:
      return kind satisfies never;
  }
}

/** Progress also carries what the vocabulary has no event of its own for. */
function progressOf(call: CallRef, data: Fields): Observation {
  const delta = textOf(data.arguments_delta);
  if (delta !== undefined) {
    const offset = numberOf(data.offset);
    const observation = { type: "call.input.delta", call, length: delta.length } as const;
    return offset === undefined ? observation : { ...observation, offset };
  }
  if (data.arguments !== undefined) return { type: "call.run.started", call };
  if (data.approval !== undefined) {
    return { type: "call.approval.asked", call, answerVisible: true };
  }
  const answer = fieldsOf(data.approval_answer);
  if (answer) return { type: "call.approval.answered", call, allowed: answer.allowed === true };
  return { type: "call.run.progressed", call, output: false };
}

function evidenceOf(data: Fields): { readonly evidence?: Evidence } {
  const errorType = textOf(data.error_type);
  if (errorType === undefined) return {};
  return { evidence: { message: `completed, yet error_type is ${errorType}`, isCertain: true } };
}
