/**
 * The agent: connects model, tools, approvals, guards and a session, and processes one message at a time. Each decision
 * is made in another module; this class only passes requests and events on.
 */

import type { ContextSize, JsonObject, PendingQuestion, RunEvent, Usage } from "@callboard/run-log";
import { type Message, printedOutput } from "@callboard/run-log/projections";
import type { AnswerReceipt, PendingApproval } from "./approvals/approvalManager.js";
import { type ApprovalReply, answerWith } from "./approvals/approvalReply.js";
import { type AgentParts, createAgentParts } from "./loop/agentParts.js";
import { AgentDestroyedError, createAgentTurns } from "./loop/agentTurns.js";
import { continueRun, startRun } from "./loop/beginRun.js";
import { compactRun } from "./loop/compactRun.js";
import { type Conversation, type LeftRun, openConversation } from "./loop/conversation.js";
import { type CurrentRun, createCurrentRun } from "./loop/currentRun.js";
import type { MessageEdit, WaitingMessage } from "./loop/messageQueue.js";
import { createMessageSender, type MessageSender } from "./loop/messageSender.js";
import { obeyRequest } from "./loop/obeyRequest.js";
import type { OpenRun } from "./loop/run.js";
import type { RunSetup, UserInput } from "./loop/runParts.js";
import { SettableCallbacks } from "./loop/settableCallbacks.js";
import { startUserCall, type UserCall } from "./loop/userCall.js";
import {
  createMessageManager,
  type MessageManager,
  type MessageManagerCallbacks,
} from "./managers/messageManager.js";
import type { McpServerStatus } from "./mcp/index.js";
import type {
  AgentOptions,
  CommandResult,
  CompactionResult,
  ContinueOptions,
  RunResult,
  RunToolOptions,
  SendOptions,
  ToolRunResult,
} from "./types/agent.js";
import type { HeldRule } from "./types/approvals.js";
import type { Hook } from "./types/hooks.js";
import type { ModelSettings } from "./types/model.js";
import type { OpenSessionOptions } from "./types/sessions.js";
import type { OfferedTool } from "./types/tools.js";

/**
 * Runs of the log come one after the other: a message sent while one runs waits for its turn. Its
 * callbacks are properties: `agent.onMessagesChange = …` replaces the one it was created with.
 */
export class Agent extends SettableCallbacks {
  readonly #parts: AgentParts;
  readonly #manager: MessageManager;
  readonly #opening: OpenSessionOptions;
  #conversation: Conversation;
  readonly #turns = createAgentTurns();
  readonly #sender: MessageSender;
  readonly #current: CurrentRun;
  #messageRun: Promise<RunResult> | undefined;
  #destroyed: Promise<void> | undefined;
  /** Whether a message was sent in the session that is open now. */
  #hasBegun = false;

  private constructor(
    parts: AgentParts,
    manager: MessageManager,
    opening: OpenSessionOptions,
    conversation: Conversation,
    callbacks: MessageManagerCallbacks,
  ) {
    super(callbacks);
    this.#parts = parts;
    this.#opening = opening;
    this.#manager = manager;
    this.#conversation = conversation;
    this.#current = createCurrentRun(conversation.left);
    const { queue, newId, userId } = parts.setup;
    this.#sender = createMessageSender({
      turns: this.#turns,
      queue,
      newId,
      userId,
      begin: (input, abort) => this.#begin(input, abort),
      current: () => this.#messageRun,
    });
  }

  static async create(options: AgentOptions = {}): Promise<Agent> {
    const parts = await createAgentParts(options);
    let callbacks: MessageManagerCallbacks = options.callbacks ?? {};
    const manager = createMessageManager({
      callbacks: () => callbacks,
      logger: parts.setup.logger,
      compactParams: parts.compactParams,
      isStreaming: parts.setup.stream,
    });
    try {
      const { keepRunsOpen = false, sessionId = parts.setup.newId() } = options;
      const opening = { keepRunsOpen, folder: parts.setup.workdir };
      const log = await parts.store.open(sessionId, opening);
      const conversation = await openConversation(
        log,
        manager,
        parts.setup.clock.now,
        parts.setup.context,
      );
      adoptRules(parts, conversation);
      manager.tellSession(log.sessionId);
      const agent = new Agent(parts, manager, opening, conversation, callbacks);
      agent.#obey();
      callbacks = agent;
      return agent;
    } catch (error) {
      await parts.mcp.close();
      throw error;
    }
  }

  get sessionId(): string {
    return this.#conversation.log.sessionId;
  }

  /** The name of the model, and whether it only rehearses. */
  get model(): { readonly label: string; readonly isRehearsal: boolean } {
    const { label, isRehearsal } = this.#parts.setup.model;
    return { label, isRehearsal };
  }

  /**
   * Sets the model of all answers from the next one on, also in a running run, with these settings instead of the
   * previous ones. Throws a ConfigurationError if there is no such model; then nothing has changed.
   */
  setModel(model: AgentOptions["model"], settings: ModelSettings = {}): void {
    this.#parts.setModel(model, settings);
  }

  /** A snapshot: unchanged messages are the same objects from one to the next. */
  get messages(): readonly Message[] {
    return this.#manager.messages;
  }

  /** Tokens and cost of the whole session. */
  get usage(): Usage {
    return this.#conversation.usage;
  }

  /** How full the context of the agent's model is, as far as it is known. */
  get context(): ContextSize {
    const { context, model, systemPrompt } = this.#parts.setup;
    const prompt = this.#conversation.prompt({ systemPrompt, origin: model.origin });
    return context.sizeOf(prompt, model);
  }

  get isBusy(): boolean {
    return this.#turns.isBusy;
  }

  /** The messages that wait, oldest first. */
  get queue(): readonly WaitingMessage[] {
    return this.#parts.setup.queue.waiting;
  }

  /** The tools that can be called now: the agent's own and those of its servers. */
  get tools(): readonly OfferedTool[] {
    return this.#parts.offered();
  }

  get pendingApprovals(): readonly PendingApproval[] {
    return this.#parts.approvals.pending();
  }

  /**
   * The session's last run if it is open and not running here: it is parked, or its process ended. Resume it with
   * `continueRun`; any new run ends it.
   */
  get leftRun(): LeftRun | undefined {
    return this.#turns.isBusy ? undefined : this.#current.left;
  }

  /** The questions that the run waits for, whether it is running here or was left open. */
  get questions(): readonly PendingQuestion[] {
    return this.#current.questions;
  }

  /** Whether calls of the run outlive this process: questions, calls that were allowed and have not started, and the like. */
  get hasLastingCalls(): boolean {
    return this.#current.hasLastingCalls;
  }

  /** The rules that decide without asking, with where each comes from. */
  get approvalRules(): readonly HeldRule[] {
    return this.#parts.approvals.rules();
  }

  /**
   * Removes a rule that was saved, also on disk, or given in this session. False for a rule of the options, and for one
   * that does not exist. Rules that `saveRule` stored elsewhere are removed here alone.
   */
  removeApprovalRule(rule: HeldRule): Promise<boolean> {
    return this.#parts.removeRule(rule);
  }

  /** The current state of the MCP servers: an unreachable one has a reason. */
  get mcpServers(): readonly McpServerStatus[] {
    return this.#parts.mcp.status();
  }

  /**
   * Starts a run. While one is running, the message waits in its queue and starts the next one. Resolves when its run
   * has ended, with any outcome; if the running run is parked first, with that run, since the message then waits in its
   * log. Rejects only if it could not be stored.
   */
  sendMessage(text: string, options: SendOptions = {}): Promise<RunResult> {
    return this.#sender.send(text, options, "run");
  }

  /**
   * Sends the running model a message before its next answer; starts a run if none is running. Resolves with the run
   * that read it. A message that comes too late starts the next run.
   */
  steer(text: string, options: SendOptions = {}): Promise<RunResult> {
    return this.#sender.send(text, options, "step");
  }

  /** Changes a waiting message. False if it no longer waits. */
  editQueued(messageId: string, edit: MessageEdit): boolean {
    return this.#parts.setup.queue.edit(messageId, edit);
  }

  /** Removes a message from the queue. False if it no longer waits. */
  removeQueued(messageId: string): boolean {
    return this.#sender.remove(messageId);
  }

  /**
   * Adds a message to the queue for the process that starts the next run; see `nextRunOf`. False if no run is running,
   * or the message is already in the queue.
   */
  queueMessage(message: WaitingMessage): boolean {
    return this.#current.isOpen && this.#parts.setup.queue.add(message);
  }

  /**
   * Resumes the session's last run, which its process left open or which was parked: calls that waited for an answer
   * wait for it here. Rejects with a RunNotContinuableError if there is no such run.
   */
  continueRun(runId: string, options: ContinueOptions = {}): Promise<RunResult> {
    const work = async (abort: AbortController): Promise<RunResult> => {
      const past = await this.#conversation.unfinished(runId);
      const run = continueRun(this.#setup(options), runId, past, abort.signal);
      void options.keptUntil?.finally(run.parking.hold());
      const result = this.#reading(run);
      if (!this.#parts.leavesQueue) this.#sender.adopt(this.#tellUnsent);
      return result;
    };
    return this.#turns.add(work, { ...options, runId: () => runId });
  }

  /** Runs a shell command as the person, outside the model's doing and whatever the rules say. */
  async runCommand(
    command: string,
    options: { readonly signal?: AbortSignal } = {},
  ): Promise<CommandResult> {
    const call = { toolName: "shell", input: { command }, obeysRules: false };
    const { runId, output, message = "", exitCode = null } = await this.#run(call, options.signal);
    return { runId, output: printedOutput(output ?? message, exitCode), exitCode };
  }

  /**
   * Runs one tool as the person, without approval; deny rules still apply. Rejects with an UnknownToolError if the agent
   * has no tool of that name.
   */
  runTool(name: string, input: JsonObject, options: RunToolOptions = {}): Promise<ToolRunResult> {
    const { signal, ...named } = options;
    return this.#run({ toolName: name, input, obeysRules: true, ...named }, signal);
  }

  /**
   * Summarises what the model receives of the conversation, except its last turns, as a run of its own. Waits for
   * running work. The log and the messages keep the whole text.
   */
  compact(options: RunToolOptions = {}): Promise<CompactionResult> {
    const { signal, runId = this.#parts.setup.newId(), ...trace } = options;
    const work = async (abort: AbortController): Promise<CompactionResult> => {
      await this.#endLeftRun();
      return compactRun(this.#setup(), { runId, ...trace }, abort.signal);
    };
    return this.#turns.add(work, { signal, runId: () => runId });
  }

  /** Ends what runs now. Messages that wait are not touched. */
  abortMessage(reason = "cancelled by the user"): void {
    this.#turns.abort(reason);
  }

  /** Parks the run at once if everything in it waits for an answer. Returns whether it is parked. */
  park(): boolean {
    return this.#current.park();
  }

  /** Ends one call; the model gets the result and continues. False if no such call is running. */
  cancelCall(callId: string, reason = "cancelled by the user"): boolean {
    return this.#current.cancelCall(callId, reason);
  }

  /** Answers a question. A refused answer leaves it open: the receipt contains the reason. */
  answerApproval(approvalId: string, reply: ApprovalReply): Promise<AnswerReceipt> {
    return answerWith(this.#parts.approvals, approvalId, reply);
  }

  /** The session's stored events after a position (a count from its start), then new ones as they come. */
  events({ after = 0 }: { readonly after?: number } = {}): AsyncIterable<RunEvent> {
    return this.#conversation.events(after);
  }

  /** Leaves this session and continues with another one. Waits for running work. */
  restoreSession(sessionId: string): Promise<void> {
    return this.#turns.add(async () => {
      const log = await this.#parts.store.open(sessionId, this.#opening);
      const { clock, context } = this.#parts.setup;
      const last = this.#conversation;
      this.#conversation = await openConversation(log, this.#manager, clock.now, context);
      this.#current.adopt(this.#conversation.left);
      this.#hasBegun = false;
      adoptRules(this.#parts, this.#conversation);
      await last.close();
      this.#obey();
      this.#manager.tellSession(sessionId);
    });
  }

  /** Ends what runs, for the reason that its log then has, and releases the session and the servers. Safe to repeat. */
  destroy(reason = "the agent was destroyed"): Promise<void> {
    this.#destroyed ??= this.#end(reason);
    return this.#destroyed;
  }

  async #end(reason: string): Promise<void> {
    // A question survives its process: it waits in the log for the process that opens the session next.
    this.park();
    const over = this.#turns.close(reason);
    this.#parts.approvals.cancelAll(reason);
    await over;
    await this.#parts.mcp.close();
    await this.#conversation.close();
  }

  /** Other programs on the same home may answer the questions of this session, and cancel its work. */
  #obey(): void {
    this.#conversation.log.onRequest?.((request) =>
      obeyRequest(request, {
        tools: this.#parts.tools(),
        answerApproval: (id, reply) => this.answerApproval(id, reply),
        cancelCall: (id, reason) => this.cancelCall(id, reason),
        runId: this.#current.runId,
        abort: (reason) => this.abortMessage(reason),
      }),
    );
  }

  async #begin(input: UserInput, abort: AbortController): Promise<RunResult> {
    await this.#conversation.endUnfinished();
    const { hooks } = input;
    const sessionStart = await this.#startOfSession(hooks);
    return this.#reading(startRun(this.#setup({ hooks, sessionStart }), input, abort.signal));
  }

  /** For hooks, the first message of a session starts it. */
  async #startOfSession(hooks: readonly Hook[] = []): Promise<RunSetup["sessionStart"]> {
    const isFirst = !this.#hasBegun;
    this.#hasBegun = true;
    const all = [...this.#parts.setup.hooks, ...hooks];
    if (!isFirst || all.every(({ sessionStart }) => sessionStart === undefined)) return undefined;
    return { isNew: (await this.#conversation.log.runIds()).length === 0 };
  }

  /** A run whose model reads messages. */
  #reading(run: OpenRun): Promise<RunResult> {
    this.#messageRun = run.result;
    return this.#current.follow(run);
  }

  readonly #tellUnsent = (error: unknown): void => {
    this.#parts.setup.logger.error("Sending a queued message failed.", { error });
  };

  /** A new run ends the question that was left open; work that waited when the agent was destroyed does not start. */
  async #endLeftRun(): Promise<void> {
    if (this.#turns.isClosed && this.#current.left !== undefined) throw new AgentDestroyedError();
    await this.#conversation.endUnfinished();
  }

  #run(call: UserCall, signal: AbortSignal | undefined): Promise<ToolRunResult> {
    const work = async (abort: AbortController): Promise<ToolRunResult> => {
      await this.#endLeftRun();
      const named = runId === undefined ? call : { ...call, runId };
      return this.#current.follow(startUserCall(this.#setup(), named, abort.signal));
    };
    const runId = this.#turns.isBusy ? (call.runId ?? this.#parts.setup.newId()) : call.runId;
    return this.#turns.add(work, { signal, runId: () => runId });
  }

  #setup({ hooks = [], sessionStart }: OfOneRun = {}): RunSetup {
    const { setup, tools, nextRunOf } = this.#parts;
    return {
      ...setup,
      hooks: [...setup.hooks, ...hooks],
      sessionStart,
      conversation: this.#conversation,
      tools: tools(),
      nextRunId: () => {
        if (setup.queue.waiting.length === 0) return undefined;
        return this.#turns.nextRunId ?? nextRunOf(setup.queue.waiting);
      },
    };
  }
}

interface OfOneRun {
  readonly hooks?: readonly Hook[] | undefined;
  readonly sessionStart?: RunSetup["sessionStart"];
}

/** What the same user allowed for this session in the same folder is not asked again. */
function adoptRules({ approvals, setup }: AgentParts, { sessionRules }: Conversation): void {
  approvals.beginSession(sessionRules.of(setup.userId, setup.workdir));
}
