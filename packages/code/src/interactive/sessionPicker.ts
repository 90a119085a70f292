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

/** Below this width a session has two rows. */
const narrow = 48;

export function sessionLines(
  sessions: readonly FileSessionSummary[],
  { now, columns }: { readonly now: number; readonly columns: number },
): readonly Line[] {
  const shown = sessions.slice(0, mostShown);
  const rows = shown.flatMap(({ sessionId, title, updatedAt }, index): readonly Line[] => {
    const when = `${durationText(now - updatedAt).replace(/\.\d s$/, " s")} ago`;
    const number = span(`${String(index + 1).padStart(3)}  `, "dim");
    const id = span(sessionId.slice(0, shownId), "accent");
    const words = exactText(title);
    if (columns < narrow) {
      const first = [number, span(cutText(words, Math.max(1, columns - 5)))];
      return [first, cutLine([span("     "), id, span(` ${when}`, "dim")], columns)];
    }
    const room = columns - shownId - when.length - 10;
    return [[number, id, span(`  ${cutText(words, room)}`), span(`  ${when}`, "dim")]];
  });
  const left = sessions.length - shown.length;
  return left === 0 ? rows : [...rows, lineOf(`     … ${left} more: search for them`, "dim")];
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
      for (const line of sessionLines(found, { now, columns })) door.out.line(line);
      say(lineOf("Which one? A number, words to search for, or Enter for the first:"));
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
