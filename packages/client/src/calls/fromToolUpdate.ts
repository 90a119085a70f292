/** The facts in a legacy `tool_update`, for servers that have nothing else. It has no times and no approvals, only its five types. */
import { type CallEvent, isJsonObject, type JsonValue, type Progress } from "@callboard/run-log";
import type { ToolUpdatePayload } from "@callboard/run-log/http";
import type { CallTrack } from "@callboard/run-log/projections";
import { factOf, inputFact, openedFact, type Stamp, unseen } from "./callFacts.js";
import { closingFields, numberAt, textOfJson } from "./jsonFields.js";

/** `track` is the call before the payload. */
export function factsOfToolUpdate(
  payload: ToolUpdatePayload,
  track: CallTrack | undefined,
  stamp: Stamp,
): readonly CallEvent[] {
  const { id: callId, tool_name: toolName } = payload;
  const opening = track === undefined ? [openedFact(stamp, { callId, toolName })] : [];
  return [...opening, ...furtherFacts(payload, track, stamp)];
}

function furtherFacts(
  payload: ToolUpdatePayload,
  track: CallTrack | undefined,
  stamp: Stamp,
): readonly CallEvent[] {
  const fact = factOf(stamp, payload.id);
  const hasRun = track?.phases.some(({ kind }) => kind === "running") ?? false;
  const started: readonly CallEvent[] = hasRun ? [] : [{ ...fact, type: "call.run.started" }];
  switch (payload.type) {
    case "user_visible_message": {
      const progress = { type: "message", message: payload.user_visible_message } as const;
      return [{ ...fact, type: "call.run.progressed", progress }];
    }
    case "mcp_input": {
      const isKnown = track?.input !== undefined;
      return [...(isKnown ? [] : [inputFact(stamp, payload.id, payload.mcp_input)]), ...started];
    }
    case "step_data": {
      const progress = progressIn(payload.step_data, track);
      return [...started, { ...fact, type: "call.run.progressed", progress }];
    }
    case "mcp_output": {
      const { mcp_output: told } = payload;
      const data = isJsonObject(told) ? told : {};
      // The output is the payload itself, or its `result` if the payload has more fields.
      const output = textOfJson("result" in data ? data.result : told);
      return [{ ...fact, type: "call.closed", ...closingFields(data), outcome: "ok", output }];
    }
    case "mcp_error": {
      const { mcp_error: message } = payload;
      return [{ ...fact, type: "call.closed", outcome: "error", errorType: "error", message }];
    }
    default:
      return payload satisfies never;
  }
}

function progressIn(told: JsonValue, track: CallTrack | undefined): Progress {
  const data = isJsonObject(told) ? told : { step: told };
  if (data.preview !== undefined) {
    const text = textOfJson(data.preview);
    const offset = numberAt(data, "offset");
    if (offset === undefined) return { type: "preview", text };
    const before = track?.outputText ?? "";
    return { type: "output", offset: before.length, text: unseen(before, text, offset) };
  }
  const { step: name, ...rest } = data;
  const step = textOfJson(name) || "step";
  return { type: "step", step, ...(Object.keys(rest).length === 0 ? {} : { data: rest }) };
}
