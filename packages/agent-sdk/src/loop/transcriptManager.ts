/**
 * What models receive of a session, updated event by event. A prompt appends to the previous one: nothing is folded or
 * converted twice for the same provider. It processes stored events and does no I/O.
 */
import type { LanguageModelV3Message, LanguageModelV3Prompt } from "@ai-sdk/provider";
import type { CallId, MessageId, RunEvent, RunId } from "@callboard/run-log";
import {
  createProjector,
  createTranscriptProjection,
  pendingEntries,
  type TranscriptEntry,
} from "@callboard/run-log/projections";
import { plainMessagesOf, promptMessagesOf } from "../models/promptMessages.js";
import { tokensOfMessages } from "../models/tokenEstimate.js";
import type { ModelOrigin } from "../types/model.js";

export interface PromptOptions {
  readonly systemPrompt: string | undefined;
  /** The provider of the request: only this provider gets its own data back. */
  readonly origin: ModelOrigin;
  /** The call that a nested agent works for. */
  readonly scope?: CallId;
}

export interface TranscriptManager {
  /** Events of one run after the other, in the order of their logs. Deltas are not needed. */
  push(event: RunEvent): void;
  prompt(options: PromptOptions): LanguageModelV3Prompt;
  /** What a summary can replace. Undefined if nothing is left to replace. */
  compactable(options: CompactableOptions): Compactable | undefined;
}

export interface CompactableOptions {
  readonly origin: ModelOrigin;
  readonly scope: CallId | undefined;
  /** How much of the end is kept word for word, at most. A question without an answer is always kept. */
  readonly keepTokens: number;
}

export interface Compactable {
  readonly messages: readonly LanguageModelV3Message[];
  /** The first message that is kept. */
  readonly keptFrom?: { readonly runId: RunId; readonly messageId: MessageId };
}

export function createTranscriptManager(): TranscriptManager {
  const newProjector = () => createProjector(createTranscriptProjection());
  let projector = newProjector();
  let current: RunId | undefined;
  /** The entries of the prompt, in their order. */
  const runs: RunId[] = [];
  /** The text of the session, and of each call that a nested agent works for. */
  const books = new Map<CallId | undefined, Book>();

  function bookOf(scope: CallId | undefined): Book {
    const known = books.get(scope);
    if (known !== undefined) return known;
    const book = createBook();
    books.set(scope, book);
    return book;
  }

  /** Another run takes the place of this one and of all after it. */
  function forget(replaced: RunId | undefined): void {
    const from = replaced === undefined ? -1 : runs.indexOf(replaced);
    if (from >= 0) bookOf(undefined).forget(new Set(runs.splice(from)));
  }

  return {
    push(event) {
      if (event.type === "run.started") {
        for (const entry of pendingEntries(projector.memory)) bookOf(undefined).add(entry, current);
        forget(event.replaces);
        runs.push(event.runId);
        current = event.runId;
        projector = newProjector();
      }
      for (const { scope, entry } of projector.push(event)) bookOf(scope).add(entry, event.runId);
      if (event.type === "call.closed") books.delete(event.callId);
    },
    prompt({ systemPrompt, origin, scope }) {
      const pending = pendingEntries(projector.memory, scope);
      const messages = [
        ...bookOf(scope).messagesFor(origin),
        ...pending.flatMap((entry) => promptMessagesOf(entry, origin)),
      ];
      return systemPrompt ? [{ role: "system", content: systemPrompt }, ...messages] : messages;
    },
    compactable: ({ origin, scope, keepTokens }) => bookOf(scope).compactable(origin, keepTokens),
  };
}

interface Said {
  readonly entry: TranscriptEntry;
  readonly runId: RunId | undefined;
}

/** The summary, which came last, then what it does not cover. */
function keptAfter(entries: readonly Said[], keptFrom: MessageId | undefined): Said[] {
  const summary = entries.slice(-1);
  if (keptFrom === undefined) return summary;
  const from = entries.findLastIndex(
    ({ entry }) => "messageId" in entry && entry.messageId === keptFrom,
  );
  return from < 0 ? summary : [...summary, ...entries.slice(from, -1)];
}

interface Book {
  add(entry: TranscriptEntry, runId: RunId | undefined): void;
  /** The text of these runs is no longer sent. A summary stays: it replaces what came before them. */
  forget(runs: ReadonlySet<RunId>): void;
  compactable(origin: ModelOrigin, keepTokens: number): Compactable | undefined;
  messagesFor(origin: ModelOrigin): readonly LanguageModelV3Message[];
}

function createBook(): Book {
  let entries: Said[] = [];
  /** Entries before this one are sent as plain text: a provider refused their original form. */
  let plainBefore = 0;
  let told: { readonly origin: ModelOrigin; messages: LanguageModelV3Message[]; count: number };
  told = { origin: { provider: "" }, messages: [], count: 0 };

  return {
    add(entry, runId) {
      entries.push({ entry, runId });
      if (entry.type === "compacted") {
        const kept = keptAfter(entries, entry.keptFrom);
        plainBefore = Math.max(0, plainBefore - (entries.length - kept.length));
        entries = kept;
        told = { ...told, messages: [], count: 0 };
      }
      if (entry.type !== "repaired") return;
      plainBefore = entries.length;
      told = { ...told, messages: [], count: 0 };
    },
    forget(runs) {
      const isKept = ({ entry, runId }: Said): boolean =>
        entry.type === "compacted" || runId === undefined || !runs.has(runId);
      plainBefore = entries.slice(0, plainBefore).filter(isKept).length;
      entries = entries.filter(isKept);
      told = { ...told, messages: [], count: 0 };
    },
    compactable(origin, keepTokens) {
      const tokens = entries.map(({ entry }) => tokensOfMessages(promptMessagesOf(entry, origin)));
      const from = keptFromIndex(entries, tokens, keepTokens);
      const replaced = entries.slice(0, from);
      if (replaced.every(({ entry }) => entry.type === "compacted")) return undefined;
      const messages = replaced.flatMap(({ entry }) => promptMessagesOf(entry, origin));
      const { entry, runId } = entries[from] ?? {};
      if (entry === undefined || runId === undefined || !("messageId" in entry)) {
        return { messages };
      }
      return { messages, keptFrom: { runId, messageId: entry.messageId } };
    },
    messagesFor(origin) {
      const isSame =
        told.origin.provider === origin.provider && told.origin.baseUrl === origin.baseUrl;
      if (!isSame) told = { origin, messages: [], count: 0 };
      for (const { entry } of entries.slice(told.count)) {
        const convert = told.count < plainBefore ? plainMessagesOf : promptMessagesOf;
        told.messages.push(...convert(entry, origin));
        told.count += 1;
      }
      return told.messages;
    },
  };
}

/** Where the kept part starts: at a question if one fits, otherwise at an answer; the end if nothing fits. */
function keptFromIndex(
  entries: readonly Said[],
  tokens: readonly number[],
  keepTokens: number,
): number {
  const last = entries.length - 1;
  const isAsked = entries[last]?.entry.type === "user";
  let from = isAsked ? last : entries.length;
  let answer = from;
  let sum = 0;
  for (let index = last; index >= 0; index -= 1) {
    sum += tokens[index] ?? 0;
    if (sum > keepTokens) break;
    if (entries[index]?.entry.type === "user") from = index;
    if (entries[index]?.entry.type === "assistant") answer = index;
  }
  return from < entries.length ? from : answer;
}
