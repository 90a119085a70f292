/**
 * A changed file as Git's patch text with absolute paths and one hunk: the lines that changed between
 * the common beginning and the common end, with three lines around them.
 */
import type { Diff } from "../../events/callEvents.js";
import { lineDiff } from "../../lineDiff.js";

const contextLines = 3;

export function patchOf({ path, oldText, newText }: Diff): string {
  const name = quoted(path);
  const head = `diff --git ${name} ${name}\n`;
  if (oldText === undefined) {
    const added = linesOf(newText);
    const hunk = added.length === 0 ? "" : `@@ -0,0 +1,${added.length} @@\n${signed("+", added)}`;
    return `${head}new file mode 100644\n--- /dev/null\n+++ ${name}\n${hunk}`;
  }
  return `${head}--- ${name}\n+++ ${name}\n${hunkOf(oldText, newText)}`;
}

function hunkOf(oldText: string, newText: string): string {
  const pieces = lineDiff(oldText, newText);
  const removed = linesOf(pieces.find((piece) => piece.removed)?.value ?? "");
  const added = linesOf(pieces.find((piece) => piece.added)?.value ?? "");
  if (removed.length === 0 && added.length === 0) return "";
  const first = pieces[0];
  const last = pieces.at(-1);
  const head = first && !first.removed && !first.added ? linesOf(first.value) : [];
  const tail = last && !last.removed && !last.added ? linesOf(last.value) : [];
  const before = head.slice(-contextLines);
  const after = tail.slice(0, contextLines);
  const skipped = head.length - before.length;
  const context = before.length + after.length;
  const old = rangeOf(skipped, context + removed.length);
  const next = rangeOf(skipped, context + added.length);
  const body = [
    signed(" ", before),
    signed("-", removed),
    signed("+", added),
    signed(" ", after),
  ].join("");
  return `@@ -${old} +${next} @@\n${body}`;
}

/** An empty range stands after the line before it. */
function rangeOf(skipped: number, count: number): string {
  return `${count === 0 ? skipped : skipped + 1},${count}`;
}

function linesOf(text: string): readonly string[] {
  return text.match(/[^\n]*\n|[^\n]+$/g) ?? [];
}

function signed(sign: " " | "+" | "-", lines: readonly string[]): string {
  return lines
    .map((line) =>
      line.endsWith("\n") ? `${sign}${line}` : `${sign}${line}\n\\ No newline at end of file\n`,
    )
    .join("");
}

/** Git quotes a name with unusual characters as C does. */
function quoted(path: string): string {
  if (!/["\\]|[^ -~]/.test(path)) return path;
  return `"${path.replaceAll(/["\\]/g, "\\$&").replaceAll("\n", "\\n").replaceAll("\t", "\\t")}"`;
}
