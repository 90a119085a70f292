/**
 * The time of a call that runs: its deadline, how long its tool may be silent, and its heartbeats. The time in which it
 * waits for a person does not count.
 */
import type { ProgressReport } from "@callboard/run-log";
import type { Clock } from "../types/clock.js";
import type { ToolContext, ToolDefinition } from "../types/tools.js";
import { sleepUntilMonotonic } from "../utils/sleepUntil.js";

export interface CallLife {
  isOver: boolean;
  /** The last report about the call: by its tool, or a heartbeat. */
  lastSign: number;
  /** The last report of its tool. */
  lastHeard: number;
  /** Its open questions to the person. That time does not count. */
  readonly questions: Set<Promise<unknown>>;
  /** How long it waited for answers. */
  askedMs: number;
}

export function createCallLife(clock: Clock): CallLife {
  const now = clock.monotonic();
  return { isOver: false, lastSign: now, lastHeard: now, questions: new Set(), askedMs: 0 };
}

interface TimedTool {
  readonly tool: ToolDefinition;
  readonly clock: Clock;
}

/** Resolves when the tool has exceeded its time, without the time of questions to a person. */
export async function outOfTime(
  { tool, clock }: TimedTool,
  life: CallLife,
  until: AbortSignal,
): Promise<void> {
  const startedAt = clock.monotonic();
  for (;;) {
    const deadline = startedAt + life.askedMs + tool.timeoutMs;
    await sleepUntilMonotonic(clock, deadline, until);
    // No caller waits for it.
    if (until.aborted) return new Promise(() => undefined);
    if (life.questions.size > 0) await Promise.all(life.questions);
    else if (clock.monotonic() >= startedAt + life.askedMs + tool.timeoutMs) return undefined;
  }
}

/** Resolves when the tool has been silent for longer than allowed. */
export async function fellSilent(
  { tool, clock }: TimedTool,
  life: CallLife,
  until: AbortSignal,
): Promise<void> {
  const { silenceTimeoutMs } = tool;
  if (silenceTimeoutMs === undefined) return new Promise(() => undefined);
  for (;;) {
    const dueAt = life.lastHeard + silenceTimeoutMs;
    if (clock.monotonic() >= dueAt) return undefined;
    await clock.sleep(dueAt - clock.monotonic(), until);
    // No caller waits for it.
    if (until.aborted) return new Promise(() => undefined);
    await Promise.all(life.questions);
  }
}

/** The same question, its time counted as the person's. */
export function askedBy(
  ask: NonNullable<ToolContext["askUser"]>,
  life: CallLife,
  clock: Clock,
): NonNullable<ToolContext["askUser"]> {
  return async (question) => {
    const since = life.questions.size === 0 ? clock.monotonic() : undefined;
    const outcome = ask(question);
    const settled = outcome.catch(() => undefined);
    life.questions.add(settled);
    try {
      return await outcome;
    } finally {
      life.questions.delete(settled);
      life.lastHeard = clock.monotonic();
      life.lastSign = life.lastHeard;
      if (since !== undefined) life.askedMs += clock.monotonic() - since;
    }
  };
}

interface Beating extends TimedTool {
  readonly heartbeatMs: number;
  readonly report: (progress: ProgressReport) => void;
}

/** A tool that is silent for long still runs: someone waits and wants to know. */
export async function beat(
  { tool, clock, heartbeatMs, report }: Beating,
  life: CallLife,
  until: AbortSignal,
): Promise<void> {
  while (!life.isOver && heartbeatMs !== Number.POSITIVE_INFINITY) {
    const silence = clock.monotonic() - life.lastSign;
    await clock.sleep(Math.max(1, heartbeatMs - silence), until);
    // A tool that waits for a person is not silent: its question shows that.
    await Promise.all(life.questions);
    if (life.isOver) return;
    if (clock.monotonic() - life.lastSign < heartbeatMs) continue;
    life.lastSign = clock.monotonic();
    const silentMs = Math.round(clock.monotonic() - life.lastHeard);
    // An agent says what it does by its own calls and texts.
    report({ type: "heartbeat", ...(tool.toolType === "agent" ? {} : { silentMs }) });
  }
}
