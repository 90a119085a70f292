/**
 * The entrance of the recorder: every text of an intent is sanitised here, once, before `decide` sees it. A half
 * character at the end of a piece waits for its other half, or is replaced when the text closes.
 */

import { MAX_JSON_DEPTH } from "../values/json.js";
import {
  type Appending,
  appendKeyOf,
  appendTextOf,
  isAppending,
  withAppendText,
} from "./appending.js";
import type { RunEvent } from "./events/index.js";
import type { Intent, Timed } from "./intents.js";
import {
  isCleanPiece,
  replacement,
  type SanitizeOptions,
  sanitizePiece,
  sanitizeText,
} from "./sanitize.js";

export interface SanitizedIntent {
  /** Appends to texts that this intent closes: a half character that was held back. */
  readonly leftovers: readonly Timed[];
  readonly clean: Timed;
  /** To be called when the intent was accepted; a refused one changes nothing. */
  readonly accept: () => void;
}

export interface IntentSanitizer {
  /** Whether the intent is as it should be and no text ends in half a character: most appends. */
  isClean(intent: Appending): boolean;
  of(intent: Timed): SanitizedIntent;
}

export function createIntentSanitizer(): IntentSanitizer {
  /** The texts that end in half a character now, by the append that brought it. */
  const halves = new Map<string, { readonly half: string; readonly last: Appending }>();

  function isClean(intent: Appending): boolean {
    return halves.size === 0 && isCleanPiece(appendTextOf(intent), optionsFor(intent));
  }

  function sanitizedIntent(intent: Timed): SanitizedIntent {
    const own = isAppending(intent) ? appendKeyOf(intent) : undefined;
    const closed =
      halves.size === 0
        ? []
        : [...halves].filter(([key, { last }]) => key !== own && isClosedBy(last, intent));
    const leftovers = closed.map(([, { last }]) => withAppendText(last, replacement));
    const forget = (): void => {
      for (const [key] of closed) halves.delete(key);
    };
    if (!isAppending(intent)) {
      return { leftovers, clean: sanitizedFields(intent), accept: forget };
    }
    const key = appendKeyOf(intent);
    const before = halves.get(key)?.half ?? "";
    const { text, half } = sanitizePiece(before, appendTextOf(intent), optionsFor(intent));
    const accept = (): void => {
      forget();
      if (half === "") halves.delete(key);
      else halves.set(key, { half, last: intent });
    };
    return { leftovers, clean: withAppendText(intent, text), accept };
  }

  return { isClean, of: sanitizedIntent };
}

const spoken: SanitizeOptions = {};
const coloured: SanitizeOptions = { keepEscapes: true };

function optionsFor({ type }: Appending): SanitizeOptions {
  if (type === "appendInput") return exact;
  return type === "progressCall" ? coloured : spoken;
}

/** Whether nothing can follow the text of an append once this intent is accepted. */
function isClosedBy(append: Appending, intent: Timed): boolean {
  if (intent.type === "closeRun") return true;
  if (append.type === "appendText" || append.type === "appendReasoning") {
    const isThere = "messageId" in intent && intent.messageId === append.messageId;
    return isThere && intent.type !== "reportUsage";
  }
  const isThere = "callId" in intent && intent.callId === append.callId;
  return isThere && !(append.type === "progressCall" && intent.type === "progressCall");
}

/** A tool's output and preview keep their colours; every other text loses its escapes too. */
const keepsEscapes: ReadonlySet<string> = new Set(["output", "preview"]);

function sanitizedFields<T extends Timed>(intent: T): T;
function sanitizedFields(intent: Timed<Intent>): unknown {
  return sanitized(intent, {});
}

/** The texts of an event from another writer. That writer has already joined half characters. */
export function sanitizedEvent(event: RunEvent): RunEvent;
export function sanitizedEvent(event: RunEvent): unknown {
  switch (event.type) {
    case "call.input.delta":
    case "call.input.closed":
    case "call.input.amended":
      return sanitized(event, exact);
    case "call.run.progressed":
      return sanitized(event, { keepEscapes: true });
    default:
      return sanitized(event, {});
  }
}

const tooDeep = "… nested too deeply …";
/** Not changed for its looks. */
const exact: SanitizeOptions = { keepControls: true };

/** What a provider wants back, and rules: a person reads the rule that is saved, and a session compares it again. */
const exactKeys: ReadonlySet<string> = new Set(["providerData", "rule"]);

/** The field in which an intent carries arguments. */
const inputKeys: ReadonlyMap<unknown, string> = new Map([
  ["closeInput", "text"],
  ["amendInput", "input"],
  ["answerApproval", "input"],
]);

function sanitized(value: unknown, options: SanitizeOptions, depth = 0): unknown {
  if (depth > MAX_JSON_DEPTH) return tooDeep;
  if (typeof value === "string") return sanitizeText(value, options);
  if (typeof value !== "object" || value === null) return value;
  if (Array.isArray(value)) {
    const items = value.map((item) => sanitized(item, options, depth + 1));
    return items.every((item, index) => item === value[index]) ? value : items;
  }
  const isPreview = "type" in value && value.type === "preview";
  const inputKey = depth === 0 && "type" in value ? inputKeys.get(value.type) : undefined;
  const optionsOf = (key: string): SanitizeOptions => {
    if (key === inputKey || exactKeys.has(key)) return exact;
    return isPreview || keepsEscapes.has(key) ? { ...options, keepEscapes: true } : options;
  };
  const entries = Object.entries(value).map(
    ([key, field]) => [key, sanitized(field, optionsOf(key), depth + 1)] as const,
  );
  const isSame = Object.values(value).every((field, index) => field === entries[index]?.[1]);
  return isSame ? value : Object.fromEntries(entries);
}
