/**
 * How many columns a text takes on a terminal, and texts cut and broken to fit. It counts what people
 * see as one character, and those of East Asia and emoji as two columns. It knows no styles.
 */
const isAscii = /^[\x20-\x7e]*$/;
const zeroWidth = /^[\p{Mn}\p{Me}\p{Cf}\p{Cc}]+$/u;
const emoji = /\p{Emoji_Presentation}|\p{Emoji}\ufe0f/u;

/** First and last of the ranges that are two columns wide, beside emoji. */
const wideRanges: readonly (readonly [number, number])[] = [
  [0x1100, 0x115f],
  [0x2e80, 0x303e],
  [0x3041, 0x33ff],
  [0x3400, 0x4dbf],
  [0x4e00, 0xa4cf],
  [0xa960, 0xa97f],
  [0xac00, 0xd7a3],
  [0xf900, 0xfaff],
  [0xfe30, 0xfe6f],
  [0xff00, 0xff60],
  [0xffe0, 0xffe6],
  [0x16fe0, 0x18d08],
  [0x1aff0, 0x1b2fb],
  [0x20000, 0x3fffd],
];

/** Made when it is first needed: it takes longer than all else that the program loads for `--version`. */
let segmenter: Intl.Segmenter | undefined;

function segmentsOf(text: string): Intl.Segments {
  segmenter ??= new Intl.Segmenter(undefined, { granularity: "grapheme" });
  return segmenter.segment(text);
}

export function graphemesOf(text: string): readonly string[] {
  if (isAscii.test(text)) return text.split("");
  return Array.from(segmentsOf(text), ({ segment }) => segment);
}

export function widthOf(text: string): number {
  if (isAscii.test(text)) return text.length;
  let width = 0;
  for (const { segment } of segmentsOf(text)) width += graphemeWidth(segment);
  return width;
}

export function graphemeWidth(grapheme: string): number {
  const code = grapheme.codePointAt(0) ?? 0;
  if (code >= 0x20 && code < 0x7f && grapheme.length === 1) return 1;
  if (emoji.test(grapheme)) return 2;
  if (zeroWidth.test(grapheme)) return 0;
  return wideRanges.some(([from, to]) => code >= from && code <= to) ? 2 : 1;
}

/** No wider than `columns`; an ellipsis marks a cut. */
export function cutText(text: string, columns: number): string {
  if (columns <= 0) return "";
  // No character is narrower than nothing, and few are: this much text is always enough to decide.
  const start = text.length > columns * 8 ? text.slice(0, columns * 8) : text;
  if (start.length === text.length && widthOf(text) <= columns) return text;
  let cut = "";
  let width = 0;
  for (const { segment } of segmentsOf(start)) {
    width += graphemeWidth(segment);
    if (width > columns - 1) break;
    cut += segment;
  }
  return `${cut}…`;
}

/** One paragraph, broken between words if possible. Never empty; no row is too wide. */
export function wrapText(text: string, columns: number): readonly string[] {
  const room = Math.max(2, columns);
  if (text.length <= room && widthOf(text) <= room) return [text];
  const rows: string[] = [];
  let row = "";
  let width = 0;
  const close = (): void => {
    rows.push(row.trimEnd());
    row = "";
    width = 0;
  };
  for (const word of text.match(/\s+|\S+/g) ?? []) {
    const wordWidth = widthOf(word);
    const isSpace = word.trim() === "";
    if (width + wordWidth <= room) {
      row += word;
      width += wordWidth;
      continue;
    }
    if (isSpace) {
      if (width > 0) close();
      continue;
    }
    if (width > 0 && row.trim() !== "") close();
    for (const grapheme of graphemesOf(word)) {
      const step = graphemeWidth(grapheme);
      if (width + step > room) close();
      row += grapheme;
      width += step;
    }
  }
  if (row !== "" || rows.length === 0) rows.push(row);
  return rows;
}
