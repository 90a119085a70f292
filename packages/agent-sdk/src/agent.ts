/**
 * The agent: connects model, tools, approvals, guards and a session, and processes one message at a time. Each decision
 * is made in another module; this class only passes requests and events on.
 */

import type { ContextSize, JsonObject, PendingQuestion, RunEvent, Usage } from "@callboard/run-log";
import { type Message, printedOutput } from "@callboard/run-log/projections";
import type { AnswerReceipt, PendingApproval } from "./approvals/approvalManager.js";
import { type ApprovalReply, answerWith } from "./approvals/approvalReply.js";
import { type AgentParts, createAgentParts } from "./loop/agentParts.js";
import { type AgentTurns, createAgentTurns } from "./loop/agentTurns.js";
import type { LeftRun } from "./loop/conversation.js";
import type { MessageEdit, WaitingMessage } from "./loop/messageQueue.js";
import { obeyRequest } from "./loop/obeyRequest.js";
import { openSessionRuns, type SessionRuns } from "./loop/sessionRuns.js";
import { SettableCallbacks } from "./loop/settableCallbacks.js";
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
import type { ModelSettings } from "./types/model.js";
import type { OfferedTool } from "./types/tools.js";

/**
 * Runs of the log come one after the other: a message sent while one runs waits for its turn. Its
 * callbacks are properties: `agent.onMessagesChange = …` replaces the one it was created with.
 */
export class Agent extends SettableCallbacks {
  readonly #parts: AgentParts;
  readonly #manager: MessageManager;
  readonly #turns: AgentTurns;
  readonly #runs: SessionRuns;
  #destroyed: Promise<void> | undefined;

  private constructor(
    { parts, manager, turns, runs }: AgentModules,
    callbacks: MessageManagerCallbacks,
  ) {
    super(callbacks);
    this.#parts = parts;
    this.#manager = manager;
    this.#turns = turns;
    this.#runs = runs;
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
      const turns = createAgentTurns();
      const runs = await openSessionRuns({ parts, manager, turns, opening }, sessionId);
      manager.tellSession(runs.conversation.log.sessionId);
      const agent = new Agent({ parts, manager, turns, runs }, callbacks);
      agent.#obey();
      callbacks = agent;
      return agent;
    } catch (error) {
      await parts.mcp.close();
      throw error;
    }
  }

  get sessionId(): string {
    return this.#runs.conversation.log.sessionId;
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
    return this.#runs.conversation.usage;
  }

  /** How full the context of the agent's model is, as far as it is known. */
  get context(): ContextSize {
    const { context, model, systemPrompt } = this.#parts.setup;
    const prompt = this.#runs.conversation.prompt({ systemPrompt, origin: model.origin });
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
    return this.#turns.isBusy ? undefined : this.#runs.current.left;
  }

  /** The questions that the run waits for, whether it is running here or was left open. */
  get questions(): readonly PendingQuestion[] {
    return this.#runs.current.questions;
  }

  /** Whether calls of the run outlive this process: questions, calls that were allowed and have not started, and the like. */
  get hasLastingCalls(): boolean {
    return this.#runs.current.hasLastingCalls;
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
    return this.#runs.sender.send(text, options, "run");
  }

  /**
   * Sends the running model a message before its next answer; starts a run if none is running. Resolves with the run
   * that read it. A message that comes too late starts the next run.
   */
  steer(text: string, options: SendOptions = {}): Promise<RunResult> {
    return this.#runs.sender.send(text, options, "step");
  }

  /** Changes a waiting message. False if it no longer waits. */
  editQueued(messageId: string, edit: MessageEdit): boolean {
    return this.#parts.setup.queue.edit(messageId, edit);
  }

  /** Removes a message from the queue. False if it no longer waits. */
  removeQueued(messageId: string): boolean {
    return this.#runs.sender.remove(messageId);
  }

  /**
   * Adds a message to the queue for the process that starts the next run; see `nextRunOf`. False if no run is running,
   * or the message is already in the queue.
   */
  queueMessage(message: WaitingMessage): boolean {
    return this.#runs.current.isOpen && this.#parts.setup.queue.add(message);
  }

  /**
   * Resumes the session's last run, which its process left open or which was parked: calls that waited for an answer
   * wait for it here. Rejects with a RunNotContinuableError if there is no such run.
   */
  continueRun(runId: string, options: ContinueOptions = {}): Promise<RunResult> {
    return this.#runs.continueRun(runId, options);
  }

  /** Runs a shell command as the person, outside the model's doing and whatever the rules say. */
  async runCommand(
    command: string,
    options: { readonly signal?: AbortSignal } = {},
  ): Promise<CommandResult> {
    const call = { toolName: "shell", input: { command }, obeysRules: false };
    const ended = await this.#runs.runTool(call, options.signal);
    const { runId, output, message = "", exitCode = null } = ended;
    return { runId, output: printedOutput(output ?? message, exitCode), exitCode };
  }

  /**
   * Runs one tool as the person, without approval; deny rules still apply. Rejects with an UnknownToolError if the agent
   * has no tool of that name.
   */
  runTool(name: string, input: JsonObject, options: RunToolOptions = {}): Promise<ToolRunResult> {
    const { signal, ...named } = options;
    return this.#runs.runTool({ toolName: name, input, obeysRules: true, ...named }, signal);
  }

  /**
   * Summarises what the model receives of the conversation, except its last turns, as a run of its own. Waits for
   * running work. The log and the messages keep the whole text.
   */
  compact(options: RunToolOptions = {}): Promise<CompactionResult> {
    return this.#runs.compact(options);
  }

  /** Ends what runs now. Messages that wait are not touched. */
  abortMessage(reason = "cancelled by the user"): void {
    this.#turns.abort(reason);
  }

  /** Parks the run at once if everything in it waits for an answer. Returns whether it is parked. */
  park(): boolean {
    return this.#runs.current.park();
  }

  /** Ends one call; the model gets the result and continues. False if no such call is running. */
  cancelCall(callId: string, reason = "cancelled by the user"): boolean {
    return this.#runs.current.cancelCall(callId, reason);
  }

  /** Answers a question. A refused answer leaves it open: the receipt contains the reason. */
  answerApproval(approvalId: string, reply: ApprovalReply): Promise<AnswerReceipt> {
    return answerWith(this.#parts.approvals, approvalId, reply);
  }

  /** The session's stored events after a position (a count from its start), then new ones as they come. */
  events({ after = 0 }: { readonly after?: number } = {}): AsyncIterable<RunEvent> {
    return this.#runs.conversation.events(after);
  }

  /** Leaves this session and continues with another one. Waits for running work. */
  async restoreSession(sessionId: string): Promise<void> {
    await this.#runs.changeSession(sessionId);
    this.#obey();
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
    await this.#runs.conversation.close();
  }

  /** Other programs on the same home may answer the questions of this session, and cancel its work. */
  #obey(): void {
    const { conversation, current } = this.#runs;
    conversation.log.onRequest?.((request) =>
      obeyRequest(request, {
        tools: this.#parts.tools(),
        answerApproval: (id, reply) => this.answerApproval(id, reply),
        cancelCall: (id, reason) => this.cancelCall(id, reason),
        runId: current.runId,
        abort: (reason) => this.abortMessage(reason),
      }),
    );
  }
}

interface AgentModules {
  readonly parts: AgentParts;
  readonly manager: MessageManager;
  readonly turns: AgentTurns;
  readonly runs: SessionRuns;
}
