/**
 * Makes valid JSON of text that was cut off, such as an answer that reached its length limit. It closes what was open
 * and drops only the tail that could have become different values. It never repairs: text that no continuation could
 * make valid is refused with the place of the error.
 */
import type { JsonValue } from "../values/json.js";
import type { JsonProblem } from "./jsonProblem.js";
import { DEFAULT_MAX_DEPTH } from "./jsonReader.js";
import { LiveTree } from "./liveTree.js";
import { Scanner } from "./scanner.js";

export type RecoveredJson =
  | { readonly recovered: true; readonly text: string; readonly value: JsonValue }
  | { readonly recovered: false; readonly problem: JsonProblem };

/** Valid text comes back as it is. A number at the cut is dropped: its next digit is unknown. */
export function recoverTruncated(text: string): RecoveredJson {
  const tree = new LiveTree(undefined);
  const scanner = new Scanner(tree, DEFAULT_MAX_DEPTH);
  scanner.push(text);
  scanner.end();
  if (scanner.problem !== undefined) return { recovered: false, problem: scanner.problem };
  const ending = scanner.ending();
  if (ending === undefined) return { recovered: false, problem: scanner.shortage };
  const kept = text.slice(0, ending.keep);
  const whole = (ending.dropsEntry ? withoutLastComma(kept) : kept) + ending.suffix;
  const value: JsonValue = JSON.parse(whole);
  return { recovered: true, text: whole, value };
}

/** Ends after the last thing that is certain: the white space and comma before a lost entry go too. */
function withoutLastComma(text: string): string {
  const end = lastMark(text, text.length);
  return text.charAt(end) === "," ? text.slice(0, lastMark(text, end) + 1) : text.slice(0, end + 1);
}

/** The index of the last character before `end` that is not white space. */
function lastMark(text: string, end: number): number {
  let at = end - 1;
  while (at >= 0 && " \n\r\t".includes(text.charAt(at))) at--;
  return at;
}
