/** The state of a call's arguments: whether they are complete, and why they must never run if not. */
import { recoverTruncated } from "@callboard/run-log/partial-json";
import { parsedJson } from "@callboard/run-log/values";
import type { FinishReason } from "../types/answer.js";

/** Only text that no continuation could change is proof: an empty text may be everything, or the start. */
export function isWholeInput(text: string): boolean {
  const value = parsedJson(text);
  return typeof value === "object" && value !== null;
}

/**
 * The intended arguments, if a server sent them in a known wrong form: an empty object before them, the same text twice,
 * or the text of a text. Otherwise the text itself.
 */
export function intendedInput(text: string): string {
  if (isWholeInput(text)) return text;
  const encoded = parsedJson(text);
  if (typeof encoded === "string") return isWholeInput(encoded) ? encoded : text;
  const rest = text.replace(/^\s*\{\s*\}/, "");
  if (rest !== text && isWholeInput(rest)) return rest;
  const half = text.slice(0, text.length / 2);
  return half + half === text && isWholeInput(half) ? half : text;
}

/** How arguments end that were not proven whole when the answer ended in good order. */
export function inputEndOf(
  text: string,
  reason: FinishReason,
): { readonly text: string; readonly problem?: string } {
  const cut = cuts[reason];
  if (cut !== undefined) return { text, problem: `${cut} ${recoveryOf(text)}` };
  if (text.trim() === "") return { text: "{}" };
  if (parsedJson(text) !== undefined) return { text };
  const result = recoverTruncated(text);
  const problem = result.recovered
    ? `The arguments stop in the middle. ${recoveryOf(text)}`
    : `The arguments are not valid JSON: ${result.problem.message} at position ${result.problem.position}.`;
  return { text, problem };
}

const cuts: Readonly<Partial<Record<FinishReason, string>>> = {
  length: "The answer reached its length limit in the middle of these arguments.",
  "content-filter": "The provider's content filter stopped the answer in these arguments.",
  error: "The model ended its answer with an error in the middle of these arguments.",
};

function recoveryOf(text: string): string {
  const result = recoverTruncated(text);
  return result.recovered
    ? `The ${text.length} characters that arrived can be closed to valid JSON, but what is missing is unknown, so they were not run.`
    : "They were not run.";
}
