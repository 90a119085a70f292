/**
 * Evidence in a completed ACP tool call that it did not succeed: a killed or unfinished process, an abort flag. A
 * command that exits with an error code has still run to its end, so an exit code is not evidence.
 */

import { type Fields, fieldsOf, listOf, nameOf, textOf } from "../../values/fields.js";
import type { Evidence } from "../evidence.js";
import { exitIn } from "./toolCalls.js";

const flags = ["aborted", "cancelled", "canceled", "interrupted", "killed", "timedOut"] as const;

/** Evidence against an ok at any time, also before the closing. */
export function evidenceOfUpdate(update: Fields): Evidence | undefined {
  const { output, details, exit, response } = placesIn(update);
  return flagOf(output) ?? flagOf(details) ?? flagOf(response) ?? signalOf(exit);
}

/** Evidence against an ok only on the line that closes the call. */
export function evidenceOfClosing(update: Fields): Evidence | undefined {
  const { output, details, exit } = placesIn(update);
  const words = textOf(output?.output) ?? textOf(update.rawOutput) ?? "";
  return (
    unfinished(output, words) ??
    unfinished(details, words) ??
    unfinished(exit, words) ??
    confessed(update.content) ??
    confessed([words])
  );
}

/** The signal that ended a terminal, if one did. */
export function signalOf(exit: Fields | undefined): Evidence | undefined {
  const signal = nameOf(exit?.signal);
  if (signal === undefined) return undefined;
  return { message: `completed, yet a signal ended it: ${signal}`, isCertain: true };
}

/** A last line that a runner writes about the command itself. A mention elsewhere is not evidence. */
const confession =
  /^[[(]?(?:the )?(?:user|command|process|execution|operation|tool call)\b.{0,40}?\b(?:aborted|killed|interrupted|cancelled|canceled|terminated|timed out)\b(?:.{0,40}\b(?:the command|the user|user|signal|sig[a-z]+|after \d).{0,20})?[\])]?\.?$|^[[(]?(?:ended|killed|terminated) by (?:a )?signal.{0,20}$/i;

function confessed(content: unknown): Evidence | undefined {
  const words = listOf(content)
    .map((item) => textOf(item) ?? textOf(fieldsOf(fieldsOf(item)?.content)?.text) ?? "")
    .join("\n");
  const lines = words
    .slice(-400)
    .split("\n")
    .map((line) => line.trim())
    .filter((line) => line !== "" && !/^<\/?[\w-]+>$|^```/.test(line));
  const last = lines.at(-1) ?? "";
  if (!confession.test(last)) return undefined;
  return { message: `completed, yet it ends with "${last.slice(0, 80)}"`, isCertain: true };
}

function placesIn(update: Fields) {
  const output = fieldsOf(update.rawOutput);
  const meta = fieldsOf(update._meta);
  return {
    output,
    details: fieldsOf(output?.metadata),
    exit: exitIn(update),
    response: fieldsOf(fieldsOf(meta?.claudeCode)?.toolResponse),
  };
}

function flagOf(fields: Fields | undefined): Evidence | undefined {
  const flag = flags.find((name) => fields?.[name] === true);
  if (flag === undefined) return undefined;
  return { message: `completed, yet its output says ${flag}`, isCertain: true };
}

/** A null exit is a process that never exited. Background work has the same form, unless the output shows the difference. */
function unfinished(fields: Fields | undefined, words: string): Evidence | undefined {
  const name = ["exit", "exitCode", "exit_code"].find((field) => fields?.[field] === null);
  if (name === undefined) return undefined;
  const isCertain = /abort|cancel|interrupt|killed|timed out/i.test(words.slice(-200));
  return { message: `completed, yet its ${name} is null: the process never exited`, isCertain };
}
