/**
 * One run from its start to its closing: the user's message, the turns, and whatever ends them. However
 * it ends, the log is closed; only a store that does not take it can prevent that, and then it says so.
 */
import {
  type CallId,
  callOf,
  conversationId,
  type Image,
  messageId,
  noUsage,
  partId,
  runId as runIdOf,
  type Usage,
} from "@callboard/run-log";
import type { CallRunnerOptions } from "./callRunner.js";
import type { Conversation } from "./conversation.js";
import { createDelegateTool, type NestedResult, type NestedTask } from "./delegate.js";
import { type CallSignals, createCallSignals } from "./managers/callSignals.js";
import { createRunWriter, type RunWriter } from "./runWriter.js";
import type { ResolvedModel } from "./services/models/resolveModel.js";
import { RunDeadline, runTurns, type TurnsOptions, type TurnsResult } from "./turns.js";
import type { NamedAgent, RunResult } from "./types/agent.js";
import type { ToolDefinition } from "./types/tools.js";
import { createToolRegistry } from "./utils/toolRegistry.js";

type Shared = Omit<CallRunnerOptions, "writer" | "registry" | "runId" | "sessionId" | "guardKey">;

/** What an agent has for all its runs. */
export interface RunSetup extends Shared {
  readonly conversation: Conversation;
  readonly model: ResolvedModel;
  readonly resolveModel: (named: NamedAgent) => ResolvedModel;
  readonly tools: readonly ToolDefinition[];
  readonly agents: Readonly<Record<string, NamedAgent>>;
  /** Whether tasks can be handed to nested agents. */
  readonly canDelegate: boolean;
  readonly systemPrompt: string | undefined;
  readonly stream: boolean;
}

export interface UserInput {
  readonly text: string;
  readonly images: readonly Image[];
}

export interface OpenRun {
  readonly runId: string;
  readonly signals: CallSignals;
  readonly result: Promise<RunResult>;
}

/** Starts the run; `abort` ends it from outside. */
export function startRun(setup: RunSetup, input: UserInput, abort: AbortSignal): OpenRun {
  const { conversation, newId, clock } = setup;
  const runId = newId();
  const writer = createRunWriter({
    runId: runIdOf(runId),
    store: conversation.log,
    now: clock.now,
    tell: conversation.take,
  });
  const deadline = new AbortController();
  const signal = AbortSignal.any([abort, deadline.signal, writer.failed]);
  const signals = createCallSignals(signal);
  const over = new AbortController();
  const { maxRunMs } = setup.limits;
  if (maxRunMs !== undefined) {
    void clock.sleep(maxRunMs, over.signal).then(() => {
      const reason = `the run took longer than ${maxRunMs / 1000} s`;
      if (!over.signal.aborted) deadline.abort(new RunDeadline(reason));
    });
  }
  const life = runLife({ setup, writer, runId, signal, signals }, input);
  const result = life.finally(() => over.abort());
  return { runId, signals, result };
}

interface RunParts {
  readonly setup: RunSetup;
  readonly writer: RunWriter;
  readonly runId: string;
  readonly signal: AbortSignal;
  readonly signals: CallSignals;
}

async function runLife(parts: RunParts, input: UserInput): Promise<RunResult> {
  const { setup, writer, runId, signal } = parts;
  const { conversation, model } = setup;
  writer.record({
    type: "startRun",
    runId: runIdOf(runId),
    conversationId: conversationId(conversation.log.sessionId),
    model: model.label,
  });
  recordUserMessage(writer, input, setup.newId);
  setup.guards.startRun(runId);
  const turns = signal.aborted
    ? { outcome: "cancelled" as const, text: "", reason: "cancelled", usage: undefined }
    : await guardedTurns(parts);
  const { outcome, reason, text } = turns;
  writer.record({ type: "closeRun", outcome, ...(reason === undefined ? {} : { reason }) });
  setup.guards.endRun(runId);
  await writer.stored();
  const usage = usageOf(writer);
  return { runId, outcome, text, usage, ...(reason === undefined ? {} : { reason }) };
}

/** A bug of ours must not leave a log open: it is reported, the run closed, and then thrown on. */
async function guardedTurns(parts: RunParts): Promise<TurnsResult> {
  const { setup, writer } = parts;
  try {
    return await runTurns(turnsOptions(parts, undefined));
  } catch (error) {
    writer.failed.throwIfAborted();
    const message = error instanceof Error ? error.message : String(error);
    setup.logger.error("the run broke", { runId: parts.runId, error });
    writer.record({ type: "reportError", errorType: "internal", message });
    return { outcome: "error", reason: message, text: "", usage: usageOf(writer) };
  }
}

function usageOf({ state }: RunWriter): Usage {
  return state.status === "unstarted" ? { inputTokens: 0, outputTokens: 0 } : state.usage;
}

function recordUserMessage(
  writer: RunWriter,
  { text, images }: UserInput,
  newId: () => string,
  scope?: CallId,
): void {
  const id = messageId(newId());
  const nested = scope === undefined ? {} : { parentCallId: scope };
  writer.record({ type: "openMessage", messageId: id, role: "user", ...nested });
  writer.record({ type: "appendText", messageId: id, partId: partId(`${id}-1`), text });
  images.forEach((image, index) => {
    const part = partId(`${id}-${index + 2}`);
    writer.record({ type: "attachImage", messageId: id, partId: part, image });
  });
  writer.record({ type: "closeMessage", messageId: id });
}

function turnsOptions(
  parts: RunParts,
  nested: (NestedTask & { readonly named: NamedAgent | undefined }) | undefined,
): TurnsOptions {
  const { setup, writer, runId, signals } = parts;
  const { conversation } = setup;
  const named = nested?.named;
  const systemPrompt = named?.systemPrompt ?? setup.systemPrompt;
  const signal = nested?.signal ?? parts.signal;
  const offered = named?.tools
    ? setup.tools.filter((tool) => named.tools?.includes(tool.name))
    : setup.tools;
  const delegate = createDelegateTool({
    agents: Object.fromEntries(
      Object.entries(setup.agents).map(([name, agent]) => [name, agent.description]),
    ),
    run: (task) => runNested(parts, task),
  });
  const scope = nested?.scope;
  const mayDelegate = setup.canDelegate && (named?.tools?.includes(delegate.name) ?? true);
  return {
    ...setup,
    writer,
    runId,
    guardKey: scope ?? runId,
    sessionId: conversation.log.sessionId,
    registry: createToolRegistry(mayDelegate ? [...offered, delegate] : offered),
    model: named?.model === undefined ? setup.model : setup.resolveModel(named),
    callIds: conversation.callIds,
    prompt: () =>
      scope === undefined
        ? conversation.prompt(systemPrompt)
        : conversation.nestedPrompt(scope, systemPrompt),
    signal,
    signalOf: (callId) => AbortSignal.any([signals.signalOf(callId), signal]),
    releaseCall: signals.release,
    ...(scope === undefined ? {} : { scope }),
  };
}

async function runNested(parts: RunParts, task: NestedTask): Promise<NestedResult> {
  const { setup, writer, runId } = parts;
  const parent = callOf(writer.state, task.scope)?.parentCallId ?? runId;
  const named = task.agent === undefined ? undefined : setup.agents[task.agent];
  const guarded = setup.guards.startRun(task.scope, parent);
  if (guarded.status === "stop") {
    return { isOk: false, text: "", reason: guarded.reason, usage: noUsage, calls: 0 };
  }
  recordUserMessage(writer, { text: task.task, images: [] }, setup.newId, task.scope);
  const before = callCount(writer);
  const { outcome, reason, text, usage } = await runTurns(turnsOptions(parts, { ...task, named }));
  setup.guards.endRun(task.scope);
  return { isOk: outcome === "ok", text, reason, usage, calls: callCount(writer) - before };
}

function callCount({ state }: RunWriter): number {
  return state.status === "unstarted" ? 0 : state.calls.size;
}
