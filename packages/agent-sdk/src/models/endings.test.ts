import { withoutUndefined } from "@callboard/run-log/values";
import { describe, expect, test } from "vitest";
import type { FinishReason } from "../types/answer.js";
import { answerEndingOf, endingWordOf } from "./endings.js";

const empty = { hasContent: false, hasCalls: false };
function ending(reason: FinishReason, raw: string | undefined, has: Partial<typeof empty> = {}) {
  const { hasContent, hasCalls } = { ...empty, ...has };
  return answerEndingOf({ reason, ...withoutUndefined({ raw }) }, hasContent, hasCalls);
}

describe("an ending", () => {
  test.each([
    ["content-filter", "refusal", "error", "refusal"],
    ["content-filter", "content_filter", "error", "content_filter"],
    ["content-filter", "SAFETY", "error", "content_filter"],
    ["other", "RECITATION", "error", "content_filter"],
    ["other", "guardrail_intervened", "error", "content_filter"],
    ["content-filter", "prompt_blocked: SAFETY", "error", "prompt_blocked"],
    ["error", "MALFORMED_FUNCTION_CALL", "error", "malformed_call"],
    ["other", "UNEXPECTED_TOOL_CALL", "error", "malformed_call"],
    ["length", "MAX_TOKENS", "limit", "output_limit"],
    ["length", "max_tokens", "limit", "output_limit"],
    ["error", "error", "error", "provider_error"],
    ["other", "something_new", "error", "no_answer"],
    ["other", undefined, "error", "no_answer"],
  ] as const)("%s (%s) of an empty answer is %s: %s", (reason, raw, outcome, errorType) => {
    expect(ending(reason, raw)).toMatchObject({ outcome, errorType });
  });

  test("names the provider's word, so that a person can look it up", () => {
    expect(ending("length", "MAX_TOKENS")?.reason).toBe(
      "The answer was cut off: it reached the most tokens that one answer may have (MAX_TOKENS). Ask the model to continue, or raise maxOutputTokens.",
    );
  });

  test.each([
    ["stop", "stop", {}],
    ["stop", "end_turn", { hasContent: true }],
    ["tool-calls", "tool_use", { hasCalls: true }],
    ["length", "length", { hasCalls: true }],
    ["other", "something_new", { hasContent: true }],
    ["other", "something_new", { hasCalls: true }],
  ] as const)("%s (%s) with %j is a good one", (reason, raw, has) => {
    expect(ending(reason, raw, has)).toBeUndefined();
  });

  test("of an error is one whatever the answer had: its calls must not run", () => {
    const all = { hasContent: true, hasCalls: true };
    expect(ending("error", "error", all)).toMatchObject({ errorType: "provider_error" });
    expect(ending("content-filter", "content_filter", all)).toMatchObject({ outcome: "error" });
    expect(ending("content-filter", "refusal", all)).toMatchObject({ errorType: "refusal" });
  });

  test("has one word in the log", () => {
    expect(endingWordOf({ reason: "content-filter", raw: "refusal" })).toBe("refusal");
    expect(endingWordOf({ reason: "error", raw: "MALFORMED_FUNCTION_CALL" })).toBe(
      "malformed-call",
    );
    expect(endingWordOf({ reason: "stop", raw: "end_turn" })).toBe("stop");
  });
});
