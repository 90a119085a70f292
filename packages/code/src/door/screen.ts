/**
 * The lower end of a terminal: lines that are printed once and scroll away, and below them a few live
 * rows that are redrawn. Nothing above the live rows is ever touched again, so nothing flickers or jumps.
 * Every code that moves the cursor is made here.
 */
import type { Paint } from "./paint.js";
import { cutLine, type Line, lineWidth } from "./spans.js";

export interface LiveArea {
  readonly rows: readonly Line[];
  /** The position of the cursor; below the last row if it is absent. */
  readonly cursor?: { readonly row: number; readonly column: number };
}

export interface Screen {
  readonly columns: number;
  readonly rows: number;
  /** Prints lines for good above the live rows, and shows these rows. */
  draw(printed: readonly Line[], live: LiveArea): void;
  /** Takes the live rows away; what was printed stays. */
  clear(): void;
  /** Whether pasted text is marked as such by the terminal. */
  markPastes(isMarked: boolean): void;
}

export interface ScreenTerminal {
  readonly columns: number;
  readonly rows: number;
  write(text: string): void;
}

const csi = "\u001b[";
const eraseBelow = `${csi}0J`;
const eraseLine = `${csi}2K`;
const hideCursor = `${csi}?25l`;
const showCursor = `${csi}?25h`;
/** Terminals that know it show everything between at once; the others ignore it. */
const beginFrame = `${csi}?2026h`;
const endFrame = `${csi}?2026l`;

interface Drawn {
  readonly rows: readonly string[];
  readonly widths: readonly number[];
  readonly cursorRow: number;
}

const nothing: Drawn = { rows: [], widths: [], cursorRow: 0 };

export function createScreen(terminal: ScreenTerminal, paint: () => Paint): Screen {
  let drawn = nothing;

  /** A narrower terminal has broken our rows: they are as many more as they did not fit. */
  function rowsAboveCursor(): number {
    return drawn.widths
      .slice(0, drawn.cursorRow)
      .reduce((sum, width) => sum + Math.max(1, Math.ceil(width / terminal.columns)), 0);
  }

  function toTop(): string {
    const up = rowsAboveCursor();
    return `\r${up === 0 ? "" : `${csi}${up}A`}`;
  }

  return {
    get columns() {
      return terminal.columns;
    },
    get rows() {
      return terminal.rows;
    },
    draw(printed, live) {
      // The last column stays free: a full row would break on some terminals and not on others.
      const cut = live.rows.map((row) => cutLine(row, terminal.columns - 1));
      const rows = cut.map(paint());
      const widths = cut.map(lineWidth);
      const hasRoom = drawn.widths.every((width) => width < terminal.columns);
      const isSame = printed.length === 0 && hasRoom && rows.length === drawn.rows.length;
      const body = isSame
        ? changedRows(drawn.rows, rows)
        : eraseBelow +
          [...printed.map((line) => `${paint()(line)}\r\n`), rows.join("\r\n")].join("");
      const last = Math.max(0, rows.length - 1);
      const cursor = live.cursor ?? { row: last, column: widths[last] ?? 0 };
      const up = last - cursor.row;
      const place = `\r${up > 0 ? `${csi}${up}A` : ""}${cursor.column > 0 ? `${csi}${cursor.column}C` : ""}`;
      const cursorShown = live.cursor === undefined ? "" : showCursor;
      terminal.write(beginFrame + hideCursor + toTop() + body + place + cursorShown + endFrame);
      drawn = { rows, widths, cursorRow: cursor.row };
    },
    clear() {
      terminal.write(toTop() + eraseBelow + showCursor);
      drawn = nothing;
    },
    markPastes: (isMarked) => terminal.write(`${csi}?2004${isMarked ? "h" : "l"}`),
  };
}

/** From the first row to the last, rewriting only those that differ. */
function changedRows(before: readonly string[], after: readonly string[]): string {
  return after.map((row, index) => (row === before[index] ? "" : eraseLine + row)).join("\r\n");
}
