/**
 * Reads what one `session/update` contains about tool calls and the turn, in ACP v1 and v2. `acp.ts` determines the
 * session and the version; the judge checks the order.
 */
import { evidenceOfClosing, evidenceOfUpdate, signalOf } from "../../lines/acp/evidence.js";
import { backgroundIn, isFinalStatus, terminalsIn } from "../../lines/acp/toolCalls.js";
import type { Evidence } from "../../lines/evidence.js";
import { type Fields, fieldsOf, listOf, nameOf, textOf, textSizeOf } from "../../values/fields.js";
import {
  type CallRef,
  type Excuse,
  missing,
  nothing,
  type Observation,
  observed,
  type Reading,
  remarked,
} from "../observations.js";
import { type Remark, suspicion, violation } from "../rules.js";

import { createRepeats } from "./acpRepeats.js";
import { itemProblem, kindRemarks, nullRemarks, type Spoken, shapeRemarks } from "./acpShapes.js";

/** Updates that only one of the versions has. */
export const onlyV1: ReadonlySet<string> = new Set(["tool_call", "plan", "current_mode_update"]);
export const onlyV2: ReadonlySet<string> = new Set([
  "state_update",
  "tool_call_content_chunk",
  "terminal_update",
  "terminal_output_chunk",
  "user_message",
  "agent_message",
  "agent_thought",
]);

const speech: ReadonlySet<string> = new Set([
  "agent_message_chunk",
  "agent_message",
  "agent_thought_chunk",
  "agent_thought",
]);

/** Updates that contain nothing about a lifecycle. */
const otherUpdates: ReadonlySet<string> = new Set([
  "user_message_chunk",
  "user_message",
  "plan_update",
  "plan_removed",
  "session_info_update",
  "notice",
  "compaction_update",
  "compaction_summary_chunk",
  "subagent_update",
  "session_message",
  "session_message_chunk",
]);

/** Updates that replace the one of their kind before them. */
const wholeUpdates: ReadonlySet<string> = new Set([
  "plan",
  "available_commands_update",
  "current_mode_update",
  "config_option_update",
  "usage_update",
]);

const replacedFields = ["content", "rawInput", "rawOutput"] as const;

export interface AcpSession {
  read(update: Fields, spoken: Spoken): Reading;
  /** What a permission request contains about its call. */
  readPermission(toolCall: Fields, version: 1 | 2, answerVisible: boolean): Reading;
}

export function createAcpSession(scope: string): AcpSession {
  const callOfTerminal = new Map<string, CallRef>();
  /** Evidence against an ok, for a call that is not closed yet. */
  const evidences = new Map<string, Evidence>();
  const unknown = new Set<string>();
  const closed = new Set<string>();
  let state = "idle";

  const repeats = createRepeats();

  const toolCall = (update: Fields, spoken: Spoken, isOpening: boolean): Reading => {
    const { version } = spoken;
    const id = nameOf(update.toolCallId);
    if (id === undefined) return missing("a tool call", "toolCallId");
    const call = { scope, id };
    for (const terminalId of terminalsIn(update)) callOfTerminal.set(terminalId, call);
    const evidence = evidenceOfUpdate(update);
    if (evidence) evidences.set(id, evidence);
    const opening: readonly Observation[] = isOpening
      ? [{ type: "call.opened", call }]
      : version === 2
        ? [{ type: "call.upserted", call }]
        : [];
    const status = updateStatusOf(update, version);
    return {
      observations: [
        ...opening,
        ...contentObservations(update, call),
        ...statusMove(call, status, update),
      ],
      remarks: [
        ...shapeRemarks(update, id, spoken),
        ...(closed.has(id) ? [] : repeats.told(id, update)),
        ...ended(id, status),
      ],
    };
  };

  /** A statement about a call after its end is already a fault; that it repeats something is not a second one. */
  const ended = (id: string, status: unknown): readonly Remark[] => {
    if (!isFinalStatus(status)) return [];
    repeats.forget(id);
    closed.add(id);
    return [];
  };

  const statusMove = (call: CallRef, status: unknown, update: Fields): readonly Observation[] => {
    switch (status) {
      case "pending":
        return [{ type: "call.status", call, status: "pending" }];
      case "in_progress":
      case "paused":
        return [{ type: "call.status", call, status: "running" }];
      case "completed": {
        const evidence = evidences.get(call.id) ?? evidenceOfClosing(update);
        const closing = { type: "call.closed", call, outcome: "ok" } as const;
        return [evidence ? { ...closing, evidence } : closing];
      }
      case "failed":
        return [{ type: "call.closed", call, outcome: "failed" }];
      case "cancelled":
        return [{ type: "call.closed", call, outcome: "cancelled" }];
      default:
        return [{ type: "call.run.progressed", call, output: false }];
    }
  };

  /** Terminals are announced before or after the call that shows them, so they open nothing. */
  const terminal = (update: Fields): Reading => {
    const terminalId = nameOf(update.terminalId);
    if (terminalId === undefined) return missing("a terminal", "terminalId");
    const call = callOfTerminal.get(terminalId);
    const signal = signalOf(fieldsOf(update.exitStatus));
    if (call === undefined) return nothing;
    if (signal) evidences.set(call.id, signal);
    const output = textOf(fieldsOf(update.output)?.data);
    if (output === undefined) return nothing;
    return observed({
      type: "call.content.replaced",
      call,
      field: "terminal output",
      size: output.length,
    });
  };

  const stateUpdate = (update: Fields): Reading => {
    const before = state;
    state = textOf(update.state) ?? "";
    if (state === "running") return observed({ type: "turn.started", scope });
    const stopReason = textOf(update.stopReason);
    if (state !== "idle" || (before === "idle" && stopReason === undefined)) return nothing;
    const remarks = stopReason === undefined ? [] : stopReasonRemarks(stopReason, 2);
    return { ...observed(turnEnded(scope, stopReason, excuseOf(update))), remarks };
  };

  return {
    read(update, spoken) {
      const kind = nameOf(update.sessionUpdate);
      if (kind === undefined) return missing("a session update", "sessionUpdate");
      if (kind === "tool_call") return toolCall(update, spoken, true);
      if (kind === "tool_call_update") return toolCall(update, spoken, false);
      if (kind === "tool_call_content_chunk") {
        const id = nameOf(update.toolCallId);
        if (id === undefined) return missing(kind, "toolCallId");
        repeats.grown(id, "content");
        const { content } = update;
        const problem = content === undefined ? undefined : itemProblem(content, spoken.version);
        const remarks = problem ? [violation("malformed-content", `content ${problem}`, id)] : [];
        const progress = observed({
          type: "call.run.progressed",
          call: { scope, id },
          output: false,
        });
        return { ...progress, remarks };
      }
      if (kind === "terminal_update" || kind === "terminal_output_chunk") return terminal(update);
      if (kind === "state_update") return stateUpdate(update);
      if (speech.has(kind)) {
        const isSilent = textSizeOf(contentTextIn(update.content)) === 0;
        return isSilent ? nothing : observed({ type: "model.spoke", scope });
      }
      if (wholeUpdates.has(kind)) return remarked(...repeats.toldWhole(kind, update));
      if (otherUpdates.has(kind) || kind.startsWith("_") || unknown.has(kind)) return nothing;
      unknown.add(kind);
      return remarked(suspicion("unknown-type", `unknown session update ${kind}`));
    },
    readPermission(fields, version, answerVisible) {
      const id = nameOf(fields.toolCallId);
      if (id === undefined) return missing("a permission request", "toolCallId");
      const call = { scope, id };
      repeats.asked(id, fields);
      const introduces = true;
      const asked: Observation = { type: "call.approval.asked", call, answerVisible, introduces };
      const isPending = updateStatusOf(fields, version) === "pending";
      return {
        observations: [
          ...(version === 2 ? [upsertedAside(call)] : []),
          asked,
          ...(isPending ? [pendingAside(call)] : []),
        ],
        remarks: [
          ...nullRemarks(fields, version, id),
          ...kindRemarks(fields, version, id),
          ...(isFinalStatus(fields.status)
            ? [violation("approval-mismatch", `asked about a call that has ${fields.status}`, id)]
            : []),
        ],
      };
    },
  };
}

export function turnEnded(
  scope: string,
  stopReason: string | undefined,
  excuse: Excuse = { type: "none" },
): Observation {
  const how =
    stopReason === "cancelled" ? "cancelled" : stopReason === "error" ? "failed" : "finished";
  return { type: "turn.ended", scope, how, excuse };
}

/** On v2 null resets the status to pending; on v1 it means nothing. */
function updateStatusOf(update: Fields, version: 1 | 2): unknown {
  return update.status === null && version === 2 ? "pending" : (update.status ?? undefined);
}

const stopReasons: ReadonlySet<string> = new Set([
  ...["end_turn", "max_tokens", "max_turn_requests", "refusal", "cancelled"],
]);

export function stopReasonRemarks(reason: string, version: 1 | 2): readonly Remark[] {
  const isOwn = version === 2 && (reason === "error" || reason.startsWith("_"));
  if (stopReasons.has(reason) || isOwn) return [];
  return [violation("unknown-value", `unknown stop reason ${JSON.stringify(reason)}`)];
}

function upsertedAside(call: CallRef): Observation {
  return { type: "call.upserted", call, isAside: true };
}

/** A status beside a question, which many agents repeat: it is only a hint. */
function pendingAside(call: CallRef): Observation {
  return { type: "call.status", call, status: "pending", isAside: true };
}

function contentObservations(update: Fields, call: CallRef): readonly Observation[] {
  return replacedFields.flatMap((field): readonly Observation[] => {
    const value = update[field];
    if (value === undefined || value === null) return [];
    return [{ type: "call.content.replaced", call, field, size: textSizeOf(value) }];
  });
}

/** Only the text counts: the type names around it are not part of it. */
function contentTextIn(content: unknown): unknown {
  const blocks = Array.isArray(content) ? listOf(content) : [content];
  return blocks.map((block) => {
    const { type: _, ...said } = fieldsOf(block) ?? {};
    return said;
  });
}

/** Calls that the agent reports as running in the background may be open when the turn is over. */
export function excuseOf(end: Fields): Excuse {
  const named = backgroundIn(end);
  return named.length === 0 ? { type: "none" } : { type: "named", callIds: new Set(named) };
}
