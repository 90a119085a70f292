/**
 * The turns of prompts. A turn is over when its run is, or when the run only waits for calls in the background: then the
 * run continues after the turn. It sends nothing to the client itself.
 */
import type { SentPrompt } from "./acpSession.js";
import { createDeferred, type Deferred } from "./deferred.js";
import type { NamedPrompt } from "./promptQueue.js";
import type { RunEnd } from "./runFollower.js";

export interface PromptTurns {
  /**
   * Resolves when the turn is over. `message` is resolved with the id of the prompt's message, as soon as it has one.
   */
  send(input: SentPrompt, message: Deferred<string>): Promise<RunEnd>;
  /** The message of a run's prompt has its id. */
  userMessage(messageId: string, runId: string): void;
  /** The turns of these messages are over; their background calls continue. */
  rested(messageIds: readonly string[], background: readonly string[]): void;
}

export interface PromptTurnsSetup {
  readonly newId: () => string;
  readonly isBusy: () => boolean;
  /** Carries the prompt out; resolves when its run has ended. */
  readonly carryOut: (input: SentPrompt, named: NamedPrompt) => Promise<RunEnd>;
  /** Resolves when the client has everything that was sent. */
  readonly settle: () => Promise<void>;
}

export function createPromptTurns({
  newId,
  isBusy,
  carryOut,
  settle,
}: PromptTurnsSetup): PromptTurns {
  /** Prompts whose message has no id yet, by their run. */
  const messages = new Map<string, Deferred<string>>();
  /** Prompts whose turn is not over, by their message. */
  const turns = new Map<string, Deferred<RunEnd>>();
  return {
    send(input, message) {
      const runId = newId();
      const messageId = newId();
      const rest = createDeferred<RunEnd>();
      messages.set(runId, message);
      turns.set(messageId, rest);
      // A prompt that waits is taken already.
      if (isBusy()) message.resolve(messageId);
      const run = carryOut(input, { runId, messageId }).finally(() => {
        messages.delete(runId);
        turns.delete(messageId);
      });
      const settled = rest.promise.then(async (end) => {
        await settle();
        return end;
      });
      return Promise.race([run, settled]);
    },
    userMessage: (messageId, runId) => messages.get(runId)?.resolve(messageId),
    rested(messageIds, background) {
      const end: RunEnd = { stopReason: "end_turn", background };
      for (const messageId of messageIds) turns.get(messageId)?.resolve(end);
    },
  };
}
