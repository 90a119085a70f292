/** The usual loggers: one that writes warnings and errors to standard error, and the one in front of all. */
import { isJsonObject, type JsonValue } from "@callboard/run-log";
import type { Logger } from "./types/logger.js";
import type { Redactor } from "./utils/redaction.js";

type Fields = Readonly<Record<string, unknown>>;

const write = (level: string, message: string, fields: Fields | undefined): void => {
  const details = fields === undefined ? "" : ` ${JSON.stringify(fields)}`;
  process.stderr.write(`callboard ${level}: ${message}${details}\n`);
};

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
  if (value instanceof Error) return redactor.redactText(value.stack ?? value.message);
  const plain = plainJson(value);
  const redacted = redactor.redactJson({ [key]: plain });
  return isJsonObject(redacted) ? redacted[key] : undefined;
}

function plainJson(value: unknown): JsonValue {
  try {
    const text: string | undefined = JSON.stringify(value);
    return text === undefined ? null : JSON.parse(text);
  } catch (error) {
    return `cannot be printed: ${error instanceof Error ? error.message : String(error)}`;
  }
}
