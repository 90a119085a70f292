/** The usual loggers: one that writes warnings and errors to standard error, and the one in front of all. */

import { isJsonObject, type JsonValue } from "@callboard/run-log";
import { messageOfError } from "@callboard/run-log/values";
import type { Redactor } from "../redaction/redaction.js";
import type { Logger } from "../types/logger.js";

type Fields = Readonly<Record<string, unknown>>;

const write = (level: string, message: string, fields: Fields | undefined): void => {
  const details = fields === undefined ? "" : ` ${JSON.stringify(plainJson(fields))}`;
  process.stderr.write(`callboard ${level}: ${message}${details}\n`);
};

/** A logger that writes to the console. */
export const consoleLogger: Logger = {
  debug: () => undefined,
  info: () => undefined,
  warn: (message, fields) => write("warning", message, fields),
  error: (message, fields) => write("error", message, fields),
};

/** Secrets are taken out before anything reaches the logger; errors become plain text on the way. */
export function redactingLogger(logger: Logger, redactor: Redactor): Logger {
  const told =
    (tell: Logger["debug"]) =>
    (message: string, fields?: Fields): void =>
      tell(redactor.redactText(message), fields && clean(fields, redactor));
  return {
    debug: told(logger.debug),
    info: told(logger.info),
    warn: told(logger.warn),
    error: told(logger.error),
  };
}

function clean(fields: Fields, redactor: Redactor): Fields {
  return Object.fromEntries(
    Object.entries(fields).map(([key, value]) => [key, cleanValue(key, value, redactor)]),
  );
}

function cleanValue(key: string, value: unknown, redactor: Redactor): unknown {
  const redacted = redactor.redactJson({ [key]: plainJson(value) });
  return isJsonObject(redacted) ? redacted[key] : undefined;
}

/** As JSON, except for errors, which are text at any depth. */
function plainJson(value: unknown): JsonValue {
  try {
    const text: string | undefined = JSON.stringify(value, (_, inner: unknown) =>
      inner instanceof Error ? errorText(inner) : inner,
    );
    return text === undefined ? null : JSON.parse(text);
  } catch (error) {
    return `cannot be printed: ${messageOfError(error)}`;
  }
}

/** Causes may go round in a circle. */
const deepestCause = 4;

/** What happened, where, and its cause. */
function errorText(error: Error, depth = 0): string {
  const { name, message, stack = "", cause } = error;
  const own = stack.includes(message) ? stack : "";
  const lines = [own || [`${name}: ${message}`, stack].filter((part) => part !== "").join("\n")];
  const inner: readonly unknown[] = error instanceof AggregateError ? error.errors : [];
  if (depth < deepestCause) {
    for (const one of [...(cause === undefined ? [] : [cause]), ...inner]) {
      lines.push(`caused by ${one instanceof Error ? errorText(one, depth + 1) : String(one)}`);
    }
  }
  return lines.join("\n");
}
