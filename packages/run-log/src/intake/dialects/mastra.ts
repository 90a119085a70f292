/** The chunks of Mastra's `agent.stream().fullStream`. The chunks of a nested agent are wrapped in its call. */

import { type Fields, fieldsOf, nameOf, textOf } from "../../values/fields.js";
import { withoutUndefined } from "../../values/optional.js";
import type { Claim, Place } from "../claims.js";
import { type IntakeDialect, stepWithClaims } from "../dialect.js";
import { calledWith, failedWith, outputOf, type UsageNames, usageClaimsOf } from "./shared.js";

const usageNames: UsageNames = {
  input: ["inputTokens"],
  output: ["outputTokens"],
  cacheRead: ["cachedInputTokens"],
  reasoning: ["reasoningTokens"],
};

export const mastra: IntakeDialect<null> = {
  initial: null,
  isOwn: ({ value }) =>
    (value.from === "AGENT" || value.from === "USER") && fieldsOf(value.payload) !== undefined,
  step: (memory, { value }) => stepWithClaims(memory, mastraClaims(value, {})),
};

function mastraClaims(value: Fields, place: Place): readonly Claim[] {
  const payload = fieldsOf(value.payload) ?? {};
  const call = textOf(payload.toolCallId) ?? "";
  const tool = nameOf(payload.toolName) ?? "unknown";
  const isNested = place.parent !== undefined;
  switch (value.type) {
    case "start": {
      const runId = nameOf(value.runId);
      return isNested ? [] : [{ type: "turnStarted", ...withoutUndefined({ runId }) }];
    }
    case "step-start":
      return [{ type: "messageOpened", ...place }];
    case "text-delta":
      return [{ type: "textGrew", kind: "text", text: textOf(payload.text) ?? "", ...place }];
    case "reasoning-delta":
      return [{ type: "textGrew", kind: "reasoning", text: textOf(payload.text) ?? "", ...place }];
    case "text-end":
    case "reasoning-end":
      return [{ type: "textEnded", ...place }];
    case "tool-call-input-streaming-start":
      return [{ type: "callOpened", call, tool, ...place }];
    case "tool-call-delta":
      return [{ type: "inputGrew", call, text: textOf(payload.argsTextDelta) ?? "" }];
    case "tool-call":
      return calledWith(call, tool, payload.args, place);
    case "tool-call-approval":
      return [{ type: "approvalAsked", call, approval: `${call}-approval` }];
    case "tool-output":
      return nestedClaims(payload, call);
    case "tool-result":
      return [{ type: "callEnded", call, ending: mastraEnding(payload.result) }];
    case "tool-error":
      return [{ type: "callEnded", call, ending: failedWith(mastraErrorText(payload.error)) }];
    case "step-finish":
      return [
        ...usageClaimsOf(fieldsOf(payload.output)?.usage, usageNames),
        { type: "messageEnded", ...place },
      ];
    case "finish":
      return isNested ? [] : [{ type: "turnEnded", outcome: "ok" }];
    case "error":
      return isNested
        ? []
        : [{ type: "turnEnded", outcome: "error", reason: mastraErrorText(payload.error) }];
    case "abort":
      return isNested ? [] : [{ type: "turnEnded", outcome: "cancelled" }];
    default:
      return [];
  }
}

function nestedClaims(payload: Fields, call: string): readonly Claim[] {
  const inner = fieldsOf(payload.output);
  if (inner && fieldsOf(inner.payload)) return mastraClaims(inner, { parent: call });
  const { output } = outputOf(payload.output);
  return [{ type: "callProgressed", call, progress: { type: "output", text: output } }];
}

/** A failure is reported as a result: only an error object in its place shows it. */
function mastraEnding(result: unknown) {
  const fields = fieldsOf(result);
  const message = nameOf(fields?.message);
  const code = nameOf(fields?.code);
  const isError = fields?.error === true || (fields && "details" in fields && code !== undefined);
  return isError && message !== undefined ? failedWith(message, code) : outputOf(result);
}

function mastraErrorText(error: unknown): string {
  return nameOf(error) ?? nameOf(fieldsOf(error)?.message) ?? "error";
}
