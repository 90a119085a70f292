/**
 * How a model's answer ended, for people and programs. Every finish reason of every protocol is one of these; a
 * word that is not known is an ordinary end if the answer has something in it, and an error if it has not.
 */
import type { RunOutcome } from "@callboard/run-log";
import type { FinishReason } from "../types/answer.js";

/** The log's term for the end of an answer. */
export type EndingWord = FinishReason | "refusal" | "prompt-blocked" | "malformed-call";

export interface Ending {
  readonly outcome: Extract<RunOutcome, "error" | "limit">;
  readonly errorType: string;
  readonly reason: string;
}

export interface AnswerFinish {
  readonly reason: FinishReason;
  /** The provider's own word. */
  readonly raw?: string;
}

const rawWords: readonly (readonly [RegExp, EndingWord])[] = [
  [/^refusal$/i, "refusal"],
  [/prompt_blocked/i, "prompt-blocked"],
  [/malformed|leaked_tool_call|unexpected_tool_call|too_many_tool_calls/i, "malformed-call"],
  [
    /content_?-?filter|safety|recitation|blocklist|prohibited|spii|guardrail|sensitive/i,
    "content-filter",
  ],
];

export function endingWordOf({ reason, raw = "" }: AnswerFinish): EndingWord {
  return rawWords.find(([pattern]) => pattern.test(raw))?.[1] ?? reason;
}

/** Undefined if the answer ended well: it is complete, or its calls run next. */
export function answerEndingOf(
  finish: AnswerFinish,
  hasContent: boolean,
  hasCalls: boolean,
): Ending | undefined {
  const word = endingWordOf(finish);
  const said = finish.raw === undefined || finish.raw === word ? "" : ` (${finish.raw})`;
  switch (word) {
    case "stop":
    case "tool-calls":
      return undefined;
    case "length":
      if (hasCalls) return undefined;
      return {
        outcome: "limit",
        errorType: "output_limit",
        reason: `The answer was cut off: it reached the most tokens that one answer may have${said}. Ask the model to continue, or raise maxOutputTokens.`,
      };
    case "refusal":
      return ended(
        "refusal",
        `The model refused to answer${said}. Ask in another way, or use another model.`,
      );
    case "prompt-blocked":
      return ended(
        "prompt_blocked",
        `The provider blocked the request before the model saw it${said}. Change the message, or use another model.`,
      );
    case "content-filter":
      return ended(
        "content_filter",
        `The provider's content filter stopped the answer${said}. Ask in another way, or use another model.`,
      );
    case "malformed-call":
      return ended(
        "malformed_call",
        `The model made a tool call that its provider could not read${said}. Send the message again, or use another model.`,
      );
    case "error":
      return ended(
        "provider_error",
        `The provider ended the answer with an error${said}. Nothing of it was run. Send the message again.`,
      );
    case "other":
      if (hasContent || hasCalls) return undefined;
      return ended(
        "no_answer",
        `The model returned no content and no known reason${said}. Send the message again, or use another model.`,
      );
    default:
      return word satisfies never;
  }
}

function ended(errorType: string, reason: string): Ending {
  return { outcome: "error", errorType, reason };
}
