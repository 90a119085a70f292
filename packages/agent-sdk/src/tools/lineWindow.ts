/** A range of lines of a text that comes in pieces. It keeps only the requested lines, and cuts them at the end of a line if possible. */
export interface LineWindow {
  push(piece: string): void;
  /** The requested lines have passed, or the maximum size was reached. */
  isDone(): boolean;
  result(): WindowText;
}

export interface WindowText {
  readonly text: string;
  /** Counted from 1; less than the first requested if there was no such line. */
  readonly lastLine: number;
  /** Lines that were pushed so far. */
  readonly totalLines: number;
  /** The last line is longer than the maximum. */
  readonly isLineCut: boolean;
}

export function createLineWindow(first: number, count: number, maxChars: number): LineWindow {
  let line = 1;
  let hasOpenLine = false;
  let isFull = false;
  let text = "";
  let lastLine = first - 1;

  function take(part: string): void {
    if (line < first || line >= first + count || isFull) return;
    isFull = part.length > maxChars - text.length;
    text += part.slice(0, maxChars - text.length);
    lastLine = line;
  }

  return {
    push(piece) {
      for (let at = 0; at < piece.length; ) {
        const found = piece.indexOf("\n", at);
        const end = found === -1 ? piece.length : found + 1;
        take(piece.slice(at, end));
        hasOpenLine = found === -1;
        if (!hasOpenLine) line += 1;
        at = end;
      }
    },
    isDone: () => isFull || line >= first + count,
    result() {
      const totalLines = hasOpenLine ? line : line - 1;
      const lineEnd = text.lastIndexOf("\n") + 1;
      if (!isFull || lineEnd === 0) return { text, lastLine, totalLines, isLineCut: isFull };
      const whole = text.slice(0, lineEnd);
      return { text: whole, lastLine: lastLine - 1, totalLines, isLineCut: false };
    },
  };
}
