/** What an update of a session says of calls and terminals, in either version and in the habits of agents. */
import { type Fields, fieldsOf, listOf, nameOf, numberOf, textOf } from "../fields.js";

const finalStatuses: ReadonlySet<unknown> = new Set(["completed", "failed", "cancelled"]);

export function isFinalStatus(status: unknown): boolean {
  return finalStatuses.has(status);
}

/** The terminals that an update shows in its content: a whole list, or the one item of a chunk. */
export function terminalsIn({ content }: Fields): readonly string[] {
  const items = Array.isArray(content) ? listOf(content) : [content];
  return items.flatMap((item) => {
    const fields = fieldsOf(item) ?? {};
    return fields.type === "terminal" ? (nameOf(fields.terminalId) ?? []) : [];
  });
}

/**
 * The calls that an agent says go on in the background when a turn is over: on v2 with the state, on v1 our own agent
 * beside its answer.
 */
export function backgroundIn(end: Fields): readonly string[] {
  const own = fieldsOf(fieldsOf(end._meta)?.callboard)?.background;
  return listOf(end.background ?? own).flatMap((item) => nameOf(fieldsOf(item)?.toolCallId) ?? []);
}

/** What a terminal printed, where a v1 agent tells it beside an update. */
export function printedIn(update: Fields): string {
  const meta = fieldsOf(update._meta) ?? {};
  const piece = fieldsOf(meta.terminal_output_delta) ?? fieldsOf(meta.terminal_output);
  return textOf(piece?.data) ?? "";
}

/** The exit that a v1 agent tells beside an update. */
export function exitIn(update: Fields): Fields | undefined {
  return fieldsOf(fieldsOf(update._meta)?.terminal_exit);
}

export function exitCodeIn(update: Fields): number | undefined {
  return numberOf(exitIn(update)?.exit_code);
}
