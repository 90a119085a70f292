/**
 * One session of an editor: an agent in a folder, its events on their way to the client, questions on
 * their way back. Every call has its final status with the client before a prompt is answered.
 */

import { type TracedRun, traceparentOf } from "@callboard/agent-sdk/tracing";
import type { QueuedMessage, RunEvent } from "@callboard/run-log";
import type { AcpOutput, Projector } from "@callboard/run-log/projections";
import { messageOfError } from "@callboard/run-log/values";
import { type SessionUpdate, wireOf } from "../updates/sessionUpdate.js";
import type { AcpSession, PromptProgress, SentPrompt } from "./acpSession.js";
import { createDeferred } from "./deferred.js";
import { createLeftRun } from "./leftRun.js";
import { createPermissionRequester } from "./permissionRequester.js";
import { createPromptQueue, queueChanged, shownQueue } from "./promptQueue.js";
import { createPromptTurns } from "./promptTurns.js";
import { createRunEnds } from "./runEnds.js";
import { followEvents, type RunEnd } from "./runFollower.js";
import { createSessionNotices } from "./sessionNotices.js";
import { acpOptionsOf, type SessionSetup } from "./sessionSetup.js";
import { createSessionStates } from "./sessionStates.js";
import { redacted } from "./sessionTexts.js";
import { obeyed } from "./slashAnswers.js";
import { expandedText, offeredCommands, slashCommandOf } from "./slashCommands.js";

export async function openSession(setup: SessionSetup): Promise<AcpSession> {
  const { sessionId, place, client, engine, logger, newId } = setup;
  const ends = createRunEnds();
  let { mode, effort } = setup;
  let position = setup.after;
  /** The model as it is named in the options; one that was not named there has a label. */
  let chosen = typeof setup.model === "string" ? setup.model : undefined;
  let isClosed = false;

  const agent = await setup.openAgent();
  const desk = createPermissionRequester({
    ...{ sessionId, client, logger, mode: () => mode, traceOf },
    answer: (approvalId, given) => agent.answerApproval(approvalId, given),
    settle: () => engine.settle(sessionId),
    fieldOf: (toolCallId, field) => engine.fieldOf(sessionId, toolCallId, field),
    carry: (toolCallId) => engine.carry(sessionId, toolCallId),
    redact: (fields) => {
      const { sessionUpdate: _, ...freed } = redacted(
        { ...fields, sessionUpdate: "" },
        setup.redactor,
      );
      return freed;
    },
  });
  const voice = createSessionNotices({
    ...{ client, newId, offer, isTitled: setup.after > 0, isBusy: () => agent.isBusy },
    settle: () => engine.settle(sessionId),
  });
  const queue = createPromptQueue({
    ...{ sessionId, newId, logger, agent },
    end: ends.end,
  });
  const states = createSessionStates(client.facts.version, offer);
  const turns = createPromptTurns({
    ...{ newId, isBusy: () => agent.isBusy, settle: () => engine.settle(sessionId) },
    carryOut: (input, named) => ended(() => queue.send(input, named)),
  });
  const slashSetup = { voice, ended, agent, waiting: () => queue.waiting };
  const { showsTerminals } = client.facts.profile;
  const clientTerminals = client.createTerminal !== undefined && showsTerminals;
  const options = { ...acpOptionsOf(client, place, setup), clientTerminals };
  const left = createLeftRun(setup.left, options);
  /** A run that was left open and is not resumed here does not count for the session's state. */
  let isLeftAside = left !== undefined;
  /** The run that is sent. */
  let traced: TracedRun | undefined = left?.run;
  const following = follow(left?.projector);

  function offer(update: SessionUpdate): void {
    engine.offer(sessionId, redacted(update, setup.redactor));
    setup.terminals.offered(update, () => engine.settle(sessionId));
  }

  /** The purpose of a request to the client about a call. */
  function traceOf(toolCallId: string): string | undefined {
    return traced && traceparentOf(traced, `call ${toolCallId}`);
  }

  function follow(begun?: Projector<unknown, AcpOutput>): Promise<void> {
    const reading = followEvents(
      agent.events({ after: position }),
      options,
      {
        update(update) {
          if (update.sessionUpdate !== "state_update") return offer(wireOf(update));
          if (!isLeftAside) states.tell(wireOf(update));
        },
        rested(messageIds, background) {
          states.rested(background);
          turns.rested(messageIds, background);
        },
        wentOn: states.wentOn,
        ask: (permission) => desk.ask(permission),
        userMessage: turns.userMessage,
        started(run) {
          traced = run;
        },
        personAsked: (toolCallId) => setup.questions?.told(toolCallId, traceOf(toolCallId)),
        callClosed(toolCallId) {
          desk.withdraw(toolCallId);
          left?.callClosed(toolCallId);
          setup.questions?.withdraw(toolCallId);
        },
        queueChanged: tellQueue,
        ended(runId, end) {
          isLeftAside = false;
          ends.end(runId, end);
        },
        ready: () => engine.ready(sessionId),
      },
      () => {
        position += 1;
      },
      begun,
    );
    // No code may wait for the end of a run that is no longer read.
    return reading.catch((error: unknown) => {
      const message = messageOfError(error);
      logger.error("Sending the events of a session to the client failed.", { sessionId, error });
      ends.fail(message);
    });
  }

  function tellQueue(waiting: readonly QueuedMessage[]): void {
    if (!client.facts.hasQueue) return;
    const params = { sessionId, messages: shownQueue(waiting) };
    client.notify(queueChanged, params).catch((error: unknown) => {
      logger.warn("Sending the queue to the client failed.", { sessionId, error });
    });
  }

  async function ended(work: () => Promise<string | undefined>): Promise<RunEnd> {
    try {
      const runId = await work();
      return runId === undefined ? { stopReason: "end_turn" } : await ends.ended(runId);
    } catch (error) {
      const message = messageOfError(error);
      logger.error("A prompt failed.", { sessionId, error });
      // A run that could not even be stored: nothing is left spinning at the client.
      engine.closeOpen(sessionId, "failed", message);
      if (client.facts.version === 2) {
        offer({ sessionUpdate: "state_update", state: "idle", stopReason: "error" });
      }
      return { stopReason: "error", message };
    } finally {
      await engine.settle(sessionId);
    }
  }

  /** The runs as far as the client received them: also a running one. */
  async function toldRuns(): Promise<readonly (readonly RunEvent[])[]> {
    const runs = new Map<string, RunEvent[]>();
    const end = position;
    let count = 0;
    if (end === 0) return [];
    for await (const event of agent.events()) {
      const run = runs.get(event.runId) ?? [];
      run.push(event);
      runs.set(event.runId, run);
      count += 1;
      if (count === end) break;
    }
    return [...runs.values()];
  }

  function hasLeftRun(): boolean {
    return !isClosed && agent.leftRun !== undefined && left?.isAnswerableBy(agent) === true;
  }

  /** Each open call of the run that was left becomes one whole call of the client. */
  function tellLeft(): void {
    if (left === undefined || isClosed) return;
    engine.hold(sessionId, true);
    for (const update of left.updates) offer(wireOf(update));
    engine.hold(sessionId, false);
    engine.hasten(sessionId);
    for (const id of left.openCalls) setup.questions?.told(id, traceOf(id));
  }

  function resumeRun(): void {
    tellLeft();
    const { leftRun } = agent;
    if (leftRun === undefined || !hasLeftRun()) return;
    isLeftAside = false;
    void ended(async () => {
      const { runId, outcome } = await agent.continueRun(leftRun.runId);
      return outcome === "parked" ? undefined : runId;
    });
    left?.askAgain(agent, desk.ask);
  }

  function expanded(input: SentPrompt): SentPrompt {
    return { ...input, text: expandedText(input.text, setup.commands) };
  }

  function prompt(input: SentPrompt): PromptProgress {
    const message = createDeferred<string>();
    const command = slashCommandOf(input.text);
    voice.unreachable(agent.mcpServers);
    if (command) {
      const end = obeyed(command, input.text, message.resolve, slashSetup);
      return { messageId: message.promise, end };
    }
    voice.title(input.text);
    const end = turns.send(expanded(input), message);
    return { messageId: message.promise, end };
  }

  return {
    ...{ sessionId, place, prompt, resumeRun, commands: offeredCommands(setup.commands) },
    get hasLeftRun() {
      return hasLeftRun();
    },
    steer(input, isOwned) {
      const steered = queue.steer(expanded(input));
      if (steered) return steered;
      if (isOwned) return { outcome: "promptRequired", reason: "noRunningTurn" };
      prompt(input);
      return { outcome: "startedNewTurn" };
    },
    get queue() {
      return queue.waiting;
    },
    editQueued: queue.edit,
    removeQueued: queue.remove,
    get mode() {
      return mode;
    },
    set mode(next) {
      mode = next;
      setup.keep({ mode });
    },
    setTitle(title) {
      voice.title(title, true);
      setup.keep({ title });
    },
    toldRuns,
    get model() {
      return chosen ?? agent.model.label;
    },
    cancel: () => agent.abortMessage("cancelled by the user"),
    cancelCall: (toolCallId) => agent.cancelCall(toolCallId),
    setModel(model) {
      agent.setModel(model, setup.settingsOf(effort));
      chosen = model;
      setup.keep({ model });
    },
    get effort() {
      return effort;
    },
    setEffort(next) {
      agent.setModel(chosen ?? setup.model, setup.settingsOf(next));
      effort = next;
      setup.keep({ effort });
    },
    async close() {
      isClosed = true;
      desk.close();
      setup.questions?.close();
      await agent.destroy();
      await following;
      // A client that is still there is told of every end before its session is forgotten.
      await engine.settle(sessionId).catch((error: unknown) => {
        logger.warn("The end of a session did not reach the client.", { sessionId, error });
      });
      engine.forget(sessionId);
    },
  };
}
