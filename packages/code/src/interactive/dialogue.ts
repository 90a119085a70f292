/**
 * One agent and the person in front of it: what is submitted becomes a message, a command of the person's
 * or one of the program's own commands. It draws nothing and reads no keys; both surfaces share it.
 */

import {
  type Agent,
  type ApprovalReply,
  type Clock,
  createUserQuestions,
  type Logger,
} from "@callboard/agent-sdk";
import type { FileSessionStore } from "@callboard/agent-sdk/sessions";
import type { QuestionReceipt, QuestionReply } from "@callboard/agent-sdk/tools";
import type { ContextSize, RunEvent, Usage } from "@callboard/run-log";
import { messageOfError, withoutUndefined } from "@callboard/run-log/values";
import { type Line, lineOf } from "../door/spans.js";
import { cleanText } from "../door/terminalText.js";
import { withMentions } from "../project/mentions.js";
import { type Project, type ProjectPlace, readProject } from "../project/project.js";
import { openAgent, questionExpiry } from "../run/openAgent.js";
import { readSessionLog } from "../run/readLog.js";
import type { PermissionMode, Settings } from "../settings/settings.js";
import { UsageError } from "../usageError.js";
import type { World } from "../world.js";
import { createCallList } from "./callList.js";
import { commandNames, runSlashCommand } from "./slashCommands.js";

export interface DialogueListener {
  onEvent(event: RunEvent): void;
  /** Something to print that is in no log. */
  say(lines: readonly Line[]): void;
  /** The state has changed: the screen may have to be drawn again. */
  onChange(): void;
  /** The person wants to leave. */
  onLeave(): void;
}

export interface DialogueFacts {
  readonly model: string;
  readonly mode: PermissionMode;
  readonly sessionId: string;
  readonly usage: Usage;
  readonly isBusy: boolean;
  /** When what runs was sent, milliseconds since the epoch. */
  readonly busySince?: number;
  /** How full the model's context is, once it is known. */
  readonly context?: ContextSize;
  /** Messages that wait for the running model, then messages and commands that wait for its end. */
  readonly waiting: readonly { readonly text: string; readonly isSteering: boolean }[];
  /** The names of the program's own commands and of the project's. */
  readonly commands: readonly string[];
}

export interface Dialogue {
  readonly facts: DialogueFacts;
  submit(text: string): void;
  /** Sends a message that the running model reads before its next answer. */
  steer(text: string): void;
  /** Takes the last message that waits out of the queue, or all of them, oldest first. */
  takeBack(which: "last" | "all"): string | undefined;
  /** Ends the running work; false if nothing runs. */
  cancel(): boolean;
  answer(approvalId: string, reply: ApprovalReply): void;
  /** Answers a question of the model, or declines it. */
  answerQuestion(callId: string, reply: QuestionReply): QuestionReceipt;
  close(): Promise<void>;
}

/** The objects that the program's own commands use. */
export interface Desk {
  readonly world: World;
  readonly settings: Settings;
  readonly project: Project;
  /** The calls under way, in the order of their openings. */
  readonly calls: readonly { readonly callId: string; readonly words: string }[];
  readonly store: FileSessionStore;
  readonly agent: Agent;
  readonly listener: DialogueListener;
  /** Continues with another session: shows what it holds and what follows. */
  restore(sessionId: string): Promise<void>;
  /** Continues in the same session with other settings, such as another model. */
  change(changed: Partial<Settings>): Promise<void>;
  /** Leaves this session for a new one. */
  begin(): Promise<void>;
  /** Milliseconds since the epoch. */
  now(): number;
  /** Sends a message as if it had been typed. */
  send(text: string): Promise<void>;
}

export interface DialogueOptions {
  readonly world: World;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly store: FileSessionStore;
  readonly settings: Settings;
  readonly place: ProjectPlace;
  readonly sessionId: string | undefined;
}

interface Sent {
  readonly text: string;
  readonly at: number;
  readonly abort: AbortController;
}

const shownRuns = 5;

export async function openDialogue(
  options: DialogueOptions,
  listener: DialogueListener,
): Promise<Dialogue> {
  const { world, store } = options;
  const { env, cwd } = world;
  let settings = options.settings;
  const projectNow = (): Promise<Project> => readProject({ ...options, settings, env, cwd });
  let project = await projectNow();
  /** The sent messages that have not ended, in order: the first of them runs. */
  let sent: Sent[] = [];
  let context: ContextSize | undefined;
  let busySince = 0;
  const calls = createCallList();
  const questions = createUserQuestions(questionExpiry(settings));

  function take(event: RunEvent): void {
    calls.push(event);
    if (event.type === "usage.reported") context = event.context ?? context;
    if (event.type === "context.compacted" && event.parentCallId === undefined) {
      context = event.after;
    }
    listener.onEvent(event);
  }

  const opened = (sessionId: string | undefined): Promise<Agent> =>
    openAgent({
      ...options,
      settings,
      project,
      env,
      cwd,
      sessionId,
      askTool: questions.tool,
      tell(event) {
        take(event);
        return undefined;
      },
    });

  /** The history of the session, through the same view as later events. */
  async function tellPast(sessionId: string): Promise<void> {
    const { events, warning } = await readSessionLog(env, sessionId);
    const runs = [...new Set(events.map(({ runId }) => runId))];
    const shown = new Set(runs.slice(-shownRuns));
    if (runs.length > shown.size) {
      listener.say([lineOf(`… ${runs.length - shown.size} earlier runs are not shown`, "dim")]);
    }
    for (const event of events) if (shown.has(event.runId)) take(event);
    if (warning !== undefined) listener.say([lineOf(`Not all is shown: ${warning}`, "warn")]);
  }

  /** Resumes a run that survived its process: its questions are asked here. */
  function goOnWithLeft(): void {
    const { leftRun } = agent;
    if (leftRun === undefined) return;
    const own: Sent = { text: "", at: options.clock.now(), abort: new AbortController() };
    busySince = own.at;
    sent.push(own);
    agent
      .continueRun(leftRun.runId, { signal: own.abort.signal })
      .catch(complain)
      .finally(() => {
        sent = sent.filter((other) => other !== own);
        listener.onChange();
      });
  }

  let agent = await opened(options.sessionId);
  if (options.sessionId !== undefined) await tellPast(options.sessionId);
  goOnWithLeft();

  async function reopen(sessionId: string | undefined): Promise<void> {
    const before = agent;
    await before.destroy();
    project = await projectNow();
    agent = await opened(sessionId);
    listener.onChange();
  }

  function assertIdle(): void {
    if (agent.isBusy)
      throw new UsageError("something is running: wait for it, or cancel it with Esc");
  }

  const desk: Desk = {
    world,
    store,
    listener,
    get settings() {
      return settings;
    },
    get project() {
      return project;
    },
    get calls() {
      return calls.underWay;
    },
    get agent() {
      return agent;
    },
    async restore(sessionId) {
      assertIdle();
      await agent.restoreSession(sessionId);
      await tellPast(sessionId);
      goOnWithLeft();
      listener.onChange();
    },
    async change(changed) {
      assertIdle();
      const before = settings;
      const { sessionId } = agent;
      settings = { ...settings, ...changed };
      try {
        await reopen(sessionId);
      } catch (error) {
        settings = before;
        agent = await opened(sessionId);
        throw error;
      }
    },
    async begin() {
      assertIdle();
      await reopen(undefined);
    },
    now: () => options.clock.now(),
    send: (text) => send(text),
  };

  function complain(error: unknown): void {
    const message = messageOfError(error);
    listener.say(
      cleanText(message)
        .split("\n")
        .map((line) => lineOf(`! ${line}`, "bad")),
    );
  }

  /** Commands of the person behind what runs. */
  function waitingCommands(): readonly Sent[] {
    return sent.slice(1).filter(({ text, abort }) => text.startsWith("!") && !abort.signal.aborted);
  }

  async function send(text: string, isSteering = false): Promise<void> {
    const own: Sent = { text, at: options.clock.now(), abort: new AbortController() };
    const { signal } = own.abort;
    if (sent.length === 0) busySince = own.at;
    sent.push(own);
    listener.onChange();
    try {
      if (text.startsWith("!")) await agent.runCommand(text.slice(1).trim(), { signal });
      else {
        const named = text.includes("@")
          ? await withMentions(text, project.surroundings)
          : { text, images: [] };
        const { text: whole, images } = named;
        if (isSteering) await agent.steer(whole, { signal, images });
        else await agent.sendMessage(whole, { signal, images });
      }
    } finally {
      sent = sent.filter((other) => other !== own);
      // Starts the waiting messages.
      busySince = options.clock.now();
    }
  }

  return {
    get facts() {
      const { model, sessionId, usage } = agent;
      const isBusy = agent.isBusy || sent.length > 0;
      const messages = agent.queue.map(({ text, delivery }) => {
        return { text, isSteering: delivery === "step" };
      });
      const commands = waitingCommands().map(({ text }) => ({ text, isSteering: false }));
      const waiting = [...messages, ...commands];
      const full = withoutUndefined({ context });
      const { permissionMode: mode } = settings;
      const busy = isBusy ? { busySince } : {};
      const session = { model: model.label, mode, sessionId, usage };
      const names = commandNames(desk.project);
      return { ...session, isBusy, ...busy, waiting, ...full, commands: names };
    },
    submit(text) {
      const isCommand = /^\/[a-z][a-z0-9-]*(\s|$)/.test(text);
      const done = isCommand ? runSlashCommand(desk, text) : send(text);
      done.catch(complain).finally(() => listener.onChange());
    },
    steer(text) {
      send(text, true)
        .catch(complain)
        .finally(() => listener.onChange());
    },
    takeBack(which) {
      const ofPerson = waitingCommands();
      const commands = which === "last" ? ofPerson.slice(-1) : ofPerson;
      for (const { abort } of commands) abort.abort("taken back");
      const isFound = which === "last" && commands.length > 0;
      const messages = isFound ? [] : which === "last" ? agent.queue.slice(-1) : agent.queue;
      const taken = messages.filter(({ messageId }) => agent.removeQueued(messageId));
      const texts = [...taken, ...commands].map(({ text }) => text);
      if (texts.length > 0) listener.onChange();
      return texts.length === 0 ? undefined : texts.join("\n");
    },
    cancel() {
      const [first] = sent;
      first?.abort.abort("cancelled by the user");
      return first !== undefined;
    },
    answer(approvalId, reply) {
      agent
        .answerApproval(approvalId, reply)
        .then((receipt) => {
          if (receipt.status === "refused") complain(receipt.reason);
        })
        .catch(complain);
    },
    answerQuestion: questions.answer,
    close: () => agent.destroy("the program was closed"),
  };
}
