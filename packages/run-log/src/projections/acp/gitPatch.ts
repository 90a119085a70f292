/**
 * A changed file as Git's patch text with absolute paths: one hunk for each place that changed, with
 * three lines around it.
 */

import { type LineHunk, lineHunks, linesOf } from "../../calls/lineHunks.js";
import type { Diff } from "../../log/events/callEvents.js";

export function patchOf({ path, oldText, newText }: Diff): string {
  const name = quoted(path);
  const head = `diff --git ${name} ${name}\n`;
  if (oldText === undefined) {
    const added = linesOf(newText);
    const hunk = added.length === 0 ? "" : `@@ -0,0 +1,${added.length} @@\n${signed("+", added)}`;
    return `${head}new file mode 100644\n--- /dev/null\n+++ ${name}\n${hunk}`;
  }
  return `${head}--- ${name}\n+++ ${name}\n${lineHunks(oldText, newText).map(patchHunk).join("")}`;
}

function patchHunk(hunk: LineHunk): string {
  const count = (other: "+" | "-"): number =>
    hunk.lines.filter(({ sign }) => sign !== other).length;
  const old = rangeOf(hunk.oldSkipped, count("+"));
  const next = rangeOf(hunk.newSkipped, count("-"));
  return `@@ -${old} +${next} @@\n${hunk.lines.map(({ sign, line }) => signed(sign, [line])).join("")}`;
}

/** An empty range comes after the line before it. */
function rangeOf(skipped: number, count: number): string {
  return `${count === 0 ? skipped : skipped + 1},${count}`;
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
