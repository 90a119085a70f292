/**
 * Messages for a conversation with a running run. They are queued, edited and removed in the log of that run, by the
 * node that runs it; the caller reads the result there.
 */

import { type QueuedMessage, queueOf } from "@callboard/run-log";
import { withoutUndefined } from "@callboard/run-log/values";
import { HttpProblem, notFound } from "../http/problem.js";
import type { ServerParts } from "../parts.js";
import { isAtLeast, type RunFacts, type Viewer } from "../stores/runStore.js";
import { unreachable } from "./answerApproval.js";
import type { QueueEdit } from "./queueCommands.js";
import type { LoggedRun } from "./runView.js";
import { sendUntilAnswered, viewedRun } from "./runWatch.js";
import { sentBefore } from "./sentBefore.js";
import { modelFor } from "./servedAgent.js";
import {
  type Ask,
  type BegunRun,
  isOfRival,
  namesOf,
  type RunStarter,
  type Starter,
} from "./startRun.js";

/** The message waits in the run `waitsIn`. */
export interface Queued {
  readonly messageId: string;
  readonly conversationId: string;
  readonly waitsIn: string;
}

export interface MessageQueues {
  /** Starts a run, or lets the message wait for the one that is under way. */
  beginOrQueue(
    caller: Starter,
    ask: Ask,
    delivery: QueuedMessage["delivery"],
  ): Promise<BegunRun | Queued>;
  list(viewer: Viewer, conversationId: string): Promise<readonly QueuedMessage[]>;
  edit(viewer: Viewer, conversationId: string, messageId: string, edit: QueueEdit): Promise<void>;
  remove(viewer: Viewer, conversationId: string, messageId: string): Promise<void>;
}

/** A run may end each time before the message reaches it. */
const attempts = 5;

export function createMessageQueues(parts: ServerParts, starter: RunStarter): MessageQueues {
  const { store, commands, clock, newId, directory } = parts;

  async function openRun(viewer: Viewer, conversationId: string): Promise<RunFacts | undefined> {
    const [run] = await store.listRuns(viewer, { conversationId, limit: 1 });
    return run?.status === "open" ? run : undefined;
  }

  /** Sends a command to the run and reads its log until it is done. Undefined if the run ended first. */
  async function done<Answer>(
    runId: string,
    command: Parameters<typeof commands.send>[0],
    answerIn: (view: LoggedRun) => Answer | undefined,
  ): Promise<Answer | "ended"> {
    const viewer = await viewedRun(store, runId);
    const before = answerOrEnd(answerIn)(viewer.view);
    if (before !== undefined) return before;
    const find = answerOrEnd(answerIn);
    const answer = await sendUntilAnswered(() => commands.send(command), {
      store,
      clock,
      runId,
      viewer,
      find,
    });
    if (answer === undefined) throw unreachable(runId);
    return answer;
  }

  async function queued(
    caller: Starter,
    ask: Ask,
    delivery: QueuedMessage["delivery"],
  ): Promise<Queued | undefined> {
    const { conversationId } = ask;
    if (conversationId === undefined || ask.wish.type !== "message") return undefined;
    const run = await openRun(caller, conversationId);
    // A caller who may not queue a message learns by starting a run whether that is allowed.
    if (!run || !isAtLeast(await store.accessOf(caller, conversationId), "editor")) {
      return undefined;
    }
    const { runId, messageId } = namesOf(caller, ask, newId);
    const { text, images } = ask.wish;
    const { agentName, variables, overrides, clientTools, instructions } = ask;
    // A message that no agent can start is refused now, not when its turn comes.
    modelFor(directory.find(agentName).agent, overrides);
    const { userId, limitedAs, traceparent } = caller;
    const trace = withoutUndefined({ traceparent });
    const how = { variables, overrides, clientTools: [...clientTools], instructions };
    const queuedAsk = { runId, user: { userId, limitedAs, ...trace }, agentName, ...how };
    // Stored before the message is in a log, so that no node finds the message without its settings.
    await store.queuedAsks.keep(conversationId, messageId, queuedAsk);
    const known = await done(
      run.runId,
      {
        type: "queueMessage",
        runId: run.runId,
        message: { messageId, text, images: [...images], delivery, sentBy: userId },
        ask: queuedAsk,
      },
      ({ queued: seen }) => (seen.has(messageId) ? true : undefined),
    );
    if (known !== "ended") return { messageId, conversationId, waitsIn: run.runId };
    await store.queuedAsks.forget(conversationId, [messageId]);
    return undefined;
  }

  /** The result of an earlier request with the same key. */
  async function earlier(caller: Starter, ask: Ask): Promise<BegunRun | Queued | undefined> {
    const { conversationId, idempotencyKey } = ask;
    if (conversationId === undefined || idempotencyKey === undefined) return undefined;
    const { runId, messageId } = namesOf(caller, ask, newId);
    const before = await sentBefore(store, caller, { conversationId, runId, messageId });
    if (!before) return undefined;
    if ("begun" in before) return starter.begin(caller, ask);
    return { messageId, conversationId, waitsIn: before.waitsIn };
  }

  async function changeable(viewer: Viewer, conversationId: string): Promise<RunFacts> {
    const access = await store.accessOf(viewer, conversationId);
    if (access === undefined) throw notFound(`conversation ${conversationId}`);
    if (!isAtLeast(access, "editor")) {
      const detail =
        "You may read this conversation, not change it: ask its owner to let you edit.";
      throw new HttpProblem(403, "read-only", detail);
    }
    const run = await openRun(viewer, conversationId);
    if (!run) throw notWaiting();
    return run;
  }

  async function changed(
    runId: string,
    messageId: string,
    command: Parameters<typeof commands.send>[0],
    isDone: (view: LoggedRun) => boolean,
  ): Promise<void> {
    const { view } = await viewedRun(store, runId);
    if (!queueOf(view.state).some((message) => message.messageId === messageId)) {
      throw notWaiting(messageId);
    }
    const answer = await done(runId, command, (now) => {
      if (isDone(now)) return "done" as const;
      return now.unqueued.has(messageId) ? ("gone" as const) : undefined;
    });
    if (answer !== "done") throw notWaiting(messageId);
  }

  return {
    async beginOrQueue(caller, asked, delivery) {
      const { runId } = namesOf(caller, asked, newId);
      const ask = { ...asked, runId };
      const before = await earlier(caller, ask);
      if (before) return before;
      for (let attempt = 1; ; attempt += 1) {
        const waiting = await queued(caller, ask, delivery);
        if (waiting) return waiting;
        try {
          return await starter.begin(caller, ask);
        } catch (error) {
          if (!isOfRival(error) || attempt > attempts) throw error;
        }
      }
    },
    async list(viewer, conversationId) {
      const access = await store.accessOf(viewer, conversationId);
      if (access === undefined) throw notFound(`conversation ${conversationId}`);
      const run = await openRun(viewer, conversationId);
      return run ? queueOf((await viewedRun(store, run.runId)).view.state) : [];
    },
    async edit(viewer, conversationId, messageId, edit) {
      const { runId } = await changeable(viewer, conversationId);
      const isDone = ({ state }: LoggedRun): boolean => {
        const message = queueOf(state).find((one) => one.messageId === messageId);
        if (!message) return false;
        const { text = message.text, delivery = message.delivery } = edit;
        return message.text === text && message.delivery === delivery;
      };
      await changed(runId, messageId, { type: "editQueued", runId, messageId, edit }, isDone);
    },
    async remove(viewer, conversationId, messageId) {
      const { runId } = await changeable(viewer, conversationId);
      await changed(
        runId,
        messageId,
        { type: "removeQueued", runId, messageId },
        ({ unqueued }) => {
          return unqueued.get(messageId) === "removed";
        },
      );
    },
  };
}

function answerOrEnd<Answer>(answerIn: (view: LoggedRun) => Answer | undefined) {
  return (view: LoggedRun): Answer | "ended" | undefined =>
    answerIn(view) ?? (view.state.status === "closed" ? "ended" : undefined);
}

function notWaiting(messageId?: string): HttpProblem {
  const which = messageId === undefined ? "No message" : `Message ${messageId} does not wait: it`;
  const detail =
    messageId === undefined
      ? `${which} waits in this conversation: nothing runs in it.`
      : `${which} was read, removed, or went to the next run.`;
  return new HttpProblem(409, "not-waiting", detail);
}
