/**
 * A stored call as a board draws it: its timeline goes the same way as the live stream, between an
 * opening and a closing made from the columns, which hold the whole.
 */

import { type CallEvent, isJsonObject, type JsonObject, runId } from "@callboard/run-log";
import type { ToolCallRow } from "@callboard/run-log/http";
import type { CallTrack } from "@callboard/run-log/projections";
import { withoutUndefined } from "@callboard/run-log/values";
import { messageIdSchema, openerIn, runIdSchema, shownToolIn } from "@callboard/run-log/writing";
import {
  factOf,
  inputFact,
  type KnownCall,
  knownAfter,
  openedFact,
  type Stamp,
  unknownCall,
} from "./callFacts.js";
import { factsOfToolEvent } from "./fromToolEvent.js";
import { closingFields, fieldTextAt, outcomeOf } from "./jsonFields.js";

/** The columns that are read: rows of this client, of supabase-js or of SQL work. */
export type CallRow = Omit<
  ToolCallRow,
  "id" | "conversation_id" | "user_id" | "success" | "is_error" | "total_tokens" | "deleted_at"
>;

export function trackOfRow(row: CallRow): CallTrack {
  const { track } = knownCallOfRow(row);
  // An opening always gives a track; the types cannot know.
  if (track === undefined) throw new Error(`the call ${row.call_id} has no track`);
  return { ...track, retries: row.retry_count };
}

/** The same, to continue with later facts. */
export function knownCallOfRow(row: CallRow): KnownCall {
  const run = runIdSchema.safeParse(row.request_id).data ?? runId("unknown");
  const stamp = (time: string | null): Stamp => ({ runId: run, at: timeOf(time) ?? 0 });
  const opened = openedOf(row, stamp(row.created_at));
  const inputAt = row.started_at ?? row.completed_at ?? row.created_at;
  const begun = knownAfter(unknownCall, [opened, ...inputFacts(row, stamp(inputAt))]);
  const told = row.execution_events.reduce<KnownCall>((known, payload) => {
    if (payload.event === "tool_completed" || payload.event === "tool_error") return known;
    return knownAfter(known, factsOfToolEvent(payload, known.track, stamp(row.created_at)));
  }, begun);
  return knownAfter(told, [
    ...startedFacts(row, told.track, stamp(row.started_at)),
    ...closedFacts(row, stamp(row.completed_at ?? row.created_at)),
  ]);
}

function timeOf(text: string | null): number | undefined {
  const time = text === null ? Number.NaN : Date.parse(text);
  return Number.isNaN(time) ? undefined : time;
}

function openedOf(row: CallRow, stamp: Stamp): CallEvent {
  const { call_id: callId, tool_name: toolName, tool_type: toolType, iteration } = row;
  const messageId = messageIdSchema.safeParse(row.message_id).data;
  const [first] = row.execution_events;
  const [title] = (first ? factsOfToolEvent(first, undefined, stamp) : []).flatMap((fact) =>
    fact.type === "call.opened" && fact.title !== undefined ? [fact.title] : [],
  );
  const { openedBy = "model" } = openerIn(first?.data.opened_by);
  const shown = shownToolIn(first?.data ?? {});
  return openedFact(
    stamp,
    { callId, toolName },
    {
      toolType,
      iteration,
      openedBy,
      ...shown,
      ...withoutUndefined({ messageId, title }),
    },
  );
}

/** The column's initial value is an empty object: then only a call that ran has known arguments. */
function inputFacts(row: CallRow, stamp: Stamp): readonly CallEvent[] {
  const problem = fieldTextAt(row.metadata, "arguments_problem");
  if (problem !== undefined) {
    const text = fieldTextAt(row.metadata, "arguments_text") ?? "";
    const fact = factOf(stamp, row.call_id);
    return [{ ...fact, type: "call.input.closed", parsed: false, text, problem }];
  }
  const { arguments: input } = row;
  const isEmpty = isJsonObject(input) && Object.keys(input).length === 0;
  return isEmpty && row.started_at === null ? [] : [inputFact(stamp, row.call_id, input)];
}

/** For rows whose timeline does not contain that the call ran. */
function startedFacts(
  row: CallRow,
  track: CallTrack | undefined,
  stamp: Stamp,
): readonly CallEvent[] {
  const isTold = track?.phases.some(({ kind }) => kind === "running") ?? false;
  if (isTold || row.started_at === null) return [];
  return [{ ...factOf(stamp, row.call_id), type: "call.run.started" }];
}

function closedFacts(row: CallRow, stamp: Stamp): readonly CallEvent[] {
  if (row.status !== "completed" && row.status !== "error") return [];
  const { input_tokens: inputTokens, output_tokens: outputTokens, cost_usd: costUsd } = row;
  const payload = row.execution_events.at(-1);
  const told: JsonObject = payload?.data ?? {};
  const summary = payload?.event === "tool_completed" ? rowSummaryOf(row, stamp) : undefined;
  const closing = {
    ...factOf(stamp, row.call_id),
    type: "call.closed",
    ...closingFields(told),
    ...(row.persist_key === null ? {} : { persistKey: row.persist_key }),
    ...(row.file_path === null ? {} : { filePath: row.file_path }),
    ...withoutUndefined({ summary }),
    ...(inputTokens === null || outputTokens === null
      ? {}
      : { usage: { inputTokens, outputTokens, ...(costUsd === null ? {} : { costUsd }) } }),
  } as const;
  const output = row.output ?? "";
  if (row.status === "completed") {
    const isJson = row.output_type === "json";
    return [{ ...closing, outcome: "ok", output, ...(isJson ? { outputType: "json" } : {}) }];
  }
  const errorType = row.error_type || "error";
  const outcome = outcomeOf(fieldTextAt(told, "outcome")) ?? outcomeOf(errorType) ?? "error";
  const failure = { outcome: outcome === "ok" ? "error" : outcome, errorType } as const;
  const message = row.error_message ?? "";
  // Without an output of its own the column repeats the error.
  return [{ ...closing, ...failure, message, ...(output === message ? {} : { output }) }];
}

function rowSummaryOf(row: CallRow, stamp: Stamp): string | undefined {
  const last = row.execution_events.at(-1);
  const facts = last ? factsOfToolEvent(last, undefined, stamp) : [];
  return facts.flatMap((fact) => (fact.type === "call.closed" ? [fact.summary] : []))[0];
}
