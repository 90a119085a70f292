/**
 * The parts of the AI SDK's `streamText().fullStream`. A refusal comes in the stream after the one with the question: a
 * turn that ends with an open question continues in the next stream.
 */

import { type Fields, fieldsOf, nameOf, textOf } from "../../values/fields.js";
import { withoutUndefined } from "../../values/optional.js";
import type { Claim } from "../claims.js";
import { type IntakeDialect, stepWithClaims } from "../dialect.js";
import {
  deniedWith,
  failedWith,
  jsonOf,
  outputOf,
  type UsageNames,
  usageClaimsOf,
} from "./shared.js";

export interface AiSdkMemory {
  /** Questions that wait for an answer. */
  readonly asked: number;
}

const usageNames: UsageNames = {
  input: ["inputTokens"],
  output: ["outputTokens"],
  cacheRead: ["cachedInputTokens"],
  reasoning: ["reasoningTokens"],
};

const kinds: ReadonlySet<unknown> = new Set(["tool-call", "tool-result", "tool-error"]);

export const aiSdk: IntakeDialect<AiSdkMemory> = {
  initial: { asked: 0 },
  isOwn: ({ value }) =>
    !("payload" in value) &&
    (kinds.has(value.type) ||
      (value.type === "start-step" && fieldsOf(value.request) !== undefined) ||
      (value.type === "tool-input-start" && nameOf(value.id) !== undefined) ||
      (value.type === "text-delta" && nameOf(value.text) !== undefined)),
  step(memory, { value }) {
    const asked =
      memory.asked +
      (value.type === "tool-approval-request" ? 1 : 0) -
      (value.type === "tool-output-denied" && memory.asked > 0 ? 1 : 0);
    return stepWithClaims({ asked }, aiSdkClaims(value, asked > 0));
  },
};

function aiSdkClaims(value: Fields, isAsking: boolean): readonly Claim[] {
  const id = textOf(value.id) ?? "";
  const call = textOf(value.toolCallId) ?? "";
  switch (value.type) {
    case "start":
      return isAsking ? [] : [{ type: "turnStarted" }];
    case "start-step": {
      const model = nameOf(fieldsOf(fieldsOf(value.request)?.body)?.model);
      const named: readonly Claim[] = model === undefined ? [] : [{ type: "session", model }];
      return [...named, { type: "messageOpened" }];
    }
    case "text-delta":
      return [textClaim("text", value)];
    case "reasoning-delta":
      return [textClaim("reasoning", value)];
    case "text-end":
    case "reasoning-end":
      return [{ type: "textEnded", part: id }];
    case "tool-input-start":
      return [{ type: "callOpened", call: id, tool: nameOf(value.toolName) ?? "unknown" }];
    case "tool-input-delta":
      return [{ type: "inputGrew", call: id, text: textOf(value.delta) ?? "" }];
    case "tool-call":
      return toolCall(value, call);
    case "tool-approval-request": {
      const asked = textOf(fieldsOf(value.toolCall)?.toolCallId) ?? call;
      return [{ type: "approvalAsked", call: asked, approval: nameOf(value.approvalId) ?? asked }];
    }
    case "tool-result": {
      const ending = outputOf(value.output);
      if (value.preliminary !== true) return [{ type: "callEnded", call, ending }];
      const progress = { type: "preview", text: ending.output } as const;
      return [{ type: "callProgressed", call, progress }];
    }
    case "tool-error": {
      const message = aiSdkErrorText(value.error);
      return [{ type: "callEnded", call, ending: failedWith(message) }];
    }
    case "tool-output-denied":
      return [{ type: "callEnded", call, ending: deniedWith("the person refused it") }];
    case "finish-step": {
      const reason = nameOf(value.finishReason);
      const finished = withoutUndefined({ finishReason: reason });
      return [...usageClaimsOf(value.usage, usageNames), { type: "messageEnded", ...finished }];
    }
    case "finish":
      return isAsking ? [] : [{ type: "turnEnded", outcome: "ok" }];
    case "abort":
      return [{ type: "turnEnded", outcome: "cancelled", reason: "the stream was aborted" }];
    case "error":
      return [{ type: "errorReported", errorType: "ai_sdk", message: aiSdkErrorText(value.error) }];
    default:
      return [];
  }
}

function textClaim(kind: "text" | "reasoning", value: Fields): Claim {
  const part = nameOf(value.id);
  const where = withoutUndefined({ part });
  return { type: "textGrew", kind, text: textOf(value.text) ?? "", ...where };
}

function toolCall(value: Fields, call: string): readonly Claim[] {
  const tool = nameOf(value.toolName) ?? "unknown";
  const input = jsonOf(value.input);
  const opened: Claim = { type: "callOpened", call, tool, isUpsert: true };
  if (value.invalid === true) {
    const given = typeof input === "string" ? { text: input } : {};
    const problem = aiSdkErrorText(value.error);
    return [opened, { type: "inputGiven", call, ...given, problem }];
  }
  return [
    opened,
    { type: "inputGiven", call, ...withoutUndefined({ value: input }) },
    { type: "callStarted", call },
  ];
}

function aiSdkErrorText(error: unknown): string {
  if (error instanceof Error) return error.message;
  return (
    nameOf(error) ?? nameOf(fieldsOf(error)?.message) ?? JSON.stringify(jsonOf(error) ?? "error")
  );
}
