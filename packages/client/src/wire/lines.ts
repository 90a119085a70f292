/**
 * Splits pieces of text into lines, however the pieces were cut. A line ends in LF, CRLF or CR; each
 * character is read once. A line beyond the limit is not kept: its start is returned with
 * the fact that it was too long, and reading continues after it.
 *
 * The intake of `@callboard/run-log` has another splitter. Importing that one loads every dialect that the intake
 * reads, which a page that follows runs does not need.
 */
export interface TooLong {
  /** The start of the line, for a report. */
  readonly head: string;
}

export type Line = string | TooLong;

export interface LineSplitter {
  push(text: string): readonly Line[];
  /** The text after the last line end; empty if there is none. */
  rest(): string;
}

/** As much as the server's largest line, an output with its images, and then some. */
export const defaultMaxLineChars = 32 * 1_048_576;

const headChars = 80;

export function createLineSplitter(maxChars = defaultMaxLineChars): LineSplitter {
  const lineEnd = /\r\n|[\r\n]/g;
  let line = "";
  let head: string | undefined;
  let mayContinueLineEnd = false;

  function hold(piece: string): void {
    if (head !== undefined) return;
    if (line.length + piece.length <= maxChars) {
      line += piece;
      return;
    }
    head = (line + piece.slice(0, headChars)).slice(0, headChars);
    line = "";
  }

  function finish(): Line {
    const finished = head === undefined ? line : { head };
    line = "";
    head = undefined;
    return finished;
  }

  return {
    push(text) {
      if (text === "") return [];
      const lines: Line[] = [];
      let from = mayContinueLineEnd && text.startsWith("\n") ? 1 : 0;
      lineEnd.lastIndex = from;
      for (let end = lineEnd.exec(text); end !== null; end = lineEnd.exec(text)) {
        hold(text.slice(from, end.index));
        lines.push(finish());
        from = lineEnd.lastIndex;
      }
      hold(text.slice(from));
      mayContinueLineEnd = text.endsWith("\r");
      return lines;
    },
    rest: () => line,
  };
}
