/** What a session update contains about calls and terminals, in both versions and in the variants of agents. */
import { type Fields, fieldsOf, listOf, nameOf, numberOf, textOf } from "../../values/fields.js";

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
 * The calls that an agent reports as running in the background when a turn is over: on v2 with the state, on v1 our own
 * agent beside its answer.
 */
export function backgroundIn(end: Fields): readonly string[] {
  const own = fieldsOf(fieldsOf(end._meta)?.callboard)?.background;
  return listOf(end.background ?? own).flatMap((item) => nameOf(fieldsOf(item)?.toolCallId) ?? []);
}

/** The output of a terminal, if a v1 agent sends it beside an update. */
export function printedIn(update: Fields): string {
  const meta = fieldsOf(update._meta) ?? {};
  const piece = fieldsOf(meta.terminal_output_delta) ?? fieldsOf(meta.terminal_output);
  return textOf(piece?.data) ?? "";
}

/** The exit that a v1 agent sends beside an update. */
export function exitIn(update: Fields): Fields | undefined {
  return fieldsOf(fieldsOf(update._meta)?.terminal_exit);
}

export function exitCodeIn(update: Fields): number | undefined {
  return numberOf(exitIn(update)?.exit_code);
}

/** The parent call of a call, if an agent sends it: the protocol has no field for it. */
export function parentCallIn(update: Fields): string | undefined {
  const meta = fieldsOf(update._meta) ?? {};
  return (
    nameOf(fieldsOf(meta.callboard)?.parentToolCallId) ??
    nameOf(fieldsOf(meta.claudeCode)?.parentToolUseId)
  );
}
