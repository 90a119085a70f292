/**
 * The runs of this node: each is an agent of its own for as long as it runs. A run goes on whether or
 * not anybody reads it; it ends by itself, by a stop, or with the server. What it does is in the log alone.
 */
import {
  Agent,
  type AgentOptions,
  type AnswerReceipt,
  type ApprovalReply,
  type Clock,
  type Logger,
  SessionLockedError,
} from "@callboard/agent-sdk";
import type { Image, JsonObject, RunOutcome } from "@callboard/run-log";
import { HttpProblem } from "../http/problem.js";
import { observedSessions, type SessionObserver } from "../stores/observedSessions.js";
import type { RunStore, Viewer } from "../stores/runStore.js";
import { createLine } from "../waitingLine.js";
import type { SharedMcpServers } from "./mcpServers.js";

/** What a person wants: an answer of the agent, or one of its tools run now. */
export type Wish =
  | { readonly type: "message"; readonly text: string; readonly images: readonly Image[] }
  | { readonly type: "call"; readonly toolName: string; readonly input: JsonObject };

export interface RunRequest {
  readonly runId: string;
  readonly conversationId: string;
  readonly user: Viewer;
  readonly options: AgentOptions;
  readonly wish: Wish;
  /** The id of the user's message: it says what was asked, for whoever asks again. */
  readonly messageId: string;
}

export type Beginning = Pick<RunRequest, "runId" | "conversationId" | "user" | "options">;

export interface RunHost {
  readonly openRuns: number;
  /** Resolves once the beginning is stored; throws where the run could not begin. */
  start(request: RunRequest): Promise<void>;
  /** Goes on with a run whose node died, once it is this node's. */
  goOn(request: Beginning): Promise<void>;
  has(runId: string): boolean;
  /** False where the run, or the call, is not under way here. */
  cancel(runId: string, callId: string | undefined, reason: string): boolean;
  answerApproval(
    runId: string,
    approvalId: string,
    reply: ApprovalReply,
  ): AnswerReceipt | undefined;
  /**
   * Waits so long for runs to end by themselves, then stops them, and leaves those that can go on to the
   * other nodes. Starts none any more.
   */
  close(graceMs: number): Promise<void>;
}

export interface RunHostOptions {
  readonly store: RunStore;
  readonly mcp: SharedMcpServers;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly newId: () => string;
  readonly maxOpenRuns: number;
  readonly onClosed: (outcome: RunOutcome | "lost" | "handed_over") => void;
}

interface OpenRun {
  readonly conversationId: string;
  /** Something of it is stored: whoever asked for it has been told that it began. */
  hasBegun: boolean;
  /** Its closing is stored, and perhaps told: what is left is to let go of its agent. */
  outcome: RunOutcome | undefined;
  /** Another node is to go on with it: nothing more of it is written from here. */
  isHandedOver: boolean;
  readonly isResumable: boolean;
  readonly agent: Agent;
  readonly abort: AbortController;
  readonly over: Promise<void>;
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
  const runs = new Map<string, OpenRun>();
  /** Not in `runs` yet: their agents are being made. */
  const starting = new Set<Beginning>();
  const line = createLine(startedAtOnce);
  let isClosing = false;

  async function created(
    { conversationId, user, options: { mcpServers, ...agentOptions } }: Beginning,
    ids: () => string,
    observer: SessionObserver,
  ): Promise<Hosted> {
    const held = mcpServers && (await mcp.hold(mcpServers));
    const tools = held ? { tools: [...(agentOptions.tools ?? []), ...held.tools] } : {};
    try {
      const agent = await Agent.create({
        ...agentOptions,
        ...tools,
        store: observedSessions(store.sessions(user), observer),
        sessionId: conversationId,
        userId: user.userId,
        clock,
        logger,
        env,
        newId: ids,
      });
      return { agent, release: () => held?.release() };
    } catch (error) {
      held?.release();
      if (error instanceof SessionLockedError) throw busy(conversationId);
      throw error;
    }
  }

  function follow(
    { runId, conversationId, options: { keepRunsOpen = false } }: Beginning,
    { agent, release }: Hosted,
    abort: AbortController,
    result: Promise<unknown>,
  ): void {
    const over = result
      .then(
        () => onClosed(run.outcome ?? "lost"),
        (error) => {
          // One that has not begun is told to whoever asked for it.
          if (!run.hasBegun) return;
          onClosed(run.isHandedOver ? "handed_over" : "lost");
          if (run.isHandedOver) return;
          logger.error("a run could not be stored to its end", { runId, error });
        },
      )
      .then(() => agent.destroy())
      .catch((error) => logger.error("an agent could not be released", { runId, error }))
      .finally(() => {
        release();
        runs.delete(runId);
      });
    const run: OpenRun = {
      conversationId,
      hasBegun: false,
      outcome: undefined,
      isHandedOver: false,
      isResumable: keepRunsOpen,
      agent,
      abort,
      over,
    };
    runs.set(runId, run);
  }

  async function begin(
    request: Beginning,
    ids: () => string,
    send: (agent: Agent, signal: AbortSignal) => Promise<unknown>,
  ): Promise<void> {
    if (isClosing) throw shuttingDown();
    if (runs.size + starting.size >= maxOpenRuns) throw tooMany(maxOpenRuns);
    const { runId, conversationId } = request;
    starting.add(request);
    const leaveLine = await line.enter();
    try {
      const before = [...runs.values()].find((run) => run.conversationId === conversationId);
      if (before?.outcome !== undefined) await before.over;
      const stored = withResolver();
      const hosted = await created(request, ids, {
        beforeAppend() {
          if (runs.get(runId)?.isHandedOver) throw new HandedOverError(runId);
        },
        onAppended(events) {
          const run = runs.get(runId);
          const last = events.at(-1);
          if (run) run.hasBegun = true;
          if (run && last?.type === "run.closed") run.outcome = last.outcome;
          stored.resolve();
        },
      });
      const abort = new AbortController();
      const result = send(hosted.agent, abort.signal);
      follow(request, hosted, abort, result);
      starting.delete(request);
      await Promise.race([stored.promise, result]);
    } finally {
      starting.delete(request);
      leaveLine();
    }
  }

  return {
    get openRuns() {
      return runs.size;
    },
    has: (runId) => runs.has(runId),
    start(request) {
      const { runId, wish } = request;
      const ids = idsBeginningWith(request.messageId, newId);
      return begin(request, ids, (agent, signal) => {
        if (wish.type === "call")
          return agent.runTool(wish.toolName, wish.input, { runId, signal });
        return agent.sendMessage(wish.text, { runId, images: wish.images, signal });
      });
    },
    goOn(request) {
      const kept = { ...request, options: { ...request.options, keepRunsOpen: true } };
      return begin(kept, newId, (agent, signal) => agent.continueRun(request.runId, { signal }));
    },
    cancel(runId, callId, reason) {
      const run = runs.get(runId);
      if (!run) return false;
      if (callId !== undefined) return run.agent.cancelCall(callId, reason);
      run.abort.abort(reason);
      return true;
    },
    answerApproval: (runId, approvalId, reply) =>
      runs.get(runId)?.agent.answerApproval(approvalId, reply),
    async close(graceMs) {
      isClosing = true;
      const patience = new AbortController();
      const ended = Promise.all([...runs.values()].map(({ over }) => over));
      await Promise.race([ended, clock.sleep(graceMs, patience.signal)]);
      patience.abort();
      for (const run of runs.values()) {
        run.isHandedOver = run.isResumable && run.outcome === undefined;
        run.abort.abort("the server is shutting down");
      }
      await Promise.all([...runs.values()].map(({ over }) => over));
    },
  };
}

class HandedOverError extends Error {
  override readonly name = "HandedOverError";

  constructor(runId: string) {
    super(`run ${runId} is left to another node: this one is shutting down`);
  }
}

/** Ids as ever, but for the first one. */
function idsBeginningWith(first: string, newId: () => string): () => string {
  let isFirst = true;
  return () => {
    if (!isFirst) return newId();
    isFirst = false;
    return first;
  };
}

function busy(conversationId: string): HttpProblem {
  const detail = `Conversation ${conversationId} has a run that is not over: wait for its end, or cancel it.`;
  return new HttpProblem(409, "conversation-busy", detail);
}

function shuttingDown(): HttpProblem {
  const detail = "This server is shutting down: try again on another one, or in a moment.";
  return new HttpProblem(503, "shutting-down", detail, { headers: { "retry-after": "2" } });
}

function tooMany(maxOpenRuns: number): HttpProblem {
  const detail = `This server runs ${maxOpenRuns} runs at once and no more: try again in a moment.`;
  return new HttpProblem(503, "too-many-runs", detail, { headers: { "retry-after": "5" } });
}

function withResolver(): { promise: Promise<void>; resolve: () => void } {
  let settle: (() => void) | undefined;
  const promise = new Promise<void>((resolve) => {
    settle = resolve;
  });
  return { promise, resolve: () => settle?.() };
}
