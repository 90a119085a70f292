/** The sessions of a folder to choose from: a number takes one, words search, an empty line takes the first. */
import { createInterface } from "node:readline/promises";
import type { FileSessionSummary } from "@callboard/agent-sdk/sessions";
import { cutLine, type Line, lineOf, span } from "../door/spans.js";
import { exactText } from "../door/terminalText.js";
import { cutText } from "../door/textWidth.js";
import { sessionsLike } from "../run/sessions.js";
import { UsageError } from "../usageError.js";
import { durationText } from "../view/quantities.js";
import type { World } from "../world.js";
import { noticeRows } from "./noticeRows.js";

const mostShown = 15;
const shownId = 8;
const usualRows = 24;

/** Below this width a session has two rows. */
const narrow = 48;

export interface PickerSize {
  /** Milliseconds since the epoch. */
  readonly now: number;
  readonly columns: number;
  /** How many rows there are for the list. */
  readonly mostRows: number;
}

export function sessionLines(
  sessions: readonly FileSessionSummary[],
  { now, columns, mostRows }: PickerSize,
  numberOf = (session: FileSessionSummary): number => sessions.indexOf(session) + 1,
): readonly Line[] {
  const isNarrow = columns < narrow;
  const room = Math.max(1, Math.floor((mostRows - 1) / (isNarrow ? 2 : 1)));
  const shown = sessions.slice(0, Math.min(mostShown, room));
  const rows = shown.flatMap((session): readonly Line[] => {
    const { sessionId, title, updatedAt } = session;
    const when = `${durationText(now - updatedAt).replace(/\.\d s$/, " s")} ago`;
    const number = span(`${String(numberOf(session)).padStart(3)}  `, "dim");
    const id = span(sessionId.slice(0, shownId), "accent");
    const words = exactText(title);
    if (isNarrow) {
      const first = [number, span(cutText(words, Math.max(1, columns - 5)))];
      return [first, cutLine([span("     "), id, span(` ${when}`, "dim")], columns)];
    }
    const titleRoom = columns - shownId - when.length - 10;
    return [[number, id, span(`  ${cutText(words, titleRoom)}`), span(`  ${when}`, "dim")]];
  });
  const left = sessions.length - shown.length;
  const more = isNarrow ? `     … ${left} more` : `     … ${left} more: search for them`;
  return left === 0 ? rows : [...rows, lineOf(more, "dim")];
}

export async function pickSession(
  { stdin, door }: World,
  sessions: readonly FileSessionSummary[],
  now: number,
): Promise<string> {
  const lines = createInterface({ input: stdin, terminal: false });
  const answers = lines[Symbol.asyncIterator]();
  let found = sessions;
  try {
    for (;;) {
      const columns = (door.out.columns ?? 80) - 1;
      const say = (line: Line): void => {
        for (const row of noticeRows(line, columns)) door.out.line(row);
      };
      const question =
        columns < narrow
          ? "Which one? A number, or words:"
          : "Which one? A number, words to search for, or Enter for the first:";
      // Below the list are the question and the line of the answer.
      const asked = noticeRows(lineOf(question), columns);
      const mostRows = (door.out.rows ?? usualRows) - asked.length - 1;
      for (const line of sessionLines(found, { now, columns, mostRows })) door.out.line(line);
      for (const line of asked) door.out.line(line);
      const { value, done } = await answers.next();
      if (done === true) throw new UsageError("no session was chosen");
      const answer = String(value).trim();
      const chosen =
        /^\d+$/.test(answer) || answer === "" ? found[Number(answer || "1") - 1] : undefined;
      if (chosen !== undefined) return chosen.sessionId;
      const matching = sessionsLike(sessions, answer);
      if (matching.length === 0) say(lineOf(`Nothing is like ${exactText(answer)}.`, "warn"));
      found = matching.length === 0 ? sessions : matching;
      const [only, ...others] = matching;
      if (only !== undefined && others.length === 0) return only.sessionId;
    }
  } finally {
    lines.close();
  }
}
