/** gemini-cli with `--output-format stream-json`. A failed command is reported as a success; no other field shows the failure. */

import { type Fields, fieldsOf, nameOf, textOf } from "../../values/fields.js";
import { withoutUndefined } from "../../values/optional.js";
import type { Claim } from "../claims.js";
import { type IntakeDialect, stepWithClaims } from "../dialect.js";
import {
  calledWith,
  deniedWith,
  failedWith,
  modelIn,
  timeOf,
  type UsageNames,
  usageClaimsOf,
  userSaid,
} from "./shared.js";

export interface GeminiMemory {
  readonly session?: string;
}

const usageNames: UsageNames = {
  input: ["input_tokens"],
  output: ["output_tokens"],
  cacheRead: ["cached"],
};

export const geminiCli: IntakeDialect<GeminiMemory> = {
  initial: {},
  isOwn: ({ value }) =>
    (value.type === "init" && nameOf(value.session_id) !== undefined) ||
    ((value.type === "tool_use" || value.type === "tool_result") && "tool_id" in value),
  step(memory, { value }) {
    const session = nameOf(value.session_id);
    const next = value.type === "init" && session ? { session } : memory;
    const at = timeOf(value.timestamp);
    return stepWithClaims(next, geminiCliClaims(value), { ...next, ...withoutUndefined({ at }) });
  },
};

function geminiCliClaims(value: Fields): readonly Claim[] {
  const call = textOf(value.tool_id) ?? "";
  switch (value.type) {
    case "init":
      return [{ type: "session", agent: "gemini-cli" }, ...modelIn(value), { type: "turnStarted" }];
    case "message": {
      const text = textOf(value.content) ?? "";
      if (value.role === "user") return userSaid(text);
      if (value.delta === true) return [{ type: "textGrew", kind: "text", text }];
      return [{ type: "textSaid", kind: "text", text }];
    }
    case "tool_use": {
      const tool = nameOf(value.tool_name) ?? "unknown";
      const toolType = tool === "invoke_agent" ? "agent" : "local";
      return calledWith(call, tool, value.parameters, { toolType, isUpsert: false });
    }
    case "tool_result":
      return [{ type: "callEnded", call, ...geminiCliEnding(value) }, { type: "messageEnded" }];
    case "error":
      return [
        { type: "errorReported", errorType: "gemini", message: nameOf(value.message) ?? "error" },
      ];
    case "result": {
      const reason = nameOf(fieldsOf(value.error)?.message);
      const outcome = value.status === "success" ? "ok" : "error";
      const why = withoutUndefined({ reason });
      return [...usageClaimsOf(value.stats, usageNames), { type: "turnEnded", outcome, ...why }];
    }
    default:
      return [];
  }
}

function geminiCliEnding(value: Fields) {
  const output = textOf(value.output) ?? "";
  if (value.status === "success") return { ending: { outcome: "ok", output } as const };
  const error = fieldsOf(value.error);
  const message = nameOf(error?.message) ?? output;
  const type = nameOf(error?.type);
  if (type === "policy_violation") return { ending: deniedWith(message), neverRan: true };
  const neverRan = type === "tool_not_registered" || type === "invalid_tool_params";
  return { ending: failedWith(message, type), neverRan };
}
