/**
 * The runs of this node: each has an agent of its own while it runs. A run continues with or without readers; it ends by
 * itself, by a stop, or with the server. Its results are in the log alone.
 */
import type { Agent, ApprovalReply } from "@callboard/agent-sdk";
import type { AnswerReceipt } from "@callboard/agent-sdk/approvals";
import type { MessageEdit, WaitingMessage } from "@callboard/agent-sdk/serving";
import type { RunEvent, RunOutcome } from "@callboard/run-log";
import { createSemaphore } from "../semaphore.js";
import type { RunStore, Viewer } from "../stores/runStore.js";
import { createHostedAgent, type HostedAgent, type HostedAgentOptions } from "./hostedAgent.js";
import type { OpenRun } from "./openRun.js";
import type { QueuedAsk } from "./queueCommands.js";
import { HandedOverError, idTaken, leftRefusal, shuttingDown, tooMany } from "./refusals.js";
import { assertRoomFor, type RoomForRuns } from "./roomForRuns.js";
import type { Beginning, LeftQueue, RunRequest, Share } from "./runRequest.js";
import { sendWish } from "./sendWish.js";

export interface RunHost {
  readonly openRuns: number;
  /** Resolves once the start is stored; throws if the run could not start. */
  start(request: RunRequest): Promise<void>;
  /** Resumes a run whose node stopped, once this node owns it, or a parked one. */
  resumeRun(request: Beginning): Promise<void>;
  /** The same for a caller with an answer for the run: it is not parked again before the caller releases it. */
  wake(request: Beginning): Promise<() => void>;
  /** Whether the run is under way here. */
  has(runId: string): boolean;
  /** False if the run, or the call, is not running here. */
  cancel(runId: string, callId: string | undefined, reason: string): boolean;
  /** Stops a run that no longer belongs to this node: its tools end, and nothing more of it is written. */
  lose(runId: string): void;
  answerApproval(
    runId: string,
    approvalId: string,
    reply: ApprovalReply,
  ): Promise<AnswerReceipt | undefined>;
  /** False if the run is not running here, or the message does not match. */
  queueMessage(runId: string, message: WaitingMessage, ask: QueuedAsk): boolean;
  editQueued(runId: string, messageId: string, edit: MessageEdit): boolean;
  removeQueued(runId: string, messageId: string): boolean;
  /** Resolves when no run of a conversation is running here. */
  overIn(conversationId: string): Promise<void>;
  /** Waits this long for runs to end by themselves, then stops them, and hands resumable ones over to other nodes. No new run starts. */
  close(graceMs: number): Promise<void>;
}

export interface RunHostOptions extends HostedAgentOptions, RoomForRuns {
  readonly store: Pick<RunStore, "sessions" | "findRun" | "queuedAsks">;
  readonly maxOpenRuns: number;
  /** Whether the spans of runs are exported: a run outside of any trace then starts one. */
  readonly isTraced?: boolean;
  /** Told once the run that they waited for has let go of its conversation. */
  readonly onQueueLeft: (left: LeftQueue) => void;
  readonly onClosed: (outcome: RunOutcome | "parked" | "lost" | "handed_over") => void;
  /** A run was being parked when it was cancelled, and did not receive the cancellation: it is parked, and must be cancelled. */
  readonly onCancelMissed: (runId: string, reason: string) => void;
  /** Told what is stored of a run, as it is stored. It must not throw. */
  readonly onAppended?: (events: readonly RunEvent[]) => void;
  /** A run could not be stored to its end, and no other node has it: its readers must not wait. */
  readonly onBroken?: (
    run: { readonly runId: string; readonly conversationId: string },
    error: unknown,
  ) => void;
}

/** More would only wait for the database together, and time out together. */
const startedAtOnce = 32;

export function createRunHost(options: RunHostOptions): RunHost {
  const { store, clock, logger, newId, maxOpenRuns, onClosed } = options;
  const runs = new Map<string, OpenRun>();
  /** Not in `runs` yet: their agents are being made. */
  const starting = new Map<string, { readonly share: Share; readonly over: Promise<unknown> }>();
  const line = createSemaphore(startedAtOnce);
  let isClosing = false;

  /** Called when a run ends: names the run that starts with the waiting messages, as soon as this one is over. */
  function nextRunOf(
    runId: string,
    user: Viewer,
    waiting: readonly WaitingMessage[],
  ): string | undefined {
    const run = runs.get(runId);
    const [first] = waiting;
    if (isClosing || !run || !first) return undefined;
    const next = run.asks.get(first.messageId)?.runId ?? newId();
    const { conversationId, asks } = run;
    run.left = { endedRunId: runId, runId: next, conversationId, user, waiting, asks };
    return next;
  }

  /** Deletes the settings of messages that no longer wait, after the end of their run. */
  function forgetAsks({ outcome, asks, left, conversationId }: OpenRun): void {
    const waiting = new Set(left?.waiting.map(({ messageId }) => messageId));
    const gone = [...asks.keys()].filter((messageId) => !waiting.has(messageId));
    if (outcome === undefined || gone.length === 0) return;
    store.queuedAsks.forget(conversationId, gone).catch((error) => {
      const message = "Deleting the settings of messages that no longer wait failed.";
      logger.warn(message, { conversationId, error });
    });
  }

  function follow(
    { runId, conversationId, share, asks, options: { keepRunsOpen = false } }: Beginning,
    { agent, release }: HostedAgent,
    abort: AbortController,
    result: Promise<unknown>,
  ): void {
    const over = result
      .then(
        () => onClosed(run.outcome ?? (run.isParked ? "parked" : "lost")),
        (error) => {
          // The failure of a run that has not started goes to its caller.
          if (!run.hasBegun) return;
          onClosed(run.isHandedOver ? "handed_over" : "lost");
          if (run.isHandedOver) return;
          logger.error("Storing the end of a run failed.", { runId, error });
          options.onBroken?.({ runId, conversationId }, error);
        },
      )
      .then(() => agent.destroy())
      .catch((error) => logger.error("Releasing an agent failed.", { runId, error }))
      .finally(() => {
        release();
        runs.delete(runId);
        forgetAsks(run);
        // Without a stored end here, the end is another node's, and its messages with it.
        if (run.left && run.outcome !== undefined) options.onQueueLeft(run.left);
        if (run.isParked && run.cancelled !== undefined) {
          options.onCancelMissed(runId, run.cancelled);
        }
      });
    const run: OpenRun = {
      share,
      conversationId,
      hasBegun: false,
      outcome: undefined,
      isParked: false,
      cancelled: undefined,
      isHandedOver: false,
      isResumable: keepRunsOpen,
      agent,
      abort,
      over,
      asks: new Map(asks),
      left: undefined,
    };
    runs.set(runId, run);
  }

  /**
   * Waits for an earlier run of the conversation that has ended, and whose agent is still being released. Its end is
   * known here, or only to the database: others may have read its last event before this node learned that it is stored.
   */
  async function endedBefore({ conversationId, user }: Beginning): Promise<void> {
    for (const [runId, run] of runs) {
      if (run.conversationId !== conversationId) continue;
      const isOver =
        run.isParked ||
        run.outcome !== undefined ||
        (await store.findRun(user, runId))?.status === "closed";
      if (isOver) await run.over;
    }
  }

  async function begun(
    request: Beginning,
    send: (agent: Agent, signal: AbortSignal) => Promise<unknown>,
    mayBegin: (agent: Agent) => Error | undefined = () => undefined,
  ): Promise<void> {
    const { runId } = request;
    const leaveLine = await line.enter();
    try {
      if (isClosing) throw shuttingDown();
      await endedBefore(request);
      const stored = withResolver();
      const next = (waiting: readonly WaitingMessage[]) => nextRunOf(runId, request.user, waiting);
      const hosted = await createHostedAgent(options, request, next, {
        beforeAppend() {
          if (runs.get(runId)?.isHandedOver) throw new HandedOverError(runId);
        },
        onAppended(events) {
          const run = runs.get(runId);
          const last = events.at(-1);
          if (run) run.hasBegun = true;
          if (run && last?.type === "run.closed") run.outcome = last.outcome;
          if (run) run.isParked = last?.type === "run.parked";
          stored.resolve();
          options.onAppended?.(events);
        },
      });
      const refusal = isClosing ? shuttingDown() : mayBegin(hosted.agent);
      if (refusal !== undefined) {
        await hosted.agent.destroy().finally(hosted.release);
        throw refusal;
      }
      const abort = new AbortController();
      const result = send(hosted.agent, abort.signal);
      follow(request, hosted, abort, result);
      starting.delete(runId);
      await Promise.race([stored.promise, result]);
    } finally {
      leaveLine();
    }
  }

  const sharesInUse = (): readonly Share[] =>
    [...runs.values(), ...starting.values()].map(({ share }) => share);

  async function begin(...beginning: Parameters<typeof begun>): Promise<void> {
    if (isClosing) throw shuttingDown();
    const [{ runId, share, isUnlimited = false }] = beginning;
    // The entry of a running run is never replaced, even by a request with its id.
    if (runs.has(runId) || starting.has(runId)) throw idTaken(runId);
    if (!isUnlimited && runs.size + starting.size >= maxOpenRuns) throw tooMany(maxOpenRuns);
    const attempt = begun(...beginning);
    starting.set(runId, { share, over: attempt.catch(() => undefined) });
    await attempt.finally(() => starting.delete(runId));
  }

  async function goneOn(request: Beginning, keptUntil: Promise<void>): Promise<void> {
    const { runId, options: agentOptions } = request;
    const before = runs.get(runId);
    if (before?.isParked) await before.over;
    const kept = { ...request, options: { ...agentOptions, keepRunsOpen: true } };
    await begin(kept, (agent, signal) => agent.continueRun(runId, { signal, keptUntil }));
  }

  /** Runs that are starting end too: they are refused, or run. */
  const allOver = async (): Promise<void> => {
    await Promise.all([...starting.values(), ...runs.values()].map(({ over }) => over));
  };

  return {
    get openRuns() {
      return runs.size;
    },
    has: (runId) => runs.get(runId)?.isParked === false,
    async start(request) {
      if (!request.isUnlimited) assertRoomFor(request.share, sharesInUse(), options);
      const send = (agent: Agent, signal: AbortSignal): Promise<unknown> =>
        sendWish(agent, request, { signal, isTraced: options.isTraced ?? false });
      // A new request drops neither a question nor an allowed call.
      return begin(request, send, ({ leftRun }) => leftRefusal(request.conversationId, leftRun));
    },
    async resumeRun(request) {
      await goneOn(request, Promise.resolve());
    },
    async wake(request) {
      const told = withResolver();
      try {
        await goneOn(request, told.promise);
      } catch (error) {
        told.resolve();
        throw error;
      }
      return told.resolve;
    },
    cancel(runId, callId, reason) {
      const run = runs.get(runId);
      if (!run || run.isParked) return false;
      if (callId !== undefined) return run.agent.cancelCall(callId, reason);
      run.cancelled = reason;
      run.abort.abort(reason);
      return true;
    },
    queueMessage(runId, message, ask) {
      const run = runs.get(runId);
      if (!run?.agent.queueMessage(message)) return false;
      run.asks.set(message.messageId, ask);
      return true;
    },
    editQueued: (runId, messageId, edit) =>
      runs.get(runId)?.agent.editQueued(messageId, edit) ?? false,
    removeQueued: (runId, messageId) => runs.get(runId)?.agent.removeQueued(messageId) ?? false,
    lose(runId) {
      const run = runs.get(runId);
      if (!run || run.outcome !== undefined) return;
      run.isHandedOver = true;
      run.abort.abort("this node lost the run");
    },
    answerApproval: async (runId, approvalId, reply) =>
      await runs.get(runId)?.agent.answerApproval(approvalId, reply),
    async overIn(conversationId) {
      const open = [...runs.values()].filter((run) => run.conversationId === conversationId);
      await Promise.all(open.map(({ over }) => over));
    },
    async close(graceMs) {
      isClosing = true;
      const patience = new AbortController();
      await Promise.race([allOver(), clock.sleep(graceMs, patience.signal)]);
      patience.abort();
      for (const run of runs.values()) {
        if (run.agent.park()) continue;
        const isLasting = run.isResumable || run.agent.hasLastingCalls;
        run.isHandedOver = isLasting && run.outcome === undefined;
        run.abort.abort("the server is shutting down");
      }
      await allOver();
    },
  };
}

function withResolver(): { promise: Promise<void>; resolve: () => void } {
  let settle: (() => void) | undefined;
  const promise = new Promise<void>((resolve) => {
    settle = resolve;
  });
  return { promise, resolve: () => settle?.() };
}
