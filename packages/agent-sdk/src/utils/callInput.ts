/** What became of a call's arguments: whether they are whole, and why they must never run if not. */
import { recoverTruncated } from "@callboard/run-log";
import type { FinishReason } from "../types/answer.js";
import { parsedJson } from "./jsonFields.js";

/** Only text that no continuation could change is proof: nothing at all may be all, or the beginning. */
export function isWholeInput(text: string): boolean {
  return typeof parsedJson(text) === "object";
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
