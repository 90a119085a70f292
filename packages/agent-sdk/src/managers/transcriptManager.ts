/**
 * What models are told of a session, kept up to date event by event. A prompt appends to what the one before it
 * had: nothing is folded or converted twice for the same provider. It takes in stored events and does no I/O.
 */
import type { LanguageModelV3Message, LanguageModelV3Prompt } from "@ai-sdk/provider";
import {
  type CallId,
  createProjector,
  createTranscriptProjection,
  pendingEntries,
  type RunEvent,
  type TranscriptEntry,
} from "@callboard/run-log";
import type { ModelOrigin } from "../types/model.js";
import { messagesOf, plainMessagesOf } from "../utils/promptMessages.js";

export interface PromptOptions {
  readonly systemPrompt: string | undefined;
  /** Who is asked: only this provider gets back what it gave. */
  readonly origin: ModelOrigin;
  /** The call that a nested agent works for. */
  readonly scope?: CallId;
}

export interface TranscriptManager {
  /** Events of one run after the other, in the order of their logs. Deltas are not needed. */
  push(event: RunEvent): void;
  prompt(options: PromptOptions): LanguageModelV3Prompt;
}

export function createTranscriptManager(): TranscriptManager {
  const newProjector = () => createProjector(createTranscriptProjection());
  let projector = newProjector();
  /** What was said in the session, and for each call that a nested agent works for. */
  const books = new Map<CallId | undefined, Book>();

  function bookOf(scope: CallId | undefined): Book {
    const known = books.get(scope);
    if (known !== undefined) return known;
    const book = createBook();
    books.set(scope, book);
    return book;
  }

  return {
    push(event) {
      if (event.type === "run.started") {
        for (const entry of pendingEntries(projector.memory)) bookOf(undefined).add(entry);
        projector = newProjector();
      }
      for (const { scope, entry } of projector.push(event)) bookOf(scope).add(entry);
      if (event.type === "call.closed") books.delete(event.callId);
    },
    prompt({ systemPrompt, origin, scope }) {
      const pending = pendingEntries(projector.memory, scope);
      const messages = [
        ...bookOf(scope).messagesFor(origin),
        ...pending.flatMap((entry) => messagesOf(entry, origin)),
      ];
      return systemPrompt ? [{ role: "system", content: systemPrompt }, ...messages] : messages;
    },
  };
}

interface Book {
  add(entry: TranscriptEntry): void;
  messagesFor(origin: ModelOrigin): readonly LanguageModelV3Message[];
}

function createBook(): Book {
  const entries: TranscriptEntry[] = [];
  /** Entries before this one are told in plain words: a provider refused them as they were. */
  let plainBefore = 0;
  let told: { readonly origin: ModelOrigin; messages: LanguageModelV3Message[]; count: number };
  told = { origin: { provider: "" }, messages: [], count: 0 };

  return {
    add(entry) {
      entries.push(entry);
      if (entry.type !== "repaired") return;
      plainBefore = entries.length;
      told = { ...told, messages: [], count: 0 };
    },
    messagesFor(origin) {
      const isSame =
        told.origin.provider === origin.provider && told.origin.baseUrl === origin.baseUrl;
      if (!isSame) told = { origin, messages: [], count: 0 };
      for (const entry of entries.slice(told.count)) {
        const convert = told.count < plainBefore ? plainMessagesOf : messagesOf;
        told.messages.push(...convert(entry, origin));
        told.count += 1;
      }
      return told.messages;
    },
  };
}
