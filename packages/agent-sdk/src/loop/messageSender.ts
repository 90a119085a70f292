/**
 * Sends messages: at once if the agent is free, otherwise through its queue. Each waiting message has its own turn in
 * the queue; one that the running model reads meanwhile, or that is removed, starts no run.
 */

import { type Delivery, type Image, noUsage } from "@callboard/run-log";
import { withoutUndefined } from "@callboard/run-log/values";
import type { RunResult, SendOptions } from "../types/agent.js";
import type { Hook } from "../types/hooks.js";
import { abortReasonOf } from "../utils/abortReason.js";
import type { AgentTurns } from "./agentTurns.js";
import type { MessageQueue } from "./messageQueue.js";
import type { UserInput } from "./runParts.js";

export interface MessageSenderOptions {
  readonly turns: AgentTurns;
  readonly queue: MessageQueue;
  readonly newId: () => string;
  readonly userId: string | undefined;
  /** Runs a message to its end. */
  readonly begin: (input: UserInput, abort: AbortController) => Promise<RunResult>;
  /** The end of the run that is under way. */
  readonly current: () => Promise<RunResult> | undefined;
}

export interface MessageSender {
  send(text: string, options: SendOptions, delivery: Delivery): Promise<RunResult>;
  /** Removes a message from the queue. False if it no longer waits, or the log already names the run that it starts. */
  remove(messageId: string): boolean;
  /** Gives turns to messages that wait without one: another process queued them. */
  adopt(onFailed: (error: unknown) => void): void;
}

export function createMessageSender(options: MessageSenderOptions): MessageSender {
  const { turns, queue, newId, userId, begin, current } = options;
  /** The messages that have a turn, each with the run that it starts. */
  const expected = new Map<string, string>();

  function remove(messageId: string): boolean {
    const runId = expected.get(messageId);
    const isNext = runId !== undefined && queue.nextRunId === runId;
    return !isNext && queue.remove(messageId);
  }

  function sendNow(
    text: string,
    { images = [], hooks, signal, runId, messageId, replaces, traceparent }: SendOptions,
  ): Promise<RunResult> {
    const named = {
      ...withoutUndefined({ replaces, traceparent, hooks, runId, messageId }),
    };
    return turns.add((abort) => begin({ text, images, ...named }, abort), { signal });
  }

  function sendLater(
    text: string,
    { images, hooks = [], signal, runId = newId(), messageId = newId(), traceparent }: SendOptions,
    delivery: Delivery,
  ): Promise<RunResult> {
    const sender = withoutUndefined({ sentBy: userId });
    const pictures: { readonly images?: readonly Image[] } = withoutUndefined({ images });
    const trace = withoutUndefined({ traceparent });
    return awaited({ messageId, runId, signal, hooks, ...trace }, (onTaken) => {
      queue.add({ messageId, text, delivery, ...pictures, ...sender }, onTaken);
    });
  }

  /** The end of the run that reads a message, whichever it is, or the parking of the run that it waits in. */
  function awaited(
    { messageId, runId, signal, hooks = [], ...trace }: Awaited,
    add: (onTaken: () => void) => void,
  ): Promise<RunResult> {
    let readIn: Promise<RunResult> | undefined;
    expected.set(messageId, runId);
    const early = new Promise<RunResult>((resolve, reject) => {
      add(() => {
        // The run with the message has started, and is known in the next tick.
        queueMicrotask(() => {
          readIn = current();
          readIn?.then(resolve, reject);
        });
      });
    });
    const takeBack = (): void => void remove(messageId);
    signal?.addEventListener("abort", takeBack, { once: true });
    if (signal?.aborted) takeBack();
    const isWaiting = (): boolean => queue.waiting.some((one) => one.messageId === messageId);
    const work = async (abort: AbortController): Promise<RunResult> => {
      signal?.removeEventListener("abort", takeBack);
      expected.delete(messageId);
      const message = queue.take(messageId);
      if (message) return begin({ images: [], ...message, ...trace, runId, hooks }, abort);
      if (readIn) return readIn;
      const reason = abort.signal.aborted
        ? abortReasonOf(abort.signal)
        : "the message was taken back";
      return { runId, outcome: "cancelled", reason, text: "", usage: noUsage };
    };
    const turn = turns.add(work, { signal, runId: () => (isWaiting() ? runId : undefined) });
    return Promise.race([early, turn]);
  }

  return {
    remove,
    send(text, sendOptions, delivery) {
      // A destroyed agent takes nothing: its turns say so.
      const isFree = !turns.isBusy || turns.isClosed;
      return isFree ? sendNow(text, sendOptions) : sendLater(text, sendOptions, delivery);
    },
    adopt(onFailed) {
      for (const { messageId } of queue.waiting) {
        if (expected.has(messageId)) continue;
        awaited({ messageId, runId: newId(), signal: undefined }, () => undefined).catch(onFailed);
      }
    },
  };
}

interface Awaited {
  readonly messageId: string;
  readonly runId: string;
  readonly signal: AbortSignal | undefined;
  readonly hooks?: readonly Hook[];
  readonly traceparent?: string;
}
