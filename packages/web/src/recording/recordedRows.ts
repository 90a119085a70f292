/** The lines of a recorded file, as far as they can be read without knowing what wrote them. */
import { parsedJson } from "@callboard/run-log/values";

export interface Row {
  /** From 1, as the checker and the intake count. */
  readonly number: number;
  readonly text: string;
  /** Undefined if the line is not JSON. */
  readonly value: unknown;
}

export function fileLinesOf(text: string): readonly string[] {
  return text.split(/\r\n|\n|\r/);
}

/** Blank lines and the frame of server-sent events are skipped. */
export function rowsOf(fileLines: readonly string[]): readonly Row[] {
  return fileLines.flatMap((raw, index) => {
    const line = raw.replace(/^data: ?/, "").trim();
    if (line === "" || line.startsWith(":") || /^(event|id|retry):/.test(line)) return [];
    return [{ number: index + 1, text: line, value: parsedJson(line) }];
  });
}

/** A line without a time has that of the line before it, or the first one that exists. */
export function filledTimes(times: readonly (number | undefined)[]): readonly number[] {
  let last = times.find((at) => at !== undefined) ?? 0;
  return times.map((at) => {
    last = at ?? last;
    return last;
  });
}
