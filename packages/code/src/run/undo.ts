/**
 * The reversal of the changes of the last run whose changes are still in place: for each file its previous text. It
 * reads only the log and the current files; a file that differs from what the run left is refused.
 */
import type { Diff, EventOf, RunEvent } from "@callboard/run-log";

/** Up to here the change of an edit holds the whole file. */
const wholeDiffCharacters = 32_000;

export interface UndoStep {
  readonly path: string;
  /** Undefined for a file that the run made: it is removed. */
  readonly text: string | undefined;
}

export type Undo =
  | { readonly status: "nothing" }
  | { readonly status: "refused"; readonly reasons: readonly string[] }
  | { readonly status: "possible"; readonly steps: readonly UndoStep[] };

/** `textOf` returns the current text of a file, undefined if there is none. */
export async function undoOf(
  events: readonly RunEvent[],
  textOf: (path: string) => Promise<string | undefined>,
): Promise<Undo> {
  for (const edits of editsByRun(events).toReversed()) {
    const undo = await undoOfRun(edits, textOf);
    // A run whose files are as they were before it has been undone, or has undone itself.
    if (undo.status !== "nothing") return undo;
  }
  return { status: "nothing" };
}

async function undoOfRun(
  edits: RunEdits,
  textOf: (path: string) => Promise<string | undefined>,
): Promise<Undo> {
  if (edits.unknown > 0) {
    return { status: "refused", reasons: ["a change was too large to be kept in the log"] };
  }
  const now = new Map<string, string | undefined>();
  for (const path of new Set(edits.diffs.map((diff) => diff.path))) {
    const text = await textOf(path);
    if (!isAsBefore(edits.diffs, path, text)) now.set(path, text);
  }
  if (now.size === 0) return { status: "nothing" };
  const reasons = new Map<string, string>();
  for (const { path, oldText, newText } of edits.diffs.toReversed()) {
    if (reasons.has(path) || !now.has(path)) continue;
    const before = textBefore(now.get(path), oldText, newText);
    if (before.status === "refused") reasons.set(path, `${path} ${before.reason}`);
    else now.set(path, before.text);
  }
  if (reasons.size > 0) return { status: "refused", reasons: [...reasons.values()] };
  return { status: "possible", steps: [...now].map(([path, text]) => ({ path, text })) };
}

/** Whether a file has the text that it had before the first change. Of a large file the log has the changed lines alone. */
function isAsBefore(diffs: readonly Diff[], path: string, text: string | undefined): boolean {
  const first = diffs.find((diff) => diff.path === path);
  if (first === undefined || text === first.oldText) return true;
  if (text === undefined || first.oldText === undefined) return false;
  const isLarge = text.length > wholeDiffCharacters && first.newText !== "";
  return isLarge && text.includes(first.oldText) && !text.includes(first.newText);
}

interface RunEdits {
  readonly diffs: Diff[];
  /** Calls that changed a file too large for the log to hold the change. */
  unknown: number;
}

/** The changes of each run of the model that has some, in order. The person's own changes are not undone. */
function editsByRun(events: readonly RunEvent[]): readonly RunEdits[] {
  const opened = new Map<string, EventOf<"call.opened">>();
  const runs = new Map<string, RunEdits>();
  for (const event of events) {
    if (event.type === "call.opened") opened.set(event.callId, event);
    if (event.type !== "call.closed" || event.outcome !== "ok") continue;
    const { kind, openedBy } = opened.get(event.callId) ?? {};
    if (openedBy === "user" || (event.diffs === undefined && kind !== "edit")) continue;
    const edits = runs.get(event.runId) ?? { diffs: [], unknown: 0 };
    runs.set(event.runId, edits);
    if (event.diffs === undefined) edits.unknown += 1;
    else edits.diffs.push(...event.diffs);
  }
  return [...runs.values()];
}

type Before =
  | { readonly status: "known"; readonly text: string | undefined }
  | { readonly status: "refused"; readonly reason: string };

function textBefore(
  text: string | undefined,
  oldText: string | undefined,
  newText: string,
): Before {
  if (text === undefined) return { status: "refused", reason: "no longer exists" };
  if (text === newText) return { status: "known", text: oldText };
  // Of a large file the log has the changed lines alone: they must occur exactly once.
  const isLarge = text.length > wholeDiffCharacters && newText !== "";
  const at = isLarge ? text.indexOf(newText) : -1;
  if (oldText === undefined || at === -1 || text.indexOf(newText, at + 1) !== -1) {
    return { status: "refused", reason: "was changed since" };
  }
  const rest = text.slice(at + newText.length);
  return { status: "known", text: text.slice(0, at) + oldText + rest };
}
