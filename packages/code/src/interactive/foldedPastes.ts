/**
 * Long pastes as one short label in the edited line: `[pasted 5000 lines #1]`. The label is plain text: the sent message
 * has the whole paste in its place. A changed label stays unchanged.
 */
export interface FoldedPastes {
  /** A label if the text is long, otherwise the text itself. */
  fold(text: string): string;
  /** The text with every paste whole. */
  unfold(text: string): string;
  /** The label that ends at the cursor: it is removed as one character. */
  labelBefore(text: string, cursor: number): string | undefined;
}

const mostLines = 10;
const mostCharacters = 2_000;
const label = /\[pasted \d+ (?:lines|characters) #\d+\]/g;
const longestLabel = 64;

export function createFoldedPastes(): FoldedPastes {
  const kept = new Map<string, string>();
  const unfold = (text: string): string => text.replaceAll(label, (name) => kept.get(name) ?? name);
  return {
    fold(text) {
      const lines = linesIn(text);
      if (lines <= mostLines && text.length <= mostCharacters) return text;
      const size = lines > mostLines ? `${lines} lines` : `${text.length} characters`;
      const name = `[pasted ${size} #${kept.size + 1}]`;
      kept.set(name, unfold(text));
      return name;
    },
    unfold,
    labelBefore(text, cursor) {
      const before = text.slice(Math.max(0, cursor - longestLabel), cursor);
      const name = before.endsWith("]") ? before.slice(before.lastIndexOf("[")) : undefined;
      return name !== undefined && kept.has(name) ? name : undefined;
    },
  };
}

function linesIn(text: string): number {
  let lines = 1;
  for (let at = text.indexOf("\n"); at !== -1; at = text.indexOf("\n", at + 1)) lines += 1;
  return lines;
}
