/**
 * Sends the smallest true updates over one connection: takes whatever is offered, merges what waits,
 * writes one line at a time and counts nothing as sent that was not. Sessions share the pipe in turn
 * and nothing else. Time and the pipe are arguments.
 */
import type { Clock } from "@callboard/agent-sdk";
import { systemClock } from "@callboard/agent-sdk/host";
import { isJsonList, type JsonObject, type JsonValue } from "@callboard/run-log";
import type { AcpVersion } from "@callboard/run-log/projections";
import { createContentLimits } from "./contentSizes.js";
import { lineCallOf } from "./lineCall.js";
import { createUpdateMetrics, type UpdateMetrics } from "./metrics.js";
import { ownUpdate } from "./ownCopy.js";
import { defaultPace, type Pace } from "./pace.js";
import { type ClientProfile, profiles, withContext } from "./profiles.js";
import type { Sending } from "./sending.js";
import { createSessionQueue, type SessionQueue, type Taken } from "./sessionQueue.js";
import {
  type FinalStatus,
  type SessionUpdate,
  type ToolCallField,
  textItem,
} from "./sessionUpdate.js";
import { UpdateWriteError } from "./updateWriteError.js";

export interface UpdateEngineOptions {
  /** Writes one `session/update`; resolves when the pipe has taken it. */
  readonly write: (sessionId: string, update: SessionUpdate) => Promise<void>;
  /** Default the system's. */
  readonly clock?: Clock;
  readonly version?: AcpVersion;
  readonly profile?: ClientProfile;
  /** Whether a final update repeats title, content and locations, whatever the profile repeats. */
  readonly includeContext?: boolean;
  readonly pace?: Partial<Pace>;
  /** How much of a growing text's end is shown if it can only be replaced. Default 2,048. */
  readonly window?: number;
  /** How many characters of text each field of an update carries. Default 65,536. */
  readonly maxText?: number;
  /** Default new metrics. */
  readonly metrics?: UpdateMetrics;
  /**
   * Whether the engine counts the lines that it writes. Default true; false if the pipe counts every line, also answers
   * and requests, with `metrics.sent`.
   */
  readonly countsLines?: boolean;
}

export interface UpdateEngine {
  /** Takes an update; it is merged with what waits and sent when it is due. */
  offer(sessionId: string, update: SessionUpdate): Taken;
  /** Sends the pending updates now. */
  hasten(sessionId: string): void;
  /**
   * Resolves when everything that was offered is written, of one session or of all. Rejects with an
   * UpdateWriteError.
   */
  settle(sessionId?: string): Promise<void>;
  /**
   * The pending fields of a call, for a request that names the call and so includes them: then report whether it was
   * sent. Undefined for a call that the client does not have yet.
   */
  carry(sessionId: string, toolCallId: string): Sending | undefined;
  /** Undefined while the pipe keeps up; otherwise wait for it before offering more. */
  ready(sessionId: string): Promise<void> | undefined;
  /** Holds a session's updates back, so that each call of a replay becomes one. Give them free again. */
  hold(sessionId: string, isHeld: boolean): void;
  /** A call's field as it is now. */
  fieldOf(sessionId: string, toolCallId: string, field: ToolCallField): JsonValue | undefined;
  /**
   * Another message, such as a question, sent the client these fields of a call: a client may apply them, so a later
   * update with other values is sent. A call that the client did not have is open from then on.
   */
  shown(sessionId: string, toolCallId: string, fields: JsonObject): void;
  /** The client ended the call itself: nothing about it is sent any more. */
  withdraw(sessionId: string, toolCallId: string): void;
  openCalls(sessionId: string): readonly string[];
  /** The sessions that something was offered for. */
  sessions(): readonly string[];
  /** Ends every open call of a session, for the end of a turn; gives their ids. */
  closeOpen(sessionId: string, status: FinalStatus, reason?: string): readonly string[];
  /** Drops a session and its pending updates. */
  forget(sessionId: string): void;
  /** Stops for good. */
  close(): void;
  readonly metrics: UpdateMetrics;
}

interface Waiter {
  readonly isDone: () => boolean;
  readonly resolve: () => void;
  readonly reject: (error: UpdateWriteError) => void;
}

export function createUpdateEngine(options: UpdateEngineOptions): UpdateEngine {
  const { clock = systemClock, version = 1, includeContext = false, countsLines = true } = options;
  const named = options.profile ?? profiles.merging;
  const profile = includeContext ? withContext(named) : named;
  const pace: Pace = { ...defaultPace, ...options.pace };
  const metrics = options.metrics ?? createUpdateMetrics(() => performance.now());
  const limits = createContentLimits(options.window ?? 2_048, options.maxText ?? 65_536);
  const sessions = new Map<string, SessionQueue>();
  const waiters = new Set<Waiter>();
  const over = new AbortController();
  let timer: AbortController | undefined;
  let isPumping = false;
  let failures = 0;
  let last = "";

  function queueOf(sessionId: string): SessionQueue {
    const queue = sessions.get(sessionId) ?? createSessionQueue({ version, profile, limits }, pace);
    sessions.set(sessionId, queue);
    return queue;
  }

  /** The sessions in turn, starting after the one that was served last. */
  function inTurn(): readonly [string, SessionQueue][] {
    const all = [...sessions];
    const start = all.findIndex(([id]) => id === last) + 1;
    return [...all.slice(start), ...all.slice(0, start)];
  }

  function nextDue(): { readonly sessionId: string; readonly sending: Sending } | undefined {
    const now = clock.monotonic();
    for (const [sessionId, queue] of inTurn()) {
      const sending = metrics.detect(() => queue.next(now));
      if (sending) {
        last = sessionId;
        return { sessionId, sending };
      }
    }
    return undefined;
  }

  async function pump(): Promise<void> {
    if (isPumping) return;
    isPumping = true;
    try {
      for (let due = nextDue(); due && !over.signal.aborted; due = nextDue()) {
        if (!(await sent(due.sessionId, due.sending))) break;
        wake();
      }
    } finally {
      isPumping = false;
    }
    wake();
    schedule();
  }

  async function sent(sessionId: string, sending: Sending): Promise<boolean> {
    try {
      await options.write(sessionId, sending.update);
    } catch (error) {
      sending.fail();
      metrics.count("failedWrites");
      failures += 1;
      if (failures >= pace.attempts) giveUp(new UpdateWriteError(error));
      return false;
    }
    sending.succeed();
    if (countsLines) countLine(sessionId, sending.update);
    metrics.spare(sending.spared);
    failures = 0;
    return true;
  }

  function countLine(sessionId: string, update: Sending["update"]): void {
    const line = { jsonrpc: "2.0", method: "session/update", params: { sessionId, update } };
    const bytes = Buffer.byteLength(JSON.stringify(line)) + 1;
    metrics.sent(update.sessionUpdate, bytes, lineCallOf(line));
  }

  function giveUp(error: UpdateWriteError): void {
    failures = 0;
    timer?.abort();
    timer = undefined;
    for (const waiter of [...waiters]) {
      waiters.delete(waiter);
      waiter.reject(error);
    }
  }

  function wake(): void {
    for (const waiter of [...waiters]) {
      if (!over.signal.aborted && !waiter.isDone()) continue;
      waiters.delete(waiter);
      waiter.resolve();
    }
  }

  function schedule(): void {
    timer?.abort();
    timer = undefined;
    const dueAt = Math.min(
      ...[...sessions.values()].map(({ dueAt: at }) => at ?? Number.POSITIVE_INFINITY),
    );
    if (over.signal.aborted || dueAt === Number.POSITIVE_INFINITY) return;
    const wait =
      failures > 0 ? pace.retryMs * 2 ** failures : Math.max(0, dueAt - clock.monotonic());
    const mine = new AbortController();
    timer = mine;
    void clock.sleep(wait, mine.signal).then(() => (mine.signal.aborted ? undefined : pump()));
  }

  function waitFor(isDone: () => boolean): Promise<void> {
    return new Promise((resolve, reject) => {
      waiters.add({ isDone, resolve, reject });
    });
  }

  function settled(sessionId: string): Promise<void> {
    const queue = sessions.get(sessionId);
    if (!queue || over.signal.aborted) return Promise.resolve();
    queue.hasten();
    const done = waitFor(() => isForgotten(sessionId, queue) || (queue.isEmpty && !isPumping));
    if (failures === 0) void pump();
    return done;
  }

  /** Nobody waits for what will not be sent. */
  function isForgotten(sessionId: string, queue: SessionQueue): boolean {
    return sessions.get(sessionId) !== queue;
  }

  const openCalls = (sessionId: string): readonly string[] =>
    sessions.get(sessionId)?.openCalls() ?? [];

  const fieldOf = (
    sessionId: string,
    toolCallId: string,
    field: ToolCallField,
  ): JsonValue | undefined => sessions.get(sessionId)?.callOf(toolCallId)?.fieldOf(field);

  function offer(sessionId: string, update: SessionUpdate): Taken {
    metrics.count("offered");
    if (over.signal.aborted) return "suppressed";
    const queue = queueOf(sessionId);
    const taken = metrics.detect(() => queue.take(ownUpdate(update), clock.monotonic()));
    if (taken !== "queued") metrics.count(taken);
    if (taken === "suppressed" || isPumping) return taken;
    if ((queue.dueAt ?? 0) <= clock.monotonic() && failures === 0) void pump();
    else schedule();
    return taken;
  }

  return {
    metrics,
    offer,
    hasten(sessionId) {
      sessions.get(sessionId)?.hasten();
      if (failures === 0) void pump();
    },
    async settle(sessionId) {
      const asked = sessionId === undefined ? [...sessions.keys()] : [sessionId];
      await Promise.all(asked.map(settled));
    },
    carry(sessionId, toolCallId) {
      const queue = sessions.get(sessionId);
      return metrics.detect(() => queue?.carry(toolCallId));
    },
    ready(sessionId) {
      const queue = sessions.get(sessionId);
      const isReady = () =>
        !queue ||
        over.signal.aborted ||
        isForgotten(sessionId, queue) ||
        queue.backlogChars(clock.monotonic()) < pace.readyChars;
      return isReady() ? undefined : waitFor(isReady);
    },
    hold(sessionId, isHeld) {
      queueOf(sessionId).isHeld = isHeld;
    },
    fieldOf,
    shown: (sessionId, toolCallId, fields) => queueOf(sessionId).shown(toolCallId, fields),
    withdraw: (sessionId, toolCallId) => sessions.get(sessionId)?.withdraw(toolCallId),
    openCalls,
    sessions: () => [...sessions.keys()],
    closeOpen(sessionId, status, reason) {
      const left = openCalls(sessionId);
      for (const toolCallId of left) {
        const shown = fieldOf(sessionId, toolCallId, "content");
        const items = isJsonList(shown) ? shown : [];
        const content = reason === undefined ? {} : { content: [...items, textItem(reason)] };
        offer(sessionId, { sessionUpdate: "tool_call_update", toolCallId, status, ...content });
      }
      return left;
    },
    forget(sessionId) {
      sessions.delete(sessionId);
      wake();
    },
    close() {
      over.abort();
      timer?.abort();
      wake();
    },
  };
}
