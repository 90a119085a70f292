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
  openCallsOf,
  type PendingQuestion,
  partId,
  questionsOf,
  type RunEvent,
  runId as runIdOf,
  type Timed,
  type Usage,
} from "@callboard/run-log";
import { continuedStatus } from "@callboard/run-log/projections";
import type { PriceBook } from "../models/priceBook.js";
import type { ResolvedModel } from "../models/resolveModel.js";
import { createDelegateTool, type NestedResult, type NestedTask } from "../tools/delegate.js";
import { createToolRegistry } from "../tools/toolRegistry.js";
import { takenTraceparent } from "../tracing/traceContext.js";
import type { NamedAgent, RunResult } from "../types/agent.js";
import type { Hook } from "../types/hooks.js";
import type { ToolDefinition } from "../types/tools.js";
import { reasonOf } from "../utils/abortReason.js";
import { ParkedError } from "../utils/parkedError.js";
import type { RunnerSetup } from "./callRunner.js";
import { type CallSignals, createCallSignals } from "./callSignals.js";
import type { ContextManager } from "./contextManager.js";
import type { Conversation } from "./conversation.js";
import { limitActionOf } from "./guard/runBudget.js";
import { type GuardedPast, guardedPast } from "./guardedPast.js";
import { createLimitQuestions } from "./limitQuestions.js";
import type { LimitQuestions } from "./limitVerdict.js";
import type { MessageQueue } from "./messageQueue.js";
import { createParking, type Parking } from "./parking.js";
import { hookRunEnd, hookSession, promptDenial, type RunHooksOptions } from "./runHooks.js";
import { createRunTime, type RunTime } from "./runTime.js";
import { createRunWriter, type RunWriter } from "./runWriter.js";
import { RunDeadline, runTurns, type TurnsOptions, type TurnsResult } from "./turns.js";

/** What an agent has for all its runs. */
export interface RunSetup extends RunnerSetup {
  readonly conversation: Conversation;
  readonly model: ResolvedModel;
  readonly resolveModel: (named: NamedAgent) => ResolvedModel;
  readonly tools: readonly ToolDefinition[];
  readonly agents: Readonly<Record<string, NamedAgent>>;
  /** Whether tasks can be handed to nested agents. */
  readonly canDelegate: boolean;
  readonly systemPrompt: string | undefined;
  readonly stream: boolean;
  /** Milliseconds within which text that grows is one event. */
  readonly pulse: number;
  readonly prices: PriceBook;
  readonly userId: string | undefined;
  /** The span that runs work for which name none. */
  readonly traceparent: string | undefined;
  readonly queue: MessageQueue;
  readonly context: ContextManager;
  /** Set on the first run that an agent begins in a session: whether the session was new. */
  readonly sessionStart: { readonly isNew: boolean } | undefined;
  /** The run that follows this one, where the messages that still wait then are read. */
  readonly nextRunId: () => string | undefined;
  /** How long everything in a run has to wait for answers before it is parked; undefined keeps it here. */
  readonly parkAfterMs: number | undefined;
}

export interface UserInput {
  /** Default a new one. */
  readonly runId?: string;
  /** Default a new one. */
  readonly messageId?: string;
  /** The earlier run of the session that this one takes the place of, with all that came after it. */
  readonly replaces?: string;
  /** The span that the run works for. */
  readonly traceparent?: string;
  readonly text: string;
  readonly images: readonly Image[];
  /** Of this run alone, after those of the agent. */
  readonly hooks?: readonly Hook[];
}

export interface OpenRun {
  readonly runId: string;
  readonly signals: CallSignals;
  readonly parking: Parking;
  /** Whom the run waits for now. */
  readonly questions: () => readonly PendingQuestion[];
  readonly result: Promise<RunResult>;
}

/** Starts a run; `abort` ends it from outside. */
export function startRun(setup: RunSetup, input: UserInput, abort: AbortSignal): OpenRun {
  const { conversation, model, userId, newId } = setup;
  const runId = input.runId ?? newId();
  const traceparent = takenTraceparent(input.traceparent ?? setup.traceparent);
  return openRun(setup, { runId, past: [] }, abort, ({ writer, signal }) => {
    const start = (replaces: string | undefined): void =>
      writer.record({
        type: "startRun",
        runId: runIdOf(runId),
        conversationId: conversationId(conversation.log.sessionId),
        model: model.label,
        ...(userId === undefined ? {} : { userId }),
        ...(replaces === undefined ? {} : { replaces: runIdOf(replaces) }),
        ...(traceparent === undefined ? {} : { traceparent }),
      });
    const say = (): undefined => recordUserMessage(writer, input, newId);
    if (!isHooked(setup.hooks) || input.replaces === undefined) start(input.replaces);
    if (!isHooked(setup.hooks)) return say();
    if (input.replaces === undefined) {
      const denied = deniedByHooks(input, runId, { ...setup, writer, signal });
      return denied.then((reason) => reason ?? say());
    }
    // A message that is denied replaces nothing, so hooks are asked before the log says what the run replaces.
    const notes: Timed[] = [];
    const held = { ...writer, record: (note: Timed) => void notes.push(note) };
    return deniedByHooks(input, runId, { ...setup, writer: held, signal }).then((reason) => {
      start(reason === undefined ? input.replaces : undefined);
      for (const note of notes) writer.record(note);
      return reason ?? say();
    });
  });
}

/** Goes on with a run of which nothing is open but itself and the calls that outlived its process. */
export function continueRun(
  setup: RunSetup,
  runId: string,
  past: readonly RunEvent[],
  abort: AbortSignal,
): OpenRun {
  return openRun(setup, { runId, past }, abort, ({ writer }) => {
    if (openCallsOf(writer.state).length > 0) {
      writer.record({ type: "resumeRun" });
      return undefined;
    }
    writer.record({
      type: "reportStatus",
      status: continuedStatus,
      userMessage: "The run goes on: its process had ended before it did.",
    });
    return undefined;
  });
}

/** Puts the beginning of a run into the log. Gives why it must not go on, where hooks deny its message. */
type Begin = (
  parts: Pick<RunParts, "writer" | "signal">,
) => string | undefined | Promise<string | undefined>;

function isHooked(hooks: RunSetup["hooks"]): boolean {
  return hooks.some(({ sessionStart, promptSubmit }) => sessionStart ?? promptSubmit);
}

async function deniedByHooks(
  { text, images }: UserInput,
  runId: string,
  options: RunSetup & RunHooksOptions,
): Promise<string | undefined> {
  const { workdir, conversation, sessionStart } = options;
  const place = { sessionId: conversation.log.sessionId, runId, workdir };
  if (sessionStart !== undefined) await hookSession({ ...place, ...sessionStart }, options);
  return promptDenial({ ...place, text, images: images.length }, options);
}

interface RunLog {
  readonly runId: string;
  readonly past: readonly RunEvent[];
}

function openRun(
  setup: RunSetup,
  { runId, past }: RunLog,
  abort: AbortSignal,
  begin: Begin,
): OpenRun {
  const { conversation, clock } = setup;
  const writer = createRunWriter({
    runId: runIdOf(runId),
    store: conversation.log,
    clock,
    pulse: setup.pulse,
    tell: conversation.take,
    logger: setup.logger,
    past,
  });
  const deadline = new AbortController();
  const signal = AbortSignal.any([abort, deadline.signal, writer.failed]);
  const signals = createCallSignals(signal);
  const over = new AbortController();
  const before = guardedPast(past);
  const time = createRunTime(clock, before.elapsedMs);
  const endInTime = (): void => {
    const { maxRunMs = 0 } = setup.limits;
    // A limit that was raised and then refused has more to say than what it was at first.
    const ms = Math.max(maxRunMs, Math.floor(time.elapsedMs() / 1_000) * 1_000);
    deadline.abort(new RunDeadline(`the run took longer than ${ms / 1_000} s`));
  };
  if (setup.limits.maxRunMs !== undefined && !asksForTime(setup, before)) {
    void time.reached(setup.limits.maxRunMs, over.signal).then(() => {
      if (!over.signal.aborted) endInTime();
    });
  }
  const parking = createParking({
    clock,
    afterMs: setup.parkAfterMs,
    park: () => writer.propose({ type: "parkRun" }).status === "accepted",
    onQuiet: time.rest,
  });
  const own = { setup, writer, runId, signal, signals, parking };
  const limitQuestions = createLimitQuestions(own, (limit) => {
    if (limit === "time") endInTime();
  });
  const life = runLife({ ...own, before, time, limitQuestions }, begin);
  const result = life.finally(() => {
    over.abort();
    setup.guards.endRun(runId);
  });
  return { runId, signals, parking, questions: () => questionsOf(writer.state), result };
}

/** A limit of time that asks is looked at before each answer and each call, and no timer ends the run. */
function asksForTime({ limits, approvals }: RunSetup, { denied }: GuardedPast): boolean {
  const asks = limitActionOf(limits.onLimit, "time") === "ask";
  return asks && approvals.canAsk && !denied.includes("time");
}

export interface RunParts {
  readonly setup: RunSetup;
  readonly writer: RunWriter;
  readonly runId: string;
  readonly signal: AbortSignal;
  readonly signals: CallSignals;
  readonly parking: Parking;
  readonly limitQuestions: LimitQuestions;
  /** What the run did before this process took it up. */
  readonly before: GuardedPast;
  readonly time?: RunTime;
}

async function runLife(parts: RunParts, begin: Begin): Promise<RunResult> {
  const { setup, writer, runId, signal } = parts;
  const begun = begin(parts);
  const denied = begun instanceof Promise ? await begun : begun;
  setup.queue.open(writer);
  setup.guards.startRun(runId);
  const { before, time } = parts;
  setup.guards.resumeRun(runId, before, time && (() => time.elapsedMs() / 1_000));
  setup.guards.spend(runId, usageOf(writer).costUsd ?? 0);
  const turns = signal.aborted
    ? cancelledTurns(signal)
    : denied === undefined
      ? await guardedTurns(parts)
      : deniedTurns(denied, writer);
  const { outcome, reason, text } = turns;
  if (outcome === "parked") {
    setup.queue.leave();
    await writer.stored();
    const questions = questionsOf(writer.state);
    return { runId, outcome, questions, text, usage: usageOf(writer) };
  }
  const why = reason === undefined ? {} : { reason };
  const next = setup.queue.close(setup.nextRunId());
  writer.record({ type: "closeRun", outcome, ...why, ...next });
  await writer.stored();
  const result = { runId, outcome, text, usage: usageOf(writer), ...why };
  const { workdir, conversation } = setup;
  await hookRunEnd(
    { ...result, workdir, sessionId: conversation.log.sessionId },
    { ...setup, writer, signal },
  );
  return result;
}

/** A hook denied the message: the model is not asked. */
function deniedTurns(reason: string, writer: RunWriter): TurnsResult {
  writer.record({ type: "reportError", errorType: "denied", message: reason });
  return { outcome: "error", reason, text: "", usage: noUsage };
}

interface ParkedTurns {
  readonly outcome: "parked";
  readonly text: string;
  readonly reason: undefined;
}

/** It was stopped before it began. */
function cancelledTurns(signal: AbortSignal): TurnsResult {
  return { outcome: "cancelled", text: "", reason: reasonOf(signal), usage: noUsage };
}

/** A bug of ours must not leave a log open: it is reported, the run closed, and then thrown on. */
async function guardedTurns(parts: RunParts): Promise<TurnsResult | ParkedTurns> {
  const { setup, writer } = parts;
  try {
    return await runTurns(turnsOptions(parts, undefined));
  } catch (error) {
    writer.failed.throwIfAborted();
    if (error instanceof ParkedError) return { outcome: "parked", text: "", reason: undefined };
    const message = error instanceof Error ? error.message : String(error);
    setup.logger.error("A run ended with an internal error.", { runId: parts.runId, error });
    writer.record({ type: "reportError", errorType: "internal", message });
    return { outcome: "error", reason: message, text: "", usage: usageOf(writer) };
  }
}

function usageOf({ state }: RunWriter): Usage {
  return state.status === "unstarted" ? { inputTokens: 0, outputTokens: 0 } : state.usage;
}

function recordUserMessage(
  writer: RunWriter,
  { text, images, messageId: named }: UserInput,
  newId: () => string,
  scope?: CallId,
): undefined {
  const id = messageId(named ?? newId());
  const nested = scope === undefined ? {} : { parentCallId: scope };
  writer.record({ type: "openMessage", messageId: id, role: "user", ...nested });
  writer.record({ type: "appendText", messageId: id, partId: partId(`${id}-1`), text });
  images.forEach((image, index) => {
    const part = partId(`${id}-${index + 2}`);
    writer.record({ type: "attachImage", messageId: id, partId: part, image });
  });
  writer.record({ type: "closeMessage", messageId: id });
}

/** The tools that a nested agent may use, or the agent itself; `delegate` works in this run's log. */
export function toolsOf(parts: RunParts, named?: NamedAgent): readonly ToolDefinition[] {
  const { tools, agents, canDelegate } = parts.setup;
  const run = (task: NestedTask): Promise<NestedResult> => runNested(parts, task);
  const all = canDelegate ? [...tools, createDelegateTool({ agents, run })] : tools;
  return named?.tools ? all.filter(({ name }) => named.tools?.includes(name)) : all;
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
  const scope = nested?.scope;
  const inScope = scope === undefined ? {} : { scope };
  const model = named?.model === undefined ? setup.model : setup.resolveModel(named);
  const turnsBefore = parts.before.turns.get(scope) ?? 0;
  const pending = openCallsOf(writer.state).filter((call) => call.parentCallId === scope);
  return {
    ...setup,
    writer,
    runId,
    guardKey: scope ?? runId,
    sessionId: conversation.log.sessionId,
    registry: createToolRegistry(toolsOf(parts, named)),
    model,
    callIds: conversation.callIds,
    turnsBefore,
    parking: parts.parking,
    limitQuestions: parts.limitQuestions,
    pending: pending.map(({ callId }) => callId),
    prompt: () => conversation.prompt({ systemPrompt, origin: model.origin, ...inScope }),
    signal,
    steering: scope === undefined ? steeringOf(parts) : nobodySteers,
    signalOf: (callId) => AbortSignal.any([signals.signalOf(callId), signal]),
    releaseCall: signals.release,
    ...inScope,
  };
}

/** Nobody sends messages to a nested agent. */
const nobodySteers: TurnsOptions["steering"] = {
  isDue: false,
  deliver: () => undefined,
  whileIdle: (wait) => wait(new Promise(() => undefined)),
};

/** Messages that steer the run are judged as its first one was, before the model is told them. */
function steeringOf({ setup, writer, runId, signal }: RunParts): TurnsOptions["steering"] {
  const { queue, hooks, workdir, conversation } = setup;
  if (!hooks.some(({ promptSubmit }) => promptSubmit)) return queue;
  const judge = async (): Promise<void> => {
    for (const { messageId, text, images = [] } of queue.due) {
      const place = { sessionId: conversation.log.sessionId, runId, workdir };
      const prompt = { ...place, text, images: images.length };
      const denied = await promptDenial(prompt, { ...setup, writer, signal });
      if (denied !== undefined) queue.remove(messageId);
    }
    queue.deliver();
  };
  return {
    get isDue() {
      return queue.isDue;
    },
    deliver: () => (queue.isDue ? judge() : undefined),
    whileIdle: queue.whileIdle,
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
  if (!hasBegun(writer, task.scope)) {
    recordUserMessage(writer, { text: task.task, images: [] }, setup.newId, task.scope);
  }
  const turns = parts.parking.resting(() => runTurns(turnsOptions(parts, { ...task, named })));
  const { outcome, reason, text, usage } = await turns.finally(() =>
    setup.guards.endRun(task.scope),
  );
  return { isOk: outcome === "ok", text, reason, usage, calls: callsWithin(writer, task.scope) };
}

/** Whether another process told the nested agent its task already. */
function hasBegun({ state }: RunWriter, scope: CallId): boolean {
  if (state.status === "unstarted") return false;
  const { open, settled } = state.messages;
  return [open, ...settled].some((messages) =>
    [...messages.values()].some(({ parentCallId }) => parentCallId === scope),
  );
}

/** The calls that an agent made for this call, those of its own nested agents included. */
function callsWithin({ state }: RunWriter, scope: CallId): number {
  if (state.status === "unstarted") return 0;
  const isWithin = (callId: CallId | undefined): boolean =>
    callId !== undefined && (callId === scope || isWithin(callOf(state, callId)?.parentCallId));
  const known = [state.calls.open, ...state.calls.settled].flatMap((calls) => [...calls.values()]);
  return known.filter(({ parentCallId }) => isWithin(parentCallId)).length;
}
