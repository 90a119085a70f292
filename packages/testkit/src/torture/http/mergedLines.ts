/**
 * A stream's lines in a comparable form: everything except deltas in its order, and every text that deltas build, whole.
 * Two readings whose deltas were merged otherwise are plainly the same, or one of them lost something.
 */
import { isJsonObject, type JsonValue } from "@callboard/run-log";

export interface PlainLines {
  readonly lines: readonly string[];
  readonly texts: ReadonlyMap<string, string>;
}

/** Where a delta keeps its text, in each format. */
const textNames = ["arguments_delta", "preview", "inputTextDelta", "delta", "text"] as const;
/** What differs from one delta of a text to the next. */
const passing: ReadonlySet<string> = new Set(["seq", "at", "from", "offset", "timestamp"]);

export function plainly(values: readonly unknown[]): PlainLines {
  const lines: string[] = [];
  const texts = new Map<string, string>();
  for (const value of values) {
    const piece = isJson(value) ? linePieceOf(value) : undefined;
    if (piece === undefined) lines.push(JSON.stringify(value));
    else texts.set(piece.target, (texts.get(piece.target) ?? "") + piece.text);
  }
  return { lines, texts };
}

function isJson(value: unknown): value is JsonValue {
  return value !== undefined;
}

/** Which text a delta belongs to, and what it adds; undefined for what is none. */
function linePieceOf(
  value: JsonValue,
): { readonly target: string; readonly text: string } | undefined {
  if (!isJsonObject(value)) return undefined;
  if (value.event === "chunk" && typeof value.data === "string") {
    return { target: "chunk", text: value.data };
  }
  let found: string | undefined;
  const isDelta = isDeltaLine(value);
  const target = JSON.stringify(value, (name, inner: unknown) => {
    if (isDelta && found === undefined && isTextName(name) && typeof inner === "string") {
      found = inner;
      return "";
    }
    return passing.has(name) ? undefined : inner;
  });
  return isDelta && found !== undefined ? { target, text: found } : undefined;
}

function isTextName(name: string): boolean {
  return textNames.some((one) => one === name);
}

const deltaTypes: ReadonlySet<unknown> = new Set([
  "text.delta",
  "reasoning.delta",
  "call.input.delta",
  "text-delta",
  "reasoning-delta",
  "tool-input-delta",
  "TEXT_MESSAGE_CONTENT",
  "REASONING_MESSAGE_CONTENT",
  "TOOL_CALL_ARGS",
]);

/** Outputs and arguments that come in pieces say at which offset they stand. */
function isDeltaLine(value: { readonly [name: string]: JsonValue }): boolean {
  return deltaTypes.has(value.type) || JSON.stringify(value).includes('"offset":');
}
