/**
 * The messages of a session that wait while something runs: prompts that an editor sent meanwhile, and what it
 * tells the running model. A prompt that is taken back ends as cancelled; whoever sent it is told so.
 */
import type { Agent, Logger, MessageEdit, WaitingMessage } from "@callboard/agent-sdk";
import type { JsonObject } from "@callboard/run-log";
import type { PromptInput } from "@callboard/run-log/intake";
import type { RunEnd } from "./runFollower.js";
import { SessionRefusedError } from "./sessionRefused.js";

/** The notification that the queue is another one. */
export const queueChanged = "_session/queue_changed";

/** What became of a message for the running model. */
export type Steered =
  | { readonly outcome: "injected"; readonly messageId: string }
  /** Nothing runs, and whoever steers wants to send a prompt instead. */
  | { readonly outcome: "promptRequired"; readonly reason: "noRunningTurn" }
  | { readonly outcome: "startedNewTurn" };

export interface QueueEdit {
  readonly input?: PromptInput;
  readonly delivery?: WaitingMessage["delivery"];
}

export interface PromptQueue {
  readonly waiting: readonly WaitingMessage[];
  /** Sends a prompt as the given message and run: at once, or when what runs has ended. */
  send(input: PromptInput, named: NamedPrompt): Promise<string>;
  /** Tells the running model something; undefined where nothing runs. */
  steer(input: PromptInput): Steered | undefined;
  /** Throws a SessionRefusedError where the message does not wait. */
  edit(messageId: string, edit: QueueEdit): void;
  remove(messageId: string): void;
}

export interface NamedPrompt {
  readonly runId: string;
  readonly messageId: string;
}

export interface PromptQueueSetup {
  readonly sessionId: string;
  readonly agent: () => Agent;
  readonly newId: () => string;
  readonly logger: Logger;
  /** Told of work that nobody else waits for: the session does not close before it is over. */
  readonly hold: (work: Promise<unknown>) => void;
  /** Ends a run that never started, or that is not read here any more. */
  readonly end: (runId: string, end: RunEnd) => void;
}

export function createPromptQueue(setup: PromptQueueSetup): PromptQueue {
  const { sessionId, agent, newId, logger } = setup;
  /** For each prompt that was sent, by its message: takes it back. */
  const sent = new Map<string, () => void>();

  function edited({ input, delivery }: QueueEdit): MessageEdit {
    return {
      ...(input === undefined ? {} : { text: input.text, images: input.images }),
      ...(delivery === undefined ? {} : { delivery }),
    };
  }

  return {
    get waiting() {
      return agent().queue;
    },
    async send({ text, images }, { runId, messageId }) {
      const removed = new Promise<string>((resolve) => {
        sent.set(messageId, () => {
          setup.end(runId, { stopReason: "cancelled" });
          resolve(runId);
        });
      });
      const read = agent()
        .sendMessage(text, { runId, messageId, images })
        .then((result) => {
          // The session was closed while the run waits for an answer: whoever loads it goes on.
          if (result.outcome === "parked") setup.end(result.runId, { stopReason: "cancelled" });
          return result.runId;
        });
      try {
        return await Promise.race([read, removed]);
      } finally {
        sent.delete(messageId);
      }
    },
    steer({ text, images }) {
      if (!agent().isBusy) return undefined;
      const messageId = newId();
      // Its run is told by the session's events: only what could not be stored is left to say here.
      const read = agent().steer(text, { images, messageId });
      const told = read.catch((error: unknown) =>
        logger.error("Sending a message to the running model failed.", { sessionId, error }),
      );
      setup.hold(told);
      return { outcome: "injected", messageId };
    },
    edit(messageId, edit) {
      if (!agent().editQueued(messageId, edited(edit))) throw notWaiting(messageId);
    },
    remove(messageId) {
      if (!agent().removeQueued(messageId)) throw notWaiting(messageId);
      sent.get(messageId)?.();
    },
  };
}

function notWaiting(messageId: string): SessionRefusedError {
  return new SessionRefusedError(`The message ${messageId} no longer waits.`);
}

/** The queue as a client is told of it; images are not repeated. */
export function shownQueue(
  queue: readonly Pick<WaitingMessage, "messageId" | "text" | "delivery">[],
): JsonObject[] {
  return queue.map(({ messageId, text, delivery }) => ({ messageId, text, delivery }));
}
