/** JSON without its secrets: by the names of its keys, and by what its texts hold. */
import { isJsonList, type JsonObject, type JsonValue } from "@callboard/run-log";
import { isSecretValue, type KindOfKey } from "./keyNames.js";

export interface JsonRedaction {
  readonly kindOfKey: KindOfKey;
  readonly redactText: (text: string) => string;
}

const deepest = 500;

export function redactedJson(value: JsonValue, rules: JsonRedaction, depth = 0): JsonValue {
  if (typeof value === "string") return rules.redactText(value);
  if (typeof value !== "object" || value === null) return value;
  if (depth > deepest) return "[redacted:too_deep]";
  if (isJsonList(value)) return value.map((item) => redactedJson(item, rules, depth + 1));
  return redactedObject(value, rules, depth);
}

function redactedObject(value: JsonObject, rules: JsonRedaction, depth: number): JsonObject {
  const entries = Object.entries(value).map(([key, item]): [string, JsonValue] => {
    const kind = rules.kindOfKey(key);
    const redacted =
      kind === undefined
        ? redactedJson(item, rules, depth + 1)
        : redactedUnder(item, kind, rules, depth + 1);
    return [key.length < 16 ? key : rules.redactText(key), redacted];
  });
  return Object.fromEntries(entries);
}

/** Under a secret name every text and number is a secret, at any depth; true, false and null are not. */
function redactedUnder(
  value: JsonValue,
  kind: string,
  rules: JsonRedaction,
  depth: number,
): JsonValue {
  if (typeof value === "string") {
    return isSecretValue(value) ? `[redacted:${kind}]` : rules.redactText(value);
  }
  // Counts of tokens and of passed tests have such names too.
  const isCount = kind === "token" || kind === "pass";
  if (typeof value === "number") return isCount ? value : `[redacted:${kind}]`;
  if (typeof value !== "object" || value === null) return value;
  if (depth > deepest) return "[redacted:too_deep]";
  if (isJsonList(value)) return value.map((item) => redactedUnder(item, kind, rules, depth + 1));
  const entries = Object.entries(value).map(([key, item]): [string, JsonValue] => [
    key,
    redactedUnder(item, kind, rules, depth + 1),
  ]);
  return Object.fromEntries(entries);
}
