/**
 * The runs of this node: each is an agent of its own for as long as it runs. A run goes on whether or
 * not anybody reads it; it ends by itself, by a stop, or with the server. What it does is in the log alone.
 */
import {
  Agent,
  type AgentOptions,
  type ApprovalReply,
  type Clock,
  type Logger,
  type MessageEdit,
  SessionLockedError,
  type WaitingMessage,
} from "@callboard/agent-sdk";
import type { AnswerReceipt } from "@callboard/agent-sdk/approvals";
import { ownTraceparent } from "@callboard/agent-sdk/tracing";
import type { Image, JsonObject, RunEvent, RunOutcome } from "@callboard/run-log";
import { askToolName } from "@callboard/run-log/asking";
import { observedSessions, type SessionObserver } from "../stores/observedSessions.js";
import type { RunStore, Viewer } from "../stores/runStore.js";
import { createLine } from "../waitingLine.js";
import type { SharedMcpServers } from "./mcpServers.js";
import type { QueuedAsk } from "./queueCommands.js";
import {
  busy,
  HandedOverError,
  idTaken,
  nothingToCompact,
  shuttingDown,
  ToolNameTakenError,
  tooMany,
  tooManyOfOne,
  waitsForAnswer,
} from "./refusals.js";

/** What a person wants: an answer of the agent, one of its tools run now, or a summary for the model. */
export type Wish =
  | { readonly type: "message"; readonly text: string; readonly images: readonly Image[] }
  | { readonly type: "call"; readonly toolName: string; readonly input: JsonObject }
  | { readonly type: "compact" };

export interface RunRequest {
  readonly runId: string;
  readonly conversationId: string;
  readonly user: Viewer;
  readonly options: AgentOptions;
  readonly wish: Wish;
  /** As whom the run is counted, and how many tools of the client it brings. */
  readonly share: Share;
  /** The id of the user's message: it says what was asked, for whoever asks again. */
  readonly messageId: string;
  /** The earlier run of the conversation that this one takes the place of. */
  readonly replaces?: string | undefined;
  /** The span that asked for it. */
  readonly traceparent?: string | undefined;
  readonly asks?: QueuedAsks;
  /** No limit of runs counts it: it asks no model and ends at once. */
  readonly isUnlimited?: boolean;
}

export interface Share {
  readonly owner: string;
  readonly clientTools: number;
}

export type Beginning = Pick<
  RunRequest,
  "runId" | "conversationId" | "user" | "options" | "share"
> & {
  /** How the messages of `options.queue` were asked for. */
  readonly asks?: QueuedAsks;
  readonly isUnlimited?: boolean;
};

/** By the id of the message. */
export type QueuedAsks = ReadonlyMap<string, QueuedAsk>;

/** Messages that waited when their run ended; the run `runId` is to begin with the first. */
export interface LeftQueue {
  /** The run in which they waited. */
  readonly endedRunId: string;
  readonly runId: string;
  readonly conversationId: string;
  readonly user: Viewer;
  readonly waiting: readonly WaitingMessage[];
  readonly asks: QueuedAsks;
}

export interface RunHost {
  readonly openRuns: number;
  /** Resolves once the beginning is stored; throws where the run could not begin. */
  start(request: RunRequest): Promise<void>;
  /** Goes on with a run whose node died, once it is this node's, or with one that is parked. */
  goOn(request: Beginning): Promise<void>;
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

export interface RunHostOptions {
  readonly store: Pick<RunStore, "sessions" | "findRun">;
  readonly mcp: SharedMcpServers;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly newId: () => string;
  readonly maxOpenRuns: number;
  /** Undefined limits nothing. */
  readonly maxRunsPerUser: number | undefined;
  readonly maxClientToolsPerUser: number | undefined;
  /** Whether somebody outside is told when its runs wait for a person or have ended. Default false. */
  readonly isTold?: boolean;
  /** Whether the spans of runs are exported: a run that nobody's trace asks for begins one. */
  readonly isTraced?: boolean;
  /** How long a run only waits for answers before it is parked. */
  readonly parkAfterMs: number;
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

interface OpenRun {
  readonly share: Share;
  readonly conversationId: string;
  /** Something of it is stored: whoever asked for it has been told that it began. */
  hasBegun: boolean;
  /** Its closing is stored, and perhaps told: what is left is to let go of its agent. */
  outcome: RunOutcome | undefined;
  /** It waits for somebody, and no node has it any more. */
  isParked: boolean;
  /** Why it was cancelled, once it was. */
  cancelled: string | undefined;
  /** Another node is to go on with it, or does already: nothing more of it is written from here. */
  isHandedOver: boolean;
  readonly isResumable: boolean;
  readonly agent: Agent;
  readonly abort: AbortController;
  readonly over: Promise<void>;
  readonly asks: Map<string, QueuedAsk>;
  left: LeftQueue | undefined;
}

/** An agent, and what it holds of what the node shares. */
interface Hosted {
  readonly agent: Agent;
  readonly release: () => void;
}

/** More would only wait for the database together, and time out together. */
const startedAtOnce = 32;

export function createRunHost(options: RunHostOptions): RunHost {
  const { store, mcp, clock, logger, env, newId, maxOpenRuns, onClosed } = options;
  const { maxRunsPerUser, maxClientToolsPerUser } = options;
  const runs = new Map<string, OpenRun>();
  /** Not in `runs` yet: their agents are being made. */
  const starting = new Map<string, { readonly share: Share; readonly over: Promise<unknown> }>();
  const line = createLine(startedAtOnce);
  let isClosing = false;

  async function created(
    { runId, conversationId, user, options: { mcpServers, ...agentOptions } }: Beginning,
    observer: SessionObserver,
  ): Promise<Hosted> {
    const own = agentOptions.tools ?? [];
    const canAsk = own.some(({ name, remote }) => name === askToolName && remote !== undefined);
    const held = mcpServers && (await mcp.hold(mcpServers, { userId: user.userId, canAsk }));
    const tools = held ? { tools: [...own, ...held.tools] } : {};
    try {
      const taken = held?.tools.find(({ name }) => own.some((tool) => tool.name === name));
      if (taken) throw new ToolNameTakenError(taken.name);
      const agent = await Agent.create({
        ...agentOptions,
        ...tools,
        store: observedSessions(
          store.sessions(user, { isTold: options.isTold ?? false }),
          observer,
        ),
        sessionId: conversationId,
        userId: user.userId,
        clock,
        logger,
        env,
        newId,
        nextRunOf: (waiting) => nextRunOf(runId, user, waiting),
        parkAfterMs: options.parkAfterMs,
      });
      return { agent, release: () => held?.release() };
    } catch (error) {
      held?.release();
      if (error instanceof SessionLockedError) throw busy(conversationId, error.holder);
      throw error;
    }
  }

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
    { agent, release }: Hosted,
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
          logger.error("A run could not be stored to its end.", { runId, error });
          options.onBroken?.({ runId, conversationId }, error);
        },
      )
      .then(() => agent.destroy())
      .catch((error) => logger.error("an agent could not be released", { runId, error }))
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
      const hosted = await created(request, {
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

  /** Of the runs of one user, or of the guests of one address. */
  function assertRoomFor({ owner, clientTools }: Share): void {
    const shares = [...runs.values(), ...starting.values()]
      .map(({ share }) => share)
      .filter((share) => share.owner === owner);
    const tools = shares.reduce((sum, share) => sum + share.clientTools, clientTools);
    if (shares.length >= (maxRunsPerUser ?? Number.POSITIVE_INFINITY)) {
      throw tooManyOfOne("runs", maxRunsPerUser);
    }
    if (clientTools > 0 && tools > (maxClientToolsPerUser ?? Number.POSITIVE_INFINITY)) {
      throw tooManyOfOne("client tools in open runs", maxClientToolsPerUser);
    }
  }

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
      if (!request.isUnlimited) assertRoomFor(request.share);
      const { runId, conversationId, messageId, wish, replaces } = request;
      const instead = replaces === undefined ? {} : { replaces };
      const own = options.isTraced ? ownTraceparent(runId) : undefined;
      const traceparent = request.traceparent ?? own;
      const trace = traceparent === undefined ? {} : { traceparent };
      const send = (agent: Agent, signal: AbortSignal): Promise<unknown> => {
        const named = { runId, messageId, signal };
        switch (wish.type) {
          case "call":
            return agent.runTool(wish.toolName, wish.input, named);
          case "compact":
            return compacted(agent, { runId, signal });
          case "message":
            return agent.sendMessage(wish.text, {
              ...named,
              ...instead,
              ...trace,
              images: wish.images,
            });
          default:
            return wish satisfies never;
        }
      };
      // A question is not dropped because something else is asked for.
      return begin(request, send, ({ leftRun }) =>
        leftRun && leftRun.questions.length > 0
          ? waitsForAnswer(conversationId, leftRun)
          : undefined,
      );
    },
    async goOn(request) {
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

/** Without anything to summarise there is no run, and whoever asked is told so. */
async function compacted(
  agent: Agent,
  named: { readonly runId: string; readonly signal: AbortSignal },
): Promise<void> {
  const { status } = await agent.compact(named);
  if (status === "nothing") throw nothingToCompact();
}
