/**
 * What would take back the changes of the last run that made some: for each file the text that it had before.
 * Only the log and the files as they are now are asked; a file that differs from what the run left is refused.
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

/** `textOf` gives the text of a file as it is now, undefined where there is none. */
export async function undoOf(
  events: readonly RunEvent[],
  textOf: (path: string) => Promise<string | undefined>,
): Promise<Undo> {
  const edits = lastEdits(events);
  if (edits === undefined) return { status: "nothing" };
  if (edits.unknown > 0) {
    return { status: "refused", reasons: ["a change was too large to be kept in the log"] };
  }
  const now = new Map<string, string | undefined>();
  const reasons = new Map<string, string>();
  for (const { path, oldText, newText } of edits.diffs.toReversed()) {
    if (reasons.has(path)) continue;
    const text = now.has(path) ? now.get(path) : await textOf(path);
    const before = textBefore(text, oldText, newText);
    if (before.status === "refused") reasons.set(path, `${path} ${before.reason}`);
    else now.set(path, before.text);
  }
  if (reasons.size > 0) return { status: "refused", reasons: [...reasons.values()] };
  return { status: "possible", steps: [...now].map(([path, text]) => ({ path, text })) };
}

interface RunEdits {
  readonly diffs: Diff[];
  /** Calls that changed a file too large for the log to hold the change. */
  unknown: number;
}

/** The changes of the last run of the model's that has some, in order. */
function lastEdits(events: readonly RunEvent[]): RunEdits | undefined {
  const opened = new Map<string, EventOf<"call.opened">>();
  let last: { readonly runId: string; readonly edits: RunEdits } | undefined;
  for (const event of events) {
    if (event.type === "call.opened") opened.set(event.callId, event);
    if (event.type !== "call.closed" || event.outcome !== "ok") continue;
    const { kind, openedBy } = opened.get(event.callId) ?? {};
    if (event.diffs === undefined && kind !== "edit") continue;
    // What the person changed, by an undo for example, is not the model's to take back.
    if (openedBy === "user") last = undefined;
    else {
      if (last?.runId !== event.runId) {
        last = { runId: event.runId, edits: { diffs: [], unknown: 0 } };
      }
      if (event.diffs === undefined) last.edits.unknown += 1;
      else last.edits.diffs.push(...event.diffs);
    }
  }
  return last?.edits;
}

type Before =
  | { readonly status: "known"; readonly text: string | undefined }
  | { readonly status: "refused"; readonly reason: string };

function textBefore(
  text: string | undefined,
  oldText: string | undefined,
  newText: string,
): Before {
  if (text === undefined) return { status: "refused", reason: "is not there any more" };
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
