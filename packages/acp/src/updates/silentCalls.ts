/**
 * Running calls without updates, in front of an engine. The title of such a call shows the client how long it has been
 * silent; with its next sign the title is restored. A call that is silent for too long is reported once. It ends nothing
 * itself.
 */
import type { Clock } from "@callboard/agent-sdk";
import { isJsonObject } from "@callboard/run-log";
import { parentCallIn, terminalsIn } from "@callboard/run-log/acp";
import { isFinal, type SessionUpdate } from "./sessionUpdate.js";
import type { UpdateEngine } from "./updateEngine.js";

export interface SilentCall {
  readonly sessionId: string;
  readonly toolCallId: string;
  readonly silentMs: number;
}

export interface SilenceOptions {
  readonly clock: Clock;
  /** Whether the session waits for an answer of the client: then it is not silent. */
  readonly isAsking: (sessionId: string) => boolean;
  /** Whether the terminals of calls are the client's, which sees what they print. Default false. */
  readonly clientTerminals?: boolean;
  /** How long a call may be silent. Default for ever. */
  readonly timeoutMs?: number | undefined;
  /** Told once of a call that was silent for that long. */
  readonly onTimeout?: (silent: SilentCall) => void;
}

/** After these milliseconds of silence the client receives it; the last value repeats. */
const steps = [30_000, 60_000, 120_000, 300_000, 600_000] as const;

interface Watched {
  title: string | undefined;
  isRunning: boolean;
  /** A terminal of the client shows by itself whether it is silent. */
  isShown: boolean;
  readonly terminals: Set<string>;
  readonly parent: string | undefined;
  lastSign: number;
  lastSignAt: number;
  /** How often the client received it since the last sign. */
  told: number;
  isTimedOut: boolean;
  /** Whether another component reports its silence. */
  isTold: boolean;
}

type Calls = Map<string, Watched>;

export function withSilentCalls(engine: UpdateEngine, options: SilenceOptions): UpdateEngine {
  const { clock, isAsking, clientTerminals = false, onTimeout } = options;
  const { timeoutMs = Number.POSITIVE_INFINITY } = options;
  const sessions = new Map<string, Calls>();
  let timer: AbortController | undefined;
  let timerAt = Number.POSITIVE_INFINITY;

  function callsOf(sessionId: string): Calls {
    const calls = sessions.get(sessionId) ?? new Map<string, Watched>();
    sessions.set(sessionId, calls);
    return calls;
  }

  function watchedCall(calls: Calls, toolCallId: string, update: SessionUpdate): Watched {
    const call = calls.get(toolCallId) ?? {
      ...{ title: undefined, isRunning: false, isShown: false, told: 0, isTimedOut: false },
      isTold: false,
      ...{ terminals: new Set<string>(), parent: parentCallIn(update) },
      ...{ lastSign: clock.monotonic(), lastSignAt: clock.now() },
    };
    calls.set(toolCallId, call);
    return call;
  }

  function signed(call: Watched): void {
    call.lastSign = clock.monotonic();
    call.lastSignAt = clock.now();
    call.told = 0;
  }

  /** A sign of a call by something else than its own update. */
  function signedFor(sessionId: string, toolCallId: string, call: Watched): void {
    if (call.told > 0) engine.offer(sessionId, { ...moreOf(toolCallId), title: call.title ?? "" });
    signed(call);
  }

  function printed(sessionId: string, terminalId: string): void {
    for (const [id, call] of sessions.get(sessionId) ?? []) {
      if (call.terminals.has(terminalId)) signedFor(sessionId, id, call);
    }
  }

  function heard(sessionId: string, update: SessionUpdate): SessionUpdate {
    const { toolCallId, terminalId } = update;
    if (typeof terminalId === "string") printed(sessionId, terminalId);
    if (typeof toolCallId !== "string") return update;
    const calls = callsOf(sessionId);
    const call = watchedCall(calls, toolCallId, update);
    // The worker of the call already reports its silence, in the same form.
    if (tellsSilence(update)) {
      call.isTold = true;
      return update;
    }
    const { title, status } = update;
    if (typeof title === "string") call.title = title;
    for (const terminal of terminalsIn(update)) call.terminals.add(terminal);
    if (status !== undefined) call.isRunning = status === "in_progress";
    call.isShown = clientTerminals && call.terminals.size > 0;
    const isMarked = call.told > 0;
    signed(call);
    tellParents(sessionId, calls, call);
    if (isFinal(status)) calls.delete(toolCallId);
    else lookAt(dueOf(call));
    return isMarked && title === undefined ? { ...update, title: call.title ?? "" } : update;
  }

  /** Nested work for a call counts as its sign. */
  function tellParents(sessionId: string, calls: Calls, { parent }: Watched): void {
    const seen = new Set<string>();
    for (let id = parent; id !== undefined && !seen.has(id); ) {
      seen.add(id);
      const call = calls.get(id);
      if (call) signedFor(sessionId, id, call);
      id = call?.parent;
    }
  }

  function dueOf(call: Watched): number {
    const isWatched = call.isRunning && !call.isShown && !call.isTimedOut;
    if (!isWatched) return Number.POSITIVE_INFINITY;
    const step = call.isTold ? Number.POSITIVE_INFINITY : reportStepOf(call.told);
    return call.lastSign + Math.min(step, timeoutMs);
  }

  function look(): void {
    const now = clock.monotonic();
    let next = Number.POSITIVE_INFINITY;
    for (const [sessionId, calls] of sessions) {
      for (const [toolCallId, call] of calls) {
        if (dueOf(call) <= now) due(sessionId, toolCallId, call);
        next = Math.min(next, dueOf(call));
      }
    }
    lookAt(next);
  }

  function due(sessionId: string, toolCallId: string, call: Watched): void {
    const silentMs = clock.monotonic() - call.lastSign;
    if (isAsking(sessionId)) signedFor(sessionId, toolCallId, call);
    else if (silentMs < timeoutMs) tell(sessionId, toolCallId, call);
    else {
      call.isTimedOut = true;
      onTimeout?.({ sessionId, toolCallId, silentMs: timeoutMs });
    }
  }

  function tell(sessionId: string, toolCallId: string, call: Watched): void {
    const silentMs = reportStepOf(call.told);
    call.told += 1;
    if (call.title === undefined) return;
    const lastSignAt = new Date(call.lastSignAt).toISOString();
    engine.offer(sessionId, {
      ...moreOf(toolCallId),
      title: `${call.title} (silent for ${spanText(silentMs)})`,
      _meta: { callboard: { lastSignAt } },
    });
  }

  /** Signs only move on what is due: a timer that was too early looks again. */
  function lookAt(next: number): void {
    if (timerAt <= next) return;
    timer?.abort();
    const mine = new AbortController();
    timer = mine;
    timerAt = next;
    void clock.sleep(next - clock.monotonic(), mine.signal).then(() => {
      if (mine.signal.aborted) return;
      timerAt = Number.POSITIVE_INFINITY;
      look();
    });
  }

  return {
    ...engine,
    offer: (sessionId, update) => engine.offer(sessionId, heard(sessionId, update)),
    fieldOf(sessionId, toolCallId, field) {
      const call = field === "title" ? sessions.get(sessionId)?.get(toolCallId) : undefined;
      return call?.title ?? engine.fieldOf(sessionId, toolCallId, field);
    },
    shown(sessionId, toolCallId, fields) {
      // A call that the client has from this message alone: later reports of its silence need its title.
      const isNew = !engine.openCalls(sessionId).includes(toolCallId);
      const call = isNew
        ? watchedCall(callsOf(sessionId), toolCallId, moreOf(toolCallId))
        : undefined;
      if (call && typeof fields.title === "string") call.title = fields.title;
      engine.shown(sessionId, toolCallId, fields);
    },
    withdraw(sessionId, toolCallId) {
      sessions.get(sessionId)?.delete(toolCallId);
      engine.withdraw(sessionId, toolCallId);
    },
    closeOpen(sessionId, status, reason) {
      for (const [id, call] of sessions.get(sessionId) ?? []) signedFor(sessionId, id, call);
      sessions.delete(sessionId);
      return engine.closeOpen(sessionId, status, reason);
    },
    forget(sessionId) {
      sessions.delete(sessionId);
      engine.forget(sessionId);
    },
    close() {
      timer?.abort();
      sessions.clear();
      engine.close();
    },
  };
}

/** The silence after which the client receives it next. */
function reportStepOf(told: number): number {
  const last = steps[steps.length - 1] ?? 0;
  return steps[told] ?? last * (told - steps.length + 2);
}

export function spanText(ms: number): string {
  return ms < 60_000 ? `${Math.round(ms / 1_000)} s` : `${Math.round(ms / 60_000)} min`;
}

function tellsSilence({ _meta: meta }: SessionUpdate): boolean {
  const own = isJsonObject(meta) ? meta.callboard : undefined;
  return isJsonObject(own) && own.lastSignAt !== undefined;
}

function moreOf(toolCallId: string) {
  return { sessionUpdate: "tool_call_update", toolCallId };
}
