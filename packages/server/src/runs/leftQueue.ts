/**
 * Messages that waited when their run ended. Each begins a run, or waits in the run that somebody else began first.
 * Where a run cannot begin, it is stored all the same, with the message and the reason as its end: nothing that was
 * accepted disappears. What can be stored nowhere, because this node shuts down or has no database, is left to the
 * sweep of any node.
 */
import { type LanguageModel, ModelError, type WaitingMessage } from "@callboard/agent-sdk";
import { overridesSchema } from "@callboard/run-log/http";
import { SessionUnknownError } from "@callboard/store";
import { HttpProblem } from "../http/problem.js";
import type { ServerParts } from "../parts.js";
import type { MessageQueues } from "./queue.js";
import type { LeftQueue } from "./runRequest.js";
import { type Ask, isOfRival, type RunStarter, type Starter } from "./startRun.js";

export interface LeftQueues {
  /** Resolves when the first message has a run, or is left to a later sweep. Never rejects. */
  begin(left: LeftQueue): Promise<void>;
}

export interface LeftQueueParts extends Pick<ServerParts, "logger" | "newId"> {
  readonly store: Pick<ServerParts["store"], "readSetup" | "findRun" | "settleCarrying">;
  readonly rights: Pick<ServerParts["rights"], "broken">;
}

interface LeftAsk {
  readonly user: Starter;
  readonly ask: Ask;
}

export function createLeftQueues(
  parts: LeftQueueParts,
  starter: RunStarter,
  queues: Pick<MessageQueues, "beginOrQueue">,
): LeftQueues {
  const { store, rights, logger, newId } = parts;

  /** What waits is begun as it was asked for, or as the conversation's last run was. */
  async function askOf(left: LeftQueue, message: WaitingMessage): Promise<LeftAsk> {
    const { conversationId, asks } = left;
    const { messageId, text, images = [] } = message;
    const known = asks.get(messageId);
    const setup = known ?? (await store.readSetup(conversationId));
    const ask: Ask = {
      agentName: setup?.agentName,
      conversationId,
      mayCreate: false,
      wish: { type: "message", text, images },
      variables: setup?.variables ?? {},
      overrides: overridesSchema.parse(setup?.overrides ?? {}),
      clientTools: known?.clientTools ?? [],
      instructions: setup?.instructions,
      messageId,
    };
    return { user: senderOf(left, message), ask };
  }

  /** Somebody else began a run first: the messages wait in it. */
  async function moved(left: LeftQueue): Promise<void> {
    for (const [index, message] of left.waiting.entries()) {
      const { user, ask } = await askOf(left, message);
      const later = () => left.asks.get(message.messageId)?.runId ?? newId();
      const runId = index === 0 ? left.runId : later();
      await queues.beginOrQueue(user, { ...ask, runId }, message.delivery);
    }
  }

  async function refused(left: LeftQueue, error: unknown): Promise<void> {
    const { runId, conversationId, waiting, asks } = left;
    const [first, ...queue] = waiting;
    if (!first) return;
    const reason = reasonIn(error);
    logger.warn("Starting the run of a waiting message failed; it is stored with the reason.", {
      runId,
      conversationId,
      reason,
    });
    try {
      const { messageId, text, images = [] } = first;
      const wish = { type: "message" as const, text, images };
      const options = { model: refusingModel(reason), tools: [], queue };
      const user = senderOf(left, first);
      const share = { owner: user.limitedAs, clientTools: 0 };
      const named = { runId, conversationId, user, messageId };
      await starter.beginRefused({ ...named, options, wish, share, asks });
    } catch (cause) {
      if (!isGone(cause)) throw cause;
      logger.error("Storing a waiting message failed: its conversation was deleted.", {
        runId,
        conversationId,
        error: cause,
      });
      rights.broken(conversationId, `A waiting message could not be sent: ${reason}`);
    }
  }

  async function begun(left: LeftQueue): Promise<void> {
    const { runId, asks } = left;
    const [first, ...queue] = left.waiting;
    if (!first || (await isBegun(left))) return;
    try {
      const { user, ask } = await askOf(left, first);
      await starter.beginTaken(user, ask, runId, { messageId: first.messageId, queue, asks });
    } catch (error) {
      if (isShuttingDown(error)) throw error;
      if (!isOfRival(error)) return refused(left, error);
      // Another node may have swept it up meanwhile.
      if (await isBegun(left)) return;
      await moved(left).catch((other) => refused(left, other));
    }
  }

  async function isBegun({ user, runId }: LeftQueue): Promise<boolean> {
    return (await store.findRun(user, runId)) !== undefined;
  }

  async function begin(left: LeftQueue): Promise<void> {
    const { endedRunId, runId, conversationId } = left;
    try {
      await begun(left);
      await store.settleCarrying(endedRunId);
    } catch (error) {
      logger.warn("The run of a waiting message has not started; a node starts it later.", {
        runId,
        conversationId,
        error,
      });
    }
  }

  return { begin };
}

function senderOf({ user, asks }: LeftQueue, { messageId, sentBy }: WaitingMessage): Starter {
  const userId = sentBy ?? user.userId;
  return asks.get(messageId)?.user ?? { userId, limitedAs: userId };
}

function reasonIn(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

function isShuttingDown(error: unknown): boolean {
  return error instanceof HttpProblem && error.kind === "shutting-down";
}

/** The conversation was deleted, or is not the sender's to change any more. */
function isGone(error: unknown): boolean {
  return error instanceof SessionUnknownError;
}

/** It gives no answer, only the reason. */
function refusingModel(reason: string): LanguageModel {
  const refuse = () => Promise.reject(new ModelError("invalid_request", reason));
  return {
    specificationVersion: "v3",
    provider: "none",
    modelId: "none",
    supportedUrls: {},
    doGenerate: refuse,
    doStream: refuse,
  };
}
