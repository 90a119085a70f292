/**
 * A terminal for tests: it reads the few codes that the program uses, and knows what is on its screen and
 * what has scrolled away. A code that it does not know is an error, so that nothing slips through.
 */
import { graphemesOf, graphemeWidth } from "../door/textWidth.js";

export interface VirtualTerminal {
  readonly columns: number;
  readonly rows: number;
  write(text: string): void;
  /** Every line since the start, without trailing space; the screen is the end of it. */
  lines(): readonly string[];
  readonly cursor: { readonly row: number; readonly column: number };
}

export function createVirtualTerminal(columns: number, rows: number): VirtualTerminal {
  /** Cells of all lines; a wide character leaves an empty cell behind it. */
  const grid: string[][] = [[]];
  let row = 0;
  let column = 0;
  const top = (): number => Math.max(0, grid.length - rows);

  function lineAt(index: number): string[] {
    while (grid.length <= index) grid.push([]);
    return grid[index] ?? [];
  }

  function put(grapheme: string): void {
    const width = graphemeWidth(grapheme);
    if (column + width > columns) {
      row += 1;
      column = 0;
    }
    const line = lineAt(row);
    while (line.length < column) line.push(" ");
    line[column] = grapheme;
    if (width === 2) line[column + 1] = "";
    column += width;
  }

  function control(parameters: string, final: string): void {
    const count = Number(parameters || "1");
    switch (final) {
      case "A":
        row = Math.max(top(), row - count);
        return;
      case "C":
        column = Math.min(columns - 1, column + count);
        return;
      case "J":
        if (parameters !== "0") throw new Error(`unexpected erase ${parameters}`);
        lineAt(row).length = Math.min(lineAt(row).length, column);
        grid.length = row + 1;
        return;
      case "K":
        lineAt(row).length = 0;
        return;
      case "m":
        return;
      case "h":
      case "l":
        if (["?25", "?2026", "?2004"].includes(parameters)) return;
        throw new Error(`unexpected mode ${parameters}${final}`);
      default:
        throw new Error(`unexpected code ${JSON.stringify(parameters + final)}`);
    }
  }

  return {
    columns,
    rows,
    write(text) {
      const codes = /\[([?>=]?[\d;]*)([A-Za-z])/y;
      for (let at = 0; at < text.length; ) {
        const character = text[at];
        if (character === "\u001b") {
          codes.lastIndex = at + 1;
          const code = codes.exec(text);
          if (code === null) {
            throw new Error(`unexpected escape ${JSON.stringify(text.slice(at, at + 8))}`);
          }
          control(code[1] ?? "", code[2] ?? "");
          at = codes.lastIndex;
        } else if (character === "\r") {
          column = 0;
          at += 1;
        } else if (character === "\n") {
          row += 1;
          lineAt(row);
          at += 1;
        } else {
          const end = endOfText(text, at);
          for (const grapheme of graphemesOf(text.slice(at, end))) put(grapheme);
          at = end;
        }
      }
    },
    lines: () =>
      grid.map((line) =>
        Array.from(line, (cell) => cell ?? " ")
          .join("")
          .trimEnd(),
      ),
    get cursor() {
      return { row: row - top(), column };
    },
  };
}

function endOfText(text: string, from: number): number {
  let end = from;
  while (end < text.length && !"\u001b\r\n".includes(text[end] ?? "")) end += 1;
  return end;
}
