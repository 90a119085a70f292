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
import { defaultMode, type ModeId } from "./modes.js";
import { createPermissionDesk } from "./permissionDesk.js";
import type { PromptInput } from "./promptContent.js";
import { followEvents, type RunEnd } from "./runFollower.js";
import type { SessionPlace } from "./sessionPlaces.js";
import { costText, redacted, rulesText, titleOf, withTerminal } from "./sessionTexts.js";
import { type SlashCommand, slashCommandOf } from "./slashCommands.js";

export interface SessionSetup {
  readonly sessionId: string;
  readonly place: SessionPlace;
  readonly client: ClientPort;
  readonly engine: UpdateEngine;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly redactor: Redactor;
  readonly newId: () => string;
  readonly contextSizeOf: (model: string) => number | undefined;
  /** How many events the session had before it was opened here. */
  readonly after: number;
  readonly model: AgentOptions["model"];
  readonly openAgent: (session: SessionHost, model: AgentOptions["model"]) => Promise<Agent>;
}

/** What tools of the client need of the session that they work for. */
export interface SessionHost {
  readonly sessionId: string;
  readonly place: SessionPlace;
  /** Shows a terminal of the client's in a call, in the place of its output. */
  embedTerminal(toolCallId: string, terminalId: string): void;
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
  const terminals = new Map<string, string>();
  const ends = new Map<string, Deferred<RunEnd>>();
  const messages: Deferred<string>[] = [];
  let mode: ModeId = defaultMode;
  let position = setup.after;
  let isTitled = setup.after > 0;
  let busy: Promise<unknown> = Promise.resolve();

  const host: SessionHost = {
    sessionId,
    place,
    embedTerminal(toolCallId, terminalId) {
      terminals.set(toolCallId, terminalId);
      const content = [{ type: "terminal", terminalId }];
      engine.offer(sessionId, { sessionUpdate: "tool_call_update", toolCallId, content });
      engine.hasten(sessionId);
    },
  };
  let agent = await setup.openAgent(host, setup.model);
  const desk = createPermissionDesk({
    ...{ sessionId, client, logger, mode: () => mode },
    answer: (approvalId, given) => agent.answerApproval(approvalId, given),
    settle: () => engine.settle(sessionId),
    fieldOf: (toolCallId, field) => engine.fieldOf(sessionId, toolCallId, field),
  });
  let following = follow();

  function offer(update: SessionUpdate): void {
    engine.offer(sessionId, withTerminal(redacted(update, setup.redactor), terminals));
  }

  function endOf(runId: string): Deferred<RunEnd> {
    const end = ends.get(runId) ?? createDeferred<RunEnd>();
    ends.set(runId, end);
    const [oldest] = ends.keys();
    if (ends.size > keptEnds && oldest !== undefined) ends.delete(oldest);
    return end;
  }

  function follow(): Promise<void> {
    const options = acpOptionsOf(client, place, setup);
    const reading = followEvents(
      agent.events({ after: position }),
      options,
      {
        update: (update) => offer(wireOf(update)),
        ask: (permission) => desk.ask(permission),
        userMessage: (messageId) => messages.shift()?.resolve(messageId),
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

  function tellTitle(text: string): void {
    if (isTitled) return;
    isTitled = true;
    const title = titleOf(text);
    if (title !== "") offer({ sessionUpdate: "session_info_update", title });
  }

  /** Said by us, not by the model: it is no part of the log. */
  async function answered(text: string, question: string): Promise<RunEnd> {
    const isV2 = client.facts.version === 2;
    const state = (fields: Readonly<Record<string, string>>): void => {
      if (isV2) offer({ sessionUpdate: "state_update", ...fields });
    };
    const messageId = newId();
    const said = (sessionUpdate: string, words: string): void =>
      offer({ sessionUpdate, messageId, content: { type: "text", text: words } });
    if (isV2) said("user_message_chunk", question);
    messages.shift()?.resolve(messageId);
    state({ state: "running" });
    said("agent_message_chunk", text);
    state({ state: "idle", stopReason: "end_turn" });
    await engine.settle(sessionId);
    return { stopReason: "end_turn" };
  }

  function obeyed(command: SlashCommand, question: string): Promise<RunEnd> {
    switch (command.name) {
      case "cost":
        return answered(costText(agent), question);
      case "rules":
        return answered(rulesText(agent), question);
      case "shell":
        messages.shift()?.resolve(newId());
        return ended(() => agent.runCommand(command.command));
      default:
        return command satisfies never;
    }
  }

  return {
    ...{ sessionId, place },
    get mode() {
      return mode;
    },
    set mode(next) {
      mode = next;
    },
    get model() {
      return agent.model.label;
    },
    prompt(input) {
      const message = createDeferred<string>();
      messages.push(message);
      const command = slashCommandOf(input.text);
      const runId = newId();
      if (!command) tellTitle(input.text);
      const end = command
        ? obeyed(command, input.text)
        : ended(() => agent.sendMessage(input.text, { runId, images: input.images }));
      busy = Promise.allSettled([busy, end]);
      return { messageId: message.promise, end };
    },
    cancel: () => agent.abortMessage("cancelled by the user"),
    cancelCall: (toolCallId) => agent.cancelCall(toolCallId),
    async setModel(model) {
      await busy;
      await agent.destroy();
      await following;
      agent = await setup.openAgent(host, model);
      following = follow();
    },
    async close() {
      await agent.destroy();
      await following;
      engine.forget(sessionId);
    },
  };
}
