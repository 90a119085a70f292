/**
 * Globs of approval rules, matched without regular expressions so that no rule can be slow.
 * `?` is one character, `*` any number, `**` any number over every border, `**` before a slash any
 * number of folders, `\` takes the next one literally. Where `*` and `?` stop is the caller's word.
 */

type Piece =
  | { readonly type: "literal"; readonly text: string }
  | { readonly type: "one" }
  | { readonly type: "many"; readonly overBorders: boolean }
  | { readonly type: "folders" };

/** Whether `*` and `?` may match this character. */
export type Crossing = (character: string) => boolean;

export const overAnything: Crossing = () => true;
export const notOverSlashes: Crossing = (character) => character !== "/";

function globPiecesOf(glob: string): readonly Piece[] {
  const pieces: Piece[] = [];
  let literal = "";
  const push = (piece: Piece): void => {
    if (literal !== "") pieces.push({ type: "literal", text: literal });
    literal = "";
    pieces.push(piece);
  };
  for (let index = 0; index < glob.length; index += 1) {
    const character = glob.charAt(index);
    if (character === "?") {
      push({ type: "one" });
    } else if (isFolders(glob, index)) {
      index += 2;
      push({ type: "folders" });
    } else if (character === "*") {
      const overBorders = glob.charAt(index + 1) === "*";
      if (overBorders) index += 1;
      push({ type: "many", overBorders });
    } else if (character === "\\" && index + 1 < glob.length) {
      index += 1;
      literal += glob.charAt(index);
    } else {
      literal += character;
    }
  }
  if (literal !== "") pieces.push({ type: "literal", text: literal });
  return pieces;
}

const isFolders = (glob: string, index: number): boolean =>
  glob.startsWith("**/", index) && (index === 0 || glob.charAt(index - 1) === "/");

/** The text of a glob without a wildcard. */
export function literalOf(glob: string): string | undefined {
  let text = "";
  for (const piece of globPiecesOf(glob)) {
    if (piece.type !== "literal") return undefined;
    text += piece.text;
  }
  return text;
}

/** The glob that matches exactly this text. */
export const escapedGlob = (text: string): string => text.replace(/[\\*?]/g, "\\$&");

/** Costs at most pattern × text steps, whatever the pattern. */
export function matchesGlob(glob: string, text: string, mayCross: Crossing): boolean {
  const pieces = globPiecesOf(glob);
  let reached = new Uint8Array(text.length + 1);
  reached[0] = 1;
  for (const piece of pieces) {
    const next = new Uint8Array(text.length + 1);
    for (let index = 0; index <= text.length; index += 1) {
      if (reached[index] === 1) spread(piece, text, index, mayCross, next);
    }
    reached = next;
  }
  return reached[text.length] === 1;
}

function spread(
  piece: Piece,
  text: string,
  from: number,
  mayCross: Crossing,
  next: Uint8Array,
): void {
  switch (piece.type) {
    case "literal":
      if (text.startsWith(piece.text, from)) next[from + piece.text.length] = 1;
      return;
    case "one":
      if (from < text.length && mayCross(text.charAt(from))) next[from + 1] = 1;
      return;
    case "many":
      for (let index = from; next[index] !== 1; index += 1) {
        next[index] = 1;
        if (index >= text.length) return;
        if (!piece.overBorders && !mayCross(text.charAt(index))) return;
      }
      return;
    case "folders":
      next[from] = 1;
      for (let index = from + 1; index <= text.length; index += 1) {
        if (text.charAt(index - 1) !== "/") continue;
        if (next[index] === 1) return;
        next[index] = 1;
      }
      return;
    default:
      piece satisfies never;
  }
}
