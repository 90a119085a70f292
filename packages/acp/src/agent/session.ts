/**
 * One session of an editor: an agent in a folder, its events on their way to the client, questions on
 * their way back. Every call has its final status with the client before a prompt is answered.
 */
import type { Agent, AgentOptions, Clock, Logger, Redactor } from "@callboard/agent-sdk";
import type { AcpOptions } from "@callboard/run-log";
import { previewOf } from "../previews.js";
import { type SessionUpdate, wireOf } from "../updates/sessionUpdate.js";
import type { UpdateEngine } from "../updates/updateEngine.js";
import type { ClientPort } from "./clientPort.js";
import { createDeferred, type Deferred } from "./deferred.js";
import type { ModeId } from "./modes.js";
import { createPermissionDesk } from "./permissionDesk.js";
import type { PromptInput } from "./promptContent.js";
import { followEvents, type RunEnd } from "./runFollower.js";
import type { SessionPlace } from "./sessionPlaces.js";
import { costText, redacted, rulesText } from "./sessionTexts.js";
import { createSessionVoice } from "./sessionVoice.js";
import type { ShownTerminals } from "./shownTerminals.js";
import { type SlashCommand, slashCommandOf } from "./slashCommands.js";

export interface SessionSetup {
  readonly sessionId: string;
  readonly place: SessionPlace;
  readonly client: ClientPort;
  readonly engine: UpdateEngine;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly redactor: Redactor;
  readonly terminals: ShownTerminals;
  readonly newId: () => string;
  readonly contextSizeOf: (model: string) => number | undefined;
  /** How many events the session had before it was opened here. */
  readonly after: number;
  readonly model: AgentOptions["model"];
  /** The mode that the session begins in. */
  readonly mode: ModeId;
  /** Told whatever was chosen for the session, so that it holds when it is opened again. */
  readonly keep: (chosen: Pick<SessionPlace, "mode" | "model" | "title">) => void;
  readonly openAgent: (model: AgentOptions["model"]) => Promise<Agent>;
}

export interface PromptProgress {
  /** v2: the id under which the client sees the user's message. */
  readonly messageId: Promise<string>;
  readonly end: Promise<RunEnd>;
}

export interface AcpSession {
  readonly sessionId: string;
  readonly place: SessionPlace;
  mode: ModeId;
  readonly model: string;
  prompt(input: PromptInput): PromptProgress;
  cancel(): void;
  cancelCall(toolCallId: string): boolean;
  /** Waits for what runs, then goes on with another model. */
  setModel(model: string): Promise<void>;
  setTitle(title: string): void;
  /** Does some work on the stored session: after what runs, while nobody has it open. */
  released<Value>(work: () => Promise<Value>): Promise<Value>;
  close(): Promise<void>;
}

/** What the projection of a session is made with; a replay is made with the same. */
export function acpOptionsOf(
  client: ClientPort,
  place: SessionPlace,
  sizes: Pick<SessionSetup, "contextSizeOf">,
): AcpOptions {
  const { version, terminalKey, profile } = client.facts;
  return {
    ...{ version, cwd: place.cwd, previewOf, contextSizeOf: sizes.contextSizeOf },
    rawValues: profile.rawValues,
    userMessages: version === 2,
    ...(terminalKey === undefined ? {} : { terminalKey }),
  };
}

const keptEnds = 100;

export async function openSession(setup: SessionSetup): Promise<AcpSession> {
  const { sessionId, place, client, engine, logger, newId } = setup;
  const ends = new Map<string, Deferred<RunEnd>>();
  /** Prompts whose message has no id yet, by their run. */
  const messages = new Map<string, Deferred<string>>();
  let { mode } = setup;
  let position = setup.after;
  /** Why the events are not read any more. */
  let broken: string | undefined;
  /** The model as it is named in the options; one that was not named there has a label. */
  let chosen = typeof setup.model === "string" ? setup.model : undefined;
  let busy: Promise<unknown> = Promise.resolve();

  let agent = await setup.openAgent(setup.model);
  const desk = createPermissionDesk({
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
  const voice = createSessionVoice({
    ...{ client, newId, offer, isTitled: setup.after > 0 },
    settle: () => engine.settle(sessionId),
  });
  let following = follow();

  function offer(update: SessionUpdate): void {
    engine.offer(sessionId, redacted(update, setup.redactor));
    setup.terminals.offered(update, () => engine.settle(sessionId));
  }

  function endOf(runId: string): Deferred<RunEnd> {
    const end = ends.get(runId) ?? createDeferred<RunEnd>();
    ends.set(runId, end);
    if (broken !== undefined) end.resolve({ stopReason: "error", message: broken });
    const [oldest] = ends.keys();
    if (ends.size > keptEnds && oldest !== undefined) ends.delete(oldest);
    return end;
  }

  function follow(): Promise<void> {
    const { showsTerminals } = client.facts.profile;
    const clientTerminals = client.createTerminal !== undefined && showsTerminals;
    const options = { ...acpOptionsOf(client, place, setup), clientTerminals };
    const reading = followEvents(
      agent.events({ after: position }),
      options,
      {
        update: (update) => offer(wireOf(update)),
        ask: (permission) => desk.ask(permission),
        userMessage: (messageId, runId) => messages.get(runId)?.resolve(messageId),
        callClosed: (toolCallId) => desk.withdraw(toolCallId),
        ended: (runId, end) => endOf(runId).resolve(end),
        ready: () => engine.ready(sessionId),
      },
      () => {
        position += 1;
      },
    );
    // Nobody may wait for the end of a run that is not read any more.
    return reading.catch((error: unknown) => {
      const message = error instanceof Error ? error.message : String(error);
      broken = message;
      logger.error("a session's events could not be told", { sessionId, error });
      for (const end of ends.values()) end.resolve({ stopReason: "error", message });
    });
  }

  /** For a run that could not even be stored: nothing is left spinning at the client. */
  function closeLeftOpen(message: string): void {
    for (const toolCallId of engine.openCalls(sessionId)) {
      const content = [{ type: "content", content: { type: "text", text: message } }];
      const status = "failed";
      engine.offer(sessionId, { sessionUpdate: "tool_call_update", toolCallId, status, content });
    }
  }

  async function ended(work: () => Promise<{ readonly runId: string }>): Promise<RunEnd> {
    try {
      const { runId } = await work();
      return await endOf(runId).promise;
    } catch (error) {
      const message = error instanceof Error ? error.message : String(error);
      logger.error("a prompt could not be carried out", { sessionId, error });
      closeLeftOpen(message);
      if (client.facts.version === 2) {
        offer({ sessionUpdate: "state_update", state: "idle", stopReason: "error" });
      }
      return { stopReason: "error", message };
    } finally {
      await engine.settle(sessionId);
    }
  }

  async function sent({ text, images }: PromptInput, message: Deferred<string>): Promise<RunEnd> {
    voice.title(text);
    const runId = newId();
    messages.set(runId, message);
    try {
      return await ended(() => agent.sendMessage(text, { runId, images }));
    } finally {
      messages.delete(runId);
    }
  }

  function obeyed(
    command: SlashCommand,
    question: string,
    message: Deferred<string>,
  ): Promise<RunEnd> {
    switch (command.name) {
      case "cost":
        return voice.answer(question, costText(agent), message.resolve);
      case "rules":
        return voice.answer(question, rulesText(agent), message.resolve);
      case "shell":
        message.resolve(voice.heard(question));
        return ended(() => agent.runCommand(command.command));
      default:
        return command satisfies never;
    }
  }

  async function reopen(): Promise<void> {
    agent = await setup.openAgent(chosen ?? setup.model);
    following = follow();
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

  return {
    ...{ sessionId, place },
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
    prompt(input) {
      const message = createDeferred<string>();
      const command = slashCommandOf(input.text);
      voice.unreachable(agent.mcpServers);
      const end = command ? obeyed(command, input.text, message) : sent(input, message);
      busy = Promise.allSettled([busy, end]);
      return { messageId: message.promise, end };
    },
    cancel: () => agent.abortMessage("cancelled by the user"),
    cancelCall: (toolCallId) => agent.cancelCall(toolCallId),
    async setModel(model) {
      const before = chosen;
      chosen = model;
      try {
        await released(async () => undefined);
        setup.keep({ model });
      } catch (error) {
        // The session goes on with the model that it had.
        chosen = before;
        await reopen();
        throw error;
      }
    },
    async close() {
      await agent.destroy();
      await following;
      engine.forget(sessionId);
    },
  };
}
