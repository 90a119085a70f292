/** The V2 payload of one moment of a call. */

import { openerIn } from "../../log/callOpener.js";
import type { ProgressReport } from "../../log/intents.js";
import { shownToolIn } from "../../log/shownTool.js";
import { type Fields, fieldsOf, listOf, nameOf, numberOf, textOf } from "../../values/fields.js";
import { withoutUndefined } from "../../values/optional.js";
import type { Claim } from "../claims.js";
import { diffsOf, endingFrom, imagesOf, optionsOf, progressOf, withExtras } from "./endings.js";
import { jsonOf, remembered } from "./shared.js";
import type { ToolEventMemory } from "./toolEvent.js";

interface ClaimStep {
  readonly memory: ToolEventMemory;
  readonly claims: readonly Claim[];
}

export function toolEventClaims(memory: ToolEventMemory, payload: Fields): ClaimStep {
  const call = textOf(payload.call_id) ?? "";
  const data = fieldsOf(payload.data) ?? {};
  const only = (...claims: readonly Claim[]): ClaimStep => ({ memory, claims });
  switch (payload.event) {
    case "tool_started":
      return only(toolEventOpening(payload, data, call));
    case "tool_progress":
      return only(...progressClaims(payload, data, call));
    case "tool_step": {
      const { step, ...rest } = data;
      const progress = progressOf({ type: "step", step, data: rest });
      return progress ? only({ type: "callProgressed", call, progress }) : only();
    }
    case "tool_result_preview":
      return previewStep(memory, data, call);
    case "tool_completed":
    case "tool_error":
      return only(toolEventCallEnd(payload, data, call));
    default:
      return only();
  }
}

function toolEventOpening(payload: Fields, data: Fields, call: string): Claim {
  const parent = nameOf(data.parent_call_id);
  const tool = nameOf(payload.tool_name) ?? "unknown";
  return {
    type: "callOpened",
    call,
    tool,
    isUpsert: true,
    ...withoutUndefined({ parent }),
    ...openerIn(data.opened_by),
    ...shownToolIn(data),
  };
}

function progressClaims(payload: Fields, data: Fields, call: string): readonly Claim[] {
  const piece = textOf(data.arguments_delta);
  if (piece !== undefined) return [{ type: "inputGrew", call, text: piece }];
  const approval = fieldsOf(data.approval);
  if (approval) return [askedOf(approval, textOf(payload.message), call)];
  const answer = fieldsOf(data.approval_answer);
  if (answer) {
    const message = nameOf(payload.message);
    const allowed = answer.allowed === true;
    // An answer without a reason has this label in its place.
    const label = allowed ? "Approved" : "Denied";
    const why = message === undefined || message === label ? {} : { message };
    const by = nameOf(answer.answered_by) ?? "person";
    return [{ type: "approvalAnswered", call, allowed, by, ...why }];
  }
  const value = jsonOf(data.arguments);
  const given: Claim = { type: "inputGiven", call, ...withoutUndefined({ value }) };
  const amended = jsonOf(data.amended_arguments);
  if (amended !== undefined) {
    const by = nameOf(data.amended_by) ?? "person";
    return [given, { type: "inputAmended", call, value: amended, by }];
  }
  if ("arguments" in data || Object.keys(data).length === 0) {
    return [given, { type: "callStarted", call }];
  }
  const progress = progressReportOf(payload, data);
  return progress ? [{ type: "callProgressed", call, progress }] : [];
}

function askedOf(approval: Fields, reason: string | undefined, call: string): Claim {
  const options = listOf(approval.options).map((item) => {
    const { option_id: optionId, ...rest } = fieldsOf(item) ?? {};
    return { optionId, ...rest };
  });
  const id = nameOf(approval.approval_id) ?? call;
  const why = withoutUndefined({ reason });
  return { type: "approvalAsked", call, approval: id, options: optionsOf(options), ...why };
}

function progressReportOf(payload: Fields, data: Fields): ProgressReport | undefined {
  const retry = fieldsOf(data.retry);
  if (data.heartbeat === true) {
    const silentMs = numberOf(data.silent_ms);
    return progressOf({ type: "heartbeat", ...(silentMs === undefined ? {} : { silentMs }) });
  }
  if (retry) return progressOf({ type: "retry", ...retry });
  if ("title" in data) return progressOf({ type: "title", title: data.title });
  if ("locations" in data) return progressOf({ type: "locations", locations: data.locations });
  if ("terminal_id" in data) return progressOf({ type: "terminal", terminalId: data.terminal_id });
  const percent = numberOf(data.percent);
  const told = withoutUndefined({ percent });
  return progressOf({ type: "message", message: payload.message, ...told });
}

/** A preview with an offset is the end of the output: what was not shown before is new. */
function previewStep(memory: ToolEventMemory, data: Fields, call: string): ClaimStep {
  const text = textOf(data.preview) ?? "";
  const offset = numberOf(data.offset);
  if (offset === undefined) {
    const progress = { type: "preview", text } as const;
    return { memory, claims: [{ type: "callProgressed", call, progress }] };
  }
  const known = memory.lengths.get(call) ?? 0;
  const news = text.slice(Math.max(0, known - offset));
  const lengths = remembered(memory.lengths, call, offset + text.length);
  const progress = { type: "output", text: news } as const;
  return { memory: { ...memory, lengths }, claims: [{ type: "callProgressed", call, progress }] };
}

function toolEventCallEnd(payload: Fields, data: Fields, call: string): Claim {
  const message = textOf(payload.message) ?? "";
  const extras = withExtras(imagesOf(data.images), diffsOf(data.diffs));
  const json = data.output_type === "json" ? ({ outputType: "json" } as const) : {};
  const output = { outcome: "ok", output: textOf(data.result) ?? "", ...json } as const;
  const isFailed = payload.event === "tool_error";
  const ending = endingFrom({ metadata: data, output, message, isFailed, extras });
  const neverRan = data.duration_ms === 0;
  return { type: "callEnded", call, ending, neverRan };
}
