/**
 * The door of the recorder: every text of an intent is sanitised here, once, before `decide` sees it.
 * A half character at the end of a piece waits for its other half, or is replaced when the text closes.
 */
import type { CallId } from "./ids.js";
import type { Intent, IntentOf, Timed } from "./intents.js";
import { MAX_JSON_DEPTH } from "./json.js";
import { createTextSanitizer, sanitizeText, type TextSanitizer } from "./sanitize.js";

type Appending = Timed<
  IntentOf<"appendText" | "appendReasoning" | "appendInput"> | IntentOf<"progressCall">
>;

interface Stream {
  readonly sanitizer: TextSanitizer;
  /** The appending intent with this text instead of its own. */
  readonly withText: (text: string) => Appending;
  readonly isClosedBy: (intent: Timed) => boolean;
}

export interface SanitizedIntent {
  /** Appends owed to texts that this intent closes: a half character that was held back. */
  readonly leftovers: readonly Timed[];
  readonly clean: Timed;
  /** To be called when the intent was accepted: what it closes will not be completed any more. */
  readonly accept: () => void;
}

export function createIntentSanitizer(): (intent: Timed) => SanitizedIntent {
  const streams = new Map<string, Stream>();

  return (intent) => {
    const key = streamKeyOf(intent);
    const closed = [...streams].filter(
      ([other, stream]) => other !== key && stream.isClosedBy(intent),
    );
    const leftovers = closed.flatMap(([, { sanitizer, withText }]) =>
      sanitizer.rest === "" ? [] : [withText(sanitizer.rest)],
    );
    const accept = (): void => {
      for (const [other] of closed) streams.delete(other);
    };
    const stream = key === undefined ? undefined : (streams.get(key) ?? streamOf(intent));
    if (key === undefined || stream === undefined) {
      return { leftovers, clean: sanitizedFields(intent), accept };
    }
    streams.set(key, stream);
    const clean = stream.withText(stream.sanitizer.push(textOf(intent)));
    return { leftovers, clean, accept };
  };
}

function streamKeyOf(intent: Timed): string | undefined {
  switch (intent.type) {
    case "appendText":
    case "appendReasoning":
      return `part ${intent.partId}`;
    case "appendInput":
      return `input ${intent.callId}`;
    case "progressCall":
      return intent.progress.type === "output" ? `output ${intent.callId}` : undefined;
    default:
      return undefined;
  }
}

function textOf(intent: Timed): string {
  if (intent.type === "progressCall") {
    return intent.progress.type === "output" ? intent.progress.text : "";
  }
  return "text" in intent ? (intent.text ?? "") : "";
}

function streamOf(intent: Timed): Stream | undefined {
  switch (intent.type) {
    case "appendText":
    case "appendReasoning":
      return {
        sanitizer: createTextSanitizer(),
        withText: (text) => ({ ...intent, text }),
        isClosedBy: (later) =>
          later.type === "closeRun" ||
          ("messageId" in later &&
            later.messageId === intent.messageId &&
            later.type !== "reportUsage"),
      };
    case "appendInput":
      return {
        sanitizer: createTextSanitizer(),
        withText: (text) => ({ ...intent, text }),
        isClosedBy: (later) => isAbout(later, intent.callId),
      };
    case "progressCall": {
      const { callId, progress } = intent;
      if (progress.type !== "output") return undefined;
      return {
        sanitizer: createTextSanitizer({ keepEscapes: true }),
        withText: (text) => ({ ...intent, progress: { ...progress, text } }),
        isClosedBy: (later) => later.type !== "progressCall" && isAbout(later, callId),
      };
    }
    default:
      return undefined;
  }
}

function isAbout(intent: Timed, callId: CallId): boolean {
  return intent.type === "closeRun" || ("callId" in intent && intent.callId === callId);
}

/** A tool's output and preview keep their colours; every other text loses its escapes too. */
const keepsEscapes: ReadonlySet<string> = new Set(["output", "preview"]);

function sanitizedFields<T extends Timed>(intent: T): T;
function sanitizedFields(intent: Timed<Intent>): unknown {
  return sanitized(intent, false);
}

const tooDeep = "… nested too deeply …";

function sanitized(value: unknown, keepEscapes: boolean, depth = 0): unknown {
  if (depth > MAX_JSON_DEPTH) return tooDeep;
  if (typeof value === "string") return sanitizeText(value, { keepEscapes });
  if (typeof value !== "object" || value === null) return value;
  if (Array.isArray(value)) {
    const items = value.map((item) => sanitized(item, keepEscapes, depth + 1));
    return items.every((item, index) => item === value[index]) ? value : items;
  }
  const isPreview = "type" in value && value.type === "preview";
  const entries = Object.entries(value).map(
    ([key, field]) =>
      [
        key,
        sanitized(field, keepEscapes || isPreview || keepsEscapes.has(key), depth + 1),
      ] as const,
  );
  const isSame = Object.values(value).every((field, index) => field === entries[index]?.[1]);
  return isSame ? value : Object.fromEntries(entries);
}
