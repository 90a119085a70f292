/**
 * One session of an editor: an agent in a folder, its events on their way to the client, questions on
 * their way back. Every call has its final status with the client before a prompt is answered.
 */
import type { QueuedMessage } from "@callboard/run-log";
import type { PromptInput } from "@callboard/run-log/intake";
import type { AcpOutput, Projector } from "@callboard/run-log/projections";
import { type SessionUpdate, wireOf } from "../updates/sessionUpdate.js";
import type { AcpSession, PromptProgress } from "./acpSession.js";
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
  let busy: Promise<unknown> = Promise.resolve();
  let isClosed = false;

  let agent = await setup.openAgent(setup.model, effort);
  const desk = createPermissionRequester({
    ...{ sessionId, client, logger, mode: () => mode },
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
    ...{ sessionId, newId, logger, agent: () => agent },
    end: ends.end,
    hold: (work) => {
      busy = Promise.allSettled([busy, work]);
    },
  });
  const states = createSessionStates(client.facts.version, offer);
  const turns = createPromptTurns({
    ...{ newId, isBusy: () => agent.isBusy, settle: () => engine.settle(sessionId) },
    carryOut: (input, named) => ended(() => queue.send(input, named)),
  });
  const slashSetup = { voice, ended, agent: () => agent, waiting: () => queue.waiting };
  const { showsTerminals } = client.facts.profile;
  const clientTerminals = client.createTerminal !== undefined && showsTerminals;
  const options = { ...acpOptionsOf(client, place, setup), clientTerminals };
  const left = createLeftRun(setup.left, options);
  /** A run that was left and does not go on here has no say in the session's state. */
  let isLeftAside = left !== undefined;
  let following = follow(left?.projector);

  function offer(update: SessionUpdate): void {
    engine.offer(sessionId, redacted(update, setup.redactor));
    setup.terminals.offered(update, () => engine.settle(sessionId));
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
        personAsked: (toolCallId) => setup.questions?.told(toolCallId),
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
    // Nobody may wait for the end of a run that is not read any more.
    return reading.catch((error: unknown) => {
      const message = error instanceof Error ? error.message : String(error);
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
      const message = error instanceof Error ? error.message : String(error);
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

  async function reopen(): Promise<void> {
    agent = await setup.openAgent(chosen ?? setup.model, effort);
    following = follow(isLeftAside ? left?.projector : undefined);
  }

  /** Does some work while nobody has the session open: after what runs, and before what comes. */
  async function released<Value>(work: () => Promise<Value>): Promise<Value> {
    await busy;
    await agent.destroy();
    await following;
    try {
      return await work();
    } finally {
      await reopen();
    }
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
    for (const toolCallId of left.openCalls) setup.questions?.told(toolCallId);
  }

  function resumeRun(): void {
    tellLeft();
    const { leftRun } = agent;
    if (leftRun === undefined || !hasLeftRun()) return;
    isLeftAside = false;
    const end = ended(async () => {
      const { runId, outcome } = await agent.continueRun(leftRun.runId);
      return outcome === "parked" ? undefined : runId;
    });
    busy = Promise.allSettled([busy, end]);
    left?.askAgain(() => agent, desk.ask);
  }

  function expanded(input: PromptInput): PromptInput {
    return { ...input, text: expandedText(input.text, setup.commands) };
  }

  /** Goes on with what \`choose\` sets; \`undo\` sets what was, should no agent be made with it. */
  async function rechosen(choose: () => void, undo: () => void): Promise<void> {
    choose();
    try {
      await released(async () => undefined);
    } catch (error) {
      undo();
      await reopen();
      throw error;
    }
  }

  function prompt(input: PromptInput): PromptProgress {
    const message = createDeferred<string>();
    const command = slashCommandOf(input.text);
    voice.unreachable(agent.mcpServers);
    if (command) {
      const end = obeyed(command, input.text, message.resolve, slashSetup);
      busy = Promise.allSettled([busy, end]);
      return { messageId: message.promise, end };
    }
    voice.title(input.text);
    const { run, end } = turns.send(expanded(input), message);
    busy = Promise.allSettled([busy, run]);
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
    released,
    get model() {
      return chosen ?? agent.model.label;
    },
    cancel: () => agent.abortMessage("cancelled by the user"),
    cancelCall: (toolCallId) => agent.cancelCall(toolCallId),
    async setModel(model) {
      const before = chosen;
      await rechosen(
        () => {
          chosen = model;
        },
        () => {
          chosen = before;
        },
      );
      setup.keep({ model });
    },
    get effort() {
      return effort;
    },
    async setEffort(next) {
      const before = effort;
      await rechosen(
        () => {
          effort = next;
        },
        () => {
          effort = before;
        },
      );
      setup.keep({ effort });
    },
    async close() {
      isClosed = true;
      desk.close();
      setup.questions?.close();
      await agent.destroy();
      await following;
      engine.forget(sessionId);
    },
  };
}
