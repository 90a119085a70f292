/**
 * Diffs that are too large for one update, cut so that they still say what changes: first to their
 * hunks, then to what fits from the first difference on. A patch stays one that Git reads.
 */

import { isJsonObject, type JsonObject, type JsonValue } from "@callboard/run-log";
import { lineHunks, sideOf } from "@callboard/run-log/projections";
import { withoutUndefined } from "@callboard/run-log/values";

/** A diff of v1 as one item for each place that changed; anything else as it is. */
export function hunkedItems(item: JsonValue): readonly JsonValue[] {
  if (!isDiff(item)) return [item];
  const { oldText, newText } = item;
  if (typeof oldText !== "string" || typeof newText !== "string") return [item];
  const hunks = lineHunks(oldText, newText);
  if (hunks.length === 0) return [item];
  return hunks.map((hunk) => ({
    ...item,
    oldText: sideOf(hunk, "old"),
    newText: sideOf(hunk, "new"),
  }));
}

/** Whether each text of it has at most `most` characters afterwards; undefined if it is not a diff. */
export function cutDiff(item: JsonValue, most: number): readonly JsonValue[] | undefined {
  if (!isDiff(item)) return undefined;
  const { oldText, newText, patch } = item;
  if (isJsonObject(patch) && typeof patch.text === "string") {
    const text = cutPatch(patch.text, most);
    const left = patch.text.length - text.length;
    return [{ ...item, patch: { ...patch, text } }, ...noteOf(left)];
  }
  if (typeof newText !== "string") return undefined;
  const old = typeof oldText === "string" ? oldText : undefined;
  const start = hunkStartOf(old ?? "", newText, most);
  const oldPart = old === undefined ? undefined : textPartOf(old, start, most);
  const newPart = textPartOf(newText, start, most);
  const left =
    newText.length - newPart.length + (old === undefined ? 0 : old.length - (oldPart ?? "").length);
  return [
    { ...item, ...withoutUndefined({ oldText: oldPart }), newText: newPart },
    ...noteOf(left),
  ];
}

function isDiff(item: JsonValue): item is JsonObject {
  return isJsonObject(item) && item.type === "diff";
}

/** A little before the first difference. */
function hunkStartOf(oldText: string, newText: string, most: number): number {
  const shortest = Math.min(oldText.length, newText.length);
  let same = 0;
  while (same < shortest && oldText.charCodeAt(same) === newText.charCodeAt(same)) same += 1;
  const start = Math.max(0, same - Math.floor(most / 4));
  return isInPair(newText, start) ? start - 1 : start;
}

function textPartOf(text: string, start: number, most: number): string {
  const end = start + most;
  return text.slice(start, isInPair(text, end) ? end - 1 : end);
}

/** Whether a cut there would part a pair of surrogates. */
function isInPair(text: string, index: number): boolean {
  const unit = text.charCodeAt(index);
  return index > 0 && unit >= 0xdc00 && unit <= 0xdfff;
}

const hunkStart = /^@@ -(\d+)(?:,\d+)? \+(\d+)(?:,\d+)? @@.*\n/;

/** The header, then whole hunks, then as many lines of the next hunk as fit, with true counts. */
function cutPatch(text: string, most: number): string {
  if (text.length <= most) return text;
  const [header = "", ...hunks] = text.split(/^(?=@@ )/m);
  let out = header;
  for (const hunk of hunks) {
    if (out.length + hunk.length <= most) out += hunk;
    else return out + cutHunk(hunk, most - out.length);
  }
  return out;
}

function cutHunk(hunk: string, most: number): string {
  const [head = "", oldStart = "1", newStart = "1"] = hunkStart.exec(hunk) ?? [];
  if (head === "") return "";
  let body = "";
  let [oldCount, newCount] = [0, 0];
  for (const line of hunk.slice(head.length).match(/[^\n]*\n|[^\n]+$/g) ?? []) {
    if (head.length + body.length + line.length > most) break;
    body += line;
    if (line.startsWith("-") || line.startsWith(" ")) oldCount += 1;
    if (line.startsWith("+") || line.startsWith(" ")) newCount += 1;
  }
  return /^[-+]/m.test(body)
    ? `@@ -${oldStart},${oldCount} +${newStart},${newCount} @@\n${body}`
    : "";
}

function noteOf(left: number): readonly JsonValue[] {
  if (left <= 0) return [];
  const text = `… ${left} characters of this diff left out …`;
  return [{ type: "content", content: { type: "text", text } }];
}
