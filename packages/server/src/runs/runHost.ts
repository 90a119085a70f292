/**
 * The runs of this node: each is an agent of its own for as long as it runs. A run goes on whether or
 * not anybody reads it; it ends by itself, by a stop, or with the server. What it does is in the log alone.
 */
import type { Agent, ApprovalReply, MessageEdit, WaitingMessage } from "@callboard/agent-sdk";
import type { AnswerReceipt } from "@callboard/agent-sdk/approvals";
import type { RunEvent, RunOutcome } from "@callboard/run-log";
import { createSemaphore } from "../semaphore.js";
import type { RunStore, Viewer } from "../stores/runStore.js";
import { createHostedAgent, type HostedAgent, type HostedAgentOptions } from "./hostedAgent.js";
import type { OpenRun } from "./openRun.js";
import type { QueuedAsk } from "./queueCommands.js";
import { HandedOverError, idTaken, shuttingDown, tooMany, waitsForAnswer } from "./refusals.js";
import { assertRoomFor, type RoomForRuns } from "./roomForRuns.js";
import type { Beginning, LeftQueue, RunRequest, Share } from "./runRequest.js";
import { sendWish } from "./sendWish.js";

export interface RunHost {
  readonly openRuns: number;
  /** Resolves once the beginning is stored; throws where the run could not begin. */
  start(request: RunRequest): Promise<void>;
  /** Goes on with a run whose node died, once it is this node's, or with one that is parked. */
  resumeRun(request: Beginning): Promise<void>;
  /** The same for somebody who has to tell the run something: it is not parked again before they let go. */
  wake(request: Beginning): Promise<() => void>;
  /** Whether the run is under way here. */
  has(runId: string): boolean;
  /** False where the run, or the call, is not under way here. */
  cancel(runId: string, callId: string | undefined, reason: string): boolean;
  /** Stops a run that is no longer this node's: its tools end, and nothing more of it is written. */
  lose(runId: string): void;
  answerApproval(
    runId: string,
    approvalId: string,
    reply: ApprovalReply,
  ): Promise<AnswerReceipt | undefined>;
  /** False where the run is not under way here, or the message is not what was meant. */
  queueMessage(runId: string, message: WaitingMessage, ask: QueuedAsk): boolean;
  editQueued(runId: string, messageId: string, edit: MessageEdit): boolean;
  removeQueued(runId: string, messageId: string): boolean;
  /** Resolves when nothing of a conversation runs here any more. */
  overIn(conversationId: string): Promise<void>;
  /**
   * Waits so long for runs to end by themselves, then stops them, and leaves those that can go on to the
   * other nodes. Starts none any more.
   */
  close(graceMs: number): Promise<void>;
}

export interface RunHostOptions extends HostedAgentOptions, RoomForRuns {
  readonly store: Pick<RunStore, "sessions" | "findRun">;
  readonly maxOpenRuns: number;
  /** Whether the spans of runs are exported: a run that nobody's trace asks for begins one. */
  readonly isTraced?: boolean;
  /** Told once the run that they waited for has let go of its conversation. */
  readonly onQueueLeft: (left: LeftQueue) => void;
  readonly onClosed: (outcome: RunOutcome | "parked" | "lost" | "handed_over") => void;
  /** A run was being parked when it was cancelled, and did not hear it: it is parked, and to be cancelled. */
  readonly onCancelMissed: (runId: string, reason: string) => void;
  /** Told what is stored of a run, as it is stored. It must not throw. */
  readonly onAppended?: (events: readonly RunEvent[]) => void;
  /** A run could not be stored to its end, and no other node has it: whoever reads it waits for nothing. */
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

  /** Asked when a run ends: names the run that is begun with what waits, as soon as this one is over. */
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
          // One that has not begun is told to whoever asked for it.
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
        if (run.left) options.onQueueLeft(run.left);
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
   * Waits for an earlier run of the conversation that has ended, and whose agent is still let go of. That it
   * ended is known here, or only to the database: others may have read its last event before this node
   * was told that it is stored.
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
    // The entry of a run under way is never replaced, whoever names its id.
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

  /** Those that are being begun end too: they are refused, or run. */
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
      // A question is not dropped because something else is asked for.
      return begin(request, send, ({ leftRun }) =>
        leftRun && leftRun.questions.length > 0
          ? waitsForAnswer(request.conversationId, leftRun)
          : undefined,
      );
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
        const isLasting = run.isResumable || run.agent.questions.length > 0;
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
