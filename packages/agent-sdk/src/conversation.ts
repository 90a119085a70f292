/**
 * A session while it is open: its stored events, what the model is told of them, and who reads along.
 * It takes in only what is stored, and tells it on in order. It asks no model and runs no tool.
 */

import type { LanguageModelV3Prompt } from "@ai-sdk/provider";
import {
  addUsage,
  type CallId,
  createProjector,
  noUsage,
  type RunEvent,
  type Usage,
} from "@callboard/run-log";
import type { MessageManager } from "./managers/messageManager.js";
import type { SessionLog } from "./types/sessions.js";
import { type CallIds, createCallIds } from "./utils/callIds.js";
import { createTranscriptProjection, promptOf, type TranscriptMemory } from "./utils/transcript.js";

export interface Conversation {
  readonly log: SessionLog;
  readonly callIds: CallIds;
  /** Tokens and cost of all runs that have ended. */
  readonly usage: Usage;
  take(event: RunEvent): void;
  prompt(systemPrompt: string | undefined): LanguageModelV3Prompt;
  /** The same for a nested agent: what was said for that call. */
  nestedPrompt(scope: CallId, systemPrompt: string | undefined): LanguageModelV3Prompt;
  /** Every event of the session after a position, and on as they come, until it is closed. */
  events(after: number): AsyncIterable<RunEvent>;
  close(): Promise<void>;
}

const pageSize = 1_000;

export async function openConversation(
  log: SessionLog,
  manager: MessageManager,
): Promise<Conversation> {
  const events: RunEvent[] = [];
  const readers = new Set<() => void>();
  const callIds = createCallIds();
  const earlier: TranscriptMemory[] = [];
  /** The current run without its deltas: they are hints, and a prompt needs the truth alone. */
  let current: RunEvent[] = [];
  let usage: Usage = noUsage;
  let isClosed = false;

  function wakeReaders(): void {
    const waiting = [...readers];
    readers.clear();
    for (const wake of waiting) wake();
  }

  function keep(event: RunEvent): void {
    if (event.type === "run.started") {
      if (current.length > 0) earlier.push(transcriptOf(current));
      current = [];
    }
    if (event.type === "run.closed") usage = addUsage(usage, event.usage);
    if (!isDelta(event)) current.push(event);
    events.push(event);
  }

  manager.clear();
  for (const runId of await log.runIds()) {
    for (let after = 0; ; ) {
      const page = await log.read(runId, { after, limit: pageSize });
      for (const event of page) {
        keep(event);
        if (event.type === "call.opened") callIds.take(event.callId);
        manager.push(event, true);
      }
      if (page.length < pageSize) break;
      after += page.length;
    }
  }

  return {
    log,
    callIds,
    get usage() {
      return usage;
    },
    take(event) {
      keep(event);
      manager.push(event);
      wakeReaders();
    },
    prompt: (systemPrompt) => promptOf([...earlier, transcriptOf(current)], systemPrompt),
    nestedPrompt: (scope, systemPrompt) => promptOf([transcriptOf(current, scope)], systemPrompt),
    async *events(after) {
      for (let position = after; ; position += 1) {
        while (position >= events.length) {
          if (isClosed) return;
          await new Promise<void>((resolve) => readers.add(resolve));
        }
        const event = events[position];
        if (event) yield event;
      }
    },
    async close() {
      isClosed = true;
      wakeReaders();
      await log.close();
    },
  };
}

function isDelta(event: RunEvent): boolean {
  switch (event.type) {
    case "text.delta":
    case "reasoning.delta":
    case "call.input.delta":
    case "call.run.progressed":
      return true;
    default:
      return false;
  }
}

function transcriptOf(log: readonly RunEvent[], scope?: CallId): TranscriptMemory {
  const projector = createProjector(createTranscriptProjection(scope));
  for (const event of log) projector.push(event);
  return projector.memory;
}
