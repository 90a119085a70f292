/**
 * The waiting messages of a session: prompts that an editor sent during a run, and messages for the running model. A
 * removed prompt ends as cancelled, and its sender receives that.
 */

import type { Agent, Logger } from "@callboard/agent-sdk";
import type { MessageEdit, WaitingMessage } from "@callboard/agent-sdk/serving";
import type { JsonObject } from "@callboard/run-log";
import type { PromptInput } from "@callboard/run-log/intake";
import { withoutUndefined } from "@callboard/run-log/values";
import type { SentPrompt } from "./acpSession.js";
import type { RunEnd } from "./runFollower.js";
import { SessionRefusedError } from "./sessionRefused.js";

/** The notification that the queue is another one. */
export const queueChanged = "_session/queue_changed";

/** The result of a message for the running model. */
export type Steered =
  | { readonly outcome: "injected"; readonly messageId: string }
  /** Nothing runs, and the sender wants to send a prompt instead. */
  | { readonly outcome: "promptRequired"; readonly reason: "noRunningTurn" }
  | { readonly outcome: "startedNewTurn" };

export interface QueueEdit {
  readonly input?: PromptInput;
  readonly delivery?: WaitingMessage["delivery"];
}

export interface PromptQueue {
  readonly waiting: readonly WaitingMessage[];
  /** Sends a prompt as the given message and run: at once, or when what runs has ended. */
  send(input: SentPrompt, named: NamedPrompt): Promise<string>;
  /** Sends the running model a message; undefined if nothing runs. */
  steer(input: SentPrompt): Steered | undefined;
  /** Throws a SessionRefusedError if the message does not wait. */
  edit(messageId: string, edit: QueueEdit): void;
  remove(messageId: string): void;
}

export interface NamedPrompt {
  readonly runId: string;
  readonly messageId: string;
}

export interface PromptQueueSetup {
  readonly sessionId: string;
  readonly agent: Agent;
  readonly newId: () => string;
  readonly logger: Logger;
  /** Ends a run that never started, or that is no longer read here. */
  readonly end: (runId: string, end: RunEnd) => void;
}

export function createPromptQueue(setup: PromptQueueSetup): PromptQueue {
  const { sessionId, agent, newId, logger } = setup;
  /** For each prompt that was sent, by its message: takes it back. */
  const sent = new Map<string, () => void>();

  function edited({ input, delivery }: QueueEdit): MessageEdit {
    return {
      ...(input === undefined ? {} : { text: input.text, images: input.images }),
      ...withoutUndefined({ delivery }),
    };
  }

  return {
    get waiting() {
      return agent.queue;
    },
    async send({ text, ...input }, { runId, messageId }) {
      const removed = new Promise<string>((resolve) => {
        sent.set(messageId, () => {
          setup.end(runId, { stopReason: "cancelled" });
          resolve(runId);
        });
      });
      const read = agent.sendMessage(text, { ...input, runId, messageId }).then((result) => {
        // The session was closed while the run waits for an answer: the process that loads it next resumes it.
        if (result.outcome === "parked") setup.end(result.runId, { stopReason: "cancelled" });
        return result.runId;
      });
      try {
        return await Promise.race([read, removed]);
      } finally {
        sent.delete(messageId);
      }
    },
    steer({ text, ...input }) {
      if (!agent.isBusy) return undefined;
      const messageId = newId();
      // The session's events contain its run: only a failure to store it is reported here.
      const read = agent.steer(text, { ...input, messageId });
      read.catch((error: unknown) =>
        logger.error("Sending a message to the running model failed.", { sessionId, error }),
      );
      return { outcome: "injected", messageId };
    },
    edit(messageId, edit) {
      if (!agent.editQueued(messageId, edited(edit))) throw notWaiting(messageId);
    },
    remove(messageId) {
      if (!agent.removeQueued(messageId)) throw notWaiting(messageId);
      sent.get(messageId)?.();
    },
  };
}

function notWaiting(messageId: string): SessionRefusedError {
  return new SessionRefusedError(`The message ${messageId} no longer waits.`);
}

/** The queue in the form for a client; images are not repeated. */
export function shownQueue(
  queue: readonly Pick<WaitingMessage, "messageId" | "text" | "delivery">[],
): JsonObject[] {
  return queue.map(({ messageId, text, delivery }) => ({ messageId, text, delivery }));
}
