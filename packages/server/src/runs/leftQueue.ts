/**
 * Messages that waited when their run ended. Each starts a run, or waits in a run that another node started first. If a
 * run cannot start, it is stored anyway, with the message and the reason as its end: no accepted message is lost. If it
 * cannot be stored, because this node shuts down or has no database, the sweep of any node handles it.
 */

import { type LanguageModel, ModelError } from "@callboard/agent-sdk";
import type { WaitingMessage } from "@callboard/agent-sdk/serving";
import { overridesSchema } from "@callboard/run-log/http";
import { messageOfError } from "@callboard/run-log/values";
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

  /** A waiting message starts with the settings of its request, or of the conversation's last run. */
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

  /** Another node started a run first: the messages wait in it. */
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
  return messageOfError(error);
}

function isShuttingDown(error: unknown): boolean {
  return error instanceof HttpProblem && error.kind === "shutting-down";
}

/** The conversation was deleted, or the sender may no longer change it. */
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
