/**
 * One passage of a text replaced by another. Line ends do not matter when looking for it, and those
 * of the file are kept. Pure; it never picks one of several matches.
 */
export type TextEdit =
  | {
      readonly status: "edited";
      readonly text: string;
      /** Where the change is in the old text and in the new one. */
      readonly start: number;
      readonly oldEnd: number;
      readonly newEnd: number;
      /** Counted from 1. */
      readonly line: number;
    }
  | { readonly status: "missing"; readonly firstLineAt: readonly number[] }
  | { readonly status: "ambiguous"; readonly count: number; readonly lines: readonly number[] };

const maxLinesTold = 10;

export function editedText(text: string, oldText: string, newText: string): TextEdit {
  const flat = withLineFeeds(text);
  const passage = withLineFeeds(oldText);
  const { count, first, lines } = matchesOf(flat, passage);
  if (count === 0) {
    const firstLine = passage.split("\n").find((line) => line.trim() !== "");
    const found = firstLine === undefined ? [] : matchesOf(flat, firstLine.trim()).lines;
    return { status: "missing", firstLineAt: found };
  }
  if (count > 1) return { status: "ambiguous", count, lines };
  const start = originalIndex(text, first);
  const oldEnd = originalIndex(text, first + passage.length);
  const ending = lineEndOf(text.slice(start, oldEnd)) ?? lineEndOf(text) ?? "\n";
  const replacement = withLineFeeds(newText).replaceAll("\n", ending);
  return {
    status: "edited",
    text: text.slice(0, start) + replacement + text.slice(oldEnd),
    start,
    oldEnd,
    newEnd: start + replacement.length,
    line: lines[0] ?? 1,
  };
}

function withLineFeeds(text: string): string {
  return text.replaceAll("\r\n", "\n");
}

function matchesOf(text: string, passage: string) {
  const lines: number[] = [];
  let count = 0;
  let first = -1;
  let line = 1;
  let seen = 0;
  for (let at = text.indexOf(passage); at !== -1; at = text.indexOf(passage, at + passage.length)) {
    if (count === 0) first = at;
    count += 1;
    if (lines.length === maxLinesTold) continue;
    for (
      let end = text.indexOf("\n", seen);
      end !== -1 && end < at;
      end = text.indexOf("\n", seen)
    ) {
      line += 1;
      seen = end + 1;
    }
    lines.push(line);
  }
  return { count, first, lines };
}

/** From an index into the text with plain line feeds to the same place of the original. */
function originalIndex(text: string, flatIndex: number): number {
  let index = flatIndex;
  for (let at = text.indexOf("\r\n"); at !== -1 && at < index; at = text.indexOf("\r\n", at + 2)) {
    index += 1;
  }
  return index;
}

/** The line end that the text uses most. */
function lineEndOf(text: string): "\n" | "\r\n" | undefined {
  const all = text.split("\n").length - 1;
  if (all === 0) return undefined;
  const pairs = text.split("\r\n").length - 1;
  return pairs * 2 > all ? "\r\n" : "\n";
}

/** The changed lines of old and new text with some lines around them. */
export function changedLines(
  oldText: string,
  edit: Extract<TextEdit, { status: "edited" }>,
  around = 3,
): { readonly oldText: string; readonly newText: string } {
  let from = edit.start;
  for (let lines = 0; lines <= around && from > 0; lines += 1) {
    from = oldText.lastIndexOf("\n", from - 1);
    if (from === -1) from = 0;
  }
  if (oldText[from] === "\n") from += 1;
  let after = edit.oldEnd;
  const endsLine = oldText[after - 1] === "\n";
  for (let lines = endsLine ? 1 : 0; lines <= around && after < oldText.length; lines += 1) {
    const end = oldText.indexOf("\n", after);
    after = end === -1 ? oldText.length : end + 1;
  }
  const shift = edit.newEnd - edit.oldEnd;
  return { oldText: oldText.slice(from, after), newText: edit.text.slice(from, after + shift) };
}
