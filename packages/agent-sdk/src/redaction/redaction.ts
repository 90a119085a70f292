/**
 * Removes secrets from everything that is logged, traced or exported: by their known forms, by their names, and by value
 * if they were registered. The replacement contains the kind: `[redacted:github]`. Redact before you truncate: half a
 * secret has no recognisable form.
 */
import type { JsonValue, RunEvent } from "@callboard/run-log";
import { createEventRedactor } from "./eventRedactor.js";
import { createKindOfKey, type KindOfKey } from "./keyNames.js";
import { redactedJson } from "./redactedJson.js";
import { createValueStage, createValueTree } from "./registeredValues.js";
import { createTextScanner } from "./textScanner.js";
import type { TextStage } from "./textStage.js";

export type StreamRedactor = TextStage;

/** Options of `createRedactor`. */
export interface RedactorOptions {
  /** An environment: the values of variables with secret names are known by value. */
  readonly env?: Environment;
  /** Secrets known by value, such as an API key of this process; values shorter than 4 are ignored. */
  readonly values?: readonly string[];
  /** Further names whose values are secrets, beside `password`, `token` and their like. */
  readonly keyNames?: readonly string[];
}

/** Replaces secrets in texts, JSON values and events. */
export interface Redactor {
  redactText(text: string): string;
  redactJson(value: JsonValue): JsonValue;
  /** For text that comes in pieces: the pieces' redactions together are the redaction of the whole. */
  createStreamRedactor(): StreamRedactor;
  /** For the events of logs, in order: one such function for one reading. */
  createEventRedactor(): (event: RunEvent) => RunEvent;
}

type Environment = Readonly<Record<string, string | undefined>>;

/** Creates a redactor for known forms of secrets and for the given values. */
export function createRedactor(options: RedactorOptions = {}): Redactor {
  const { env = {}, values = [], keyNames = [] } = options;
  const kindOfKey = createKindOfKey(keyNames);
  const tree = createValueTree([...values, ...secretValuesIn(env, kindOfKey)]);

  function createStreamRedactor(): StreamRedactor {
    const scanner = createTextScanner(kindOfKey);
    if (tree === undefined) return scanner;
    const stage = createValueStage(tree);
    return {
      push: (text) => scanner.push(stage.push(text)),
      flush: () => scanner.push(stage.flush()) + scanner.flush(),
    };
  }

  function redactText(text: string): string {
    const stream = createStreamRedactor();
    return stream.push(text) + stream.flush();
  }

  const rules = { kindOfKey, redactText };
  return {
    redactText,
    redactJson: (value) => redactedJson(value, rules),
    createStreamRedactor,
    createEventRedactor: () => createEventRedactor(rules, createStreamRedactor).redactEvent,
  };
}

const shortestSecret = 8;

/** The values of an environment that are secrets by their names. Short ones would be found everywhere. */
export function secretValuesIn(
  env: Environment,
  kindOfKey: KindOfKey = createKindOfKey(),
): readonly string[] {
  return Object.entries(env).flatMap(([name, value = ""]) => {
    const isSecret = kindOfKey(name) !== undefined || name.endsWith("_KEY");
    return isSecret && value.length >= shortestSecret ? [value] : [];
  });
}
