/**
 * An open session: its stored events, the transcript for the model, and its readers. It processes only stored events,
 * and passes them on in order. It calls no model and runs no tool.
 */
import type { LanguageModelV3Prompt } from "@ai-sdk/provider";
import {
  addUsage,
  evolve,
  initialState,
  noUsage,
  type PendingQuestion,
  type RunEvent,
  type RunId,
  type RunState,
  type Usage,
} from "@callboard/run-log";
import { hasQuestion, lastingCallsOf, questionsOf } from "@callboard/run-log/writing";
import { createSessionRules, type SessionRules } from "../approvals/sessionRules.js";
import type { MessageManager } from "../managers/messageManager.js";
import { interruptionEndingOf, interruptionOf } from "../sessions/interruption.js";
import { createSessionFeed } from "../sessions/sessionFeed.js";
import type { SessionLog } from "../types/sessions.js";
import { type CallIds, createCallIds } from "./callIds.js";
import type { ContextManager } from "./contextManager.js";
import { appendOrThrow } from "./runWriter.js";
import {
  type Compactable,
  type CompactableOptions,
  createTranscriptManager,
  type PromptOptions,
} from "./transcriptManager.js";

/** There is nothing to resume: the run is unknown, has ended, or another one followed it. */
export class RunNotContinuableError extends Error {
  override readonly name = "RunNotContinuableError";
}

/** A run that can be resumed, and its open questions. */
export interface LeftRun {
  readonly runId: string;
  readonly questions: readonly PendingQuestion[];
  /** Whether calls of it outlive their process: questions, calls that were allowed and have not started, and the like. */
  readonly hasLastingCalls: boolean;
}

export interface Conversation {
  readonly log: SessionLog;
  readonly callIds: CallIds;
  /** What earlier answers allowed for the whole session. */
  readonly sessionRules: SessionRules;
  /** Tokens and cost of all runs that have ended. */
  readonly usage: Usage;
  take(event: RunEvent): void;
  /** What a model receives, by the current log. */
  prompt(options: PromptOptions): LanguageModelV3Prompt;
  /** The part of it that a summary can replace. */
  compactable(options: CompactableOptions): Compactable | undefined;
  /** Every event of the session after a position, and on as they come, until it is closed. */
  events(after: number): AsyncIterable<RunEvent>;
  /** The last run of the session, if it was open when the session was opened. */
  readonly left: LeftRun | undefined;
  /** Closes everything open in the log, also open questions. Called before something new starts. */
  endUnfinished(): Promise<void>;
  /** The log of the run to resume. Throws a RunNotContinuableError if that is not possible. */
  unfinished(runId: string): Promise<readonly RunEvent[]>;
  close(): Promise<void>;
}

/** Where the log cannot be read it is closed again, and the manager is as it was. */
export async function openConversation(
  log: SessionLog,
  manager: MessageManager,
  now: () => number,
  context: Pick<ContextManager, "push">,
): Promise<Conversation> {
  const past = await storedEvents(log).catch(async (error: unknown) => {
    await log.close();
    throw error;
  });
  const feed = createSessionFeed(log);
  const callIds = createCallIds();
  const sessionRules = createSessionRules();
  const transcripts = createTranscriptManager();
  /** The runs without a closing, in the order of their starts, and how much of them was taken in. */
  const open = new Map<RunId, number>();
  let current: RunId | undefined;
  let usage: Usage = noUsage;

  function keep(event: RunEvent): void {
    const { runId } = event;
    if (event.type === "run.started") current = runId;
    if (event.type === "run.closed") {
      usage = addUsage(usage, event.usage);
      open.delete(runId);
    } else {
      open.set(runId, event.seq);
    }
    if (runId === current && !isDelta(event)) transcripts.push(event);
  }

  function take(event: RunEvent): void {
    keep(event);
    feed.push(event);
    manager.push(event);
  }

  /** Closes what of a run is open in the log, takes in what was not, and gives the whole log. */
  async function settled(
    runId: RunId,
    closingsOf: (state: RunState, at: number) => readonly RunEvent[],
  ): Promise<readonly RunEvent[]> {
    const taken = open.get(runId) ?? 0;
    const stored = await log.read(runId, { after: 0 });
    const state = stored.reduce(evolve, initialState);
    const lastAt = stored.at(-1)?.at ?? now();
    // A run that ends because a new one starts ends now; a run of an ended process ended with the process.
    const at = hasQuestion(state) ? Math.max(now(), lastAt) : lastAt;
    const closings = closingsOf(state, at);
    if (closings.length > 0) await appendOrThrow(log, runId, stored.length, closings);
    const whole = [...stored, ...closings];
    for (const event of whole.slice(taken)) take(event);
    return whole;
  }

  manager.clear();
  for (const event of past) {
    keep(event);
    feed.pass(event);
    sessionRules.push(event);
    context.push(event);
    if (event.type === "call.opened") callIds.take(event.callId);
    manager.push(event, true);
  }

  return {
    log,
    callIds,
    sessionRules,
    get usage() {
      return usage;
    },
    take,
    prompt: transcripts.prompt,
    compactable: transcripts.compactable,
    events: feed.read,
    left: current !== undefined && open.has(current) ? leftRun(current, past) : undefined,
    async endUnfinished() {
      for (const runId of [...open.keys()].toReversed()) await settled(runId, interruptionEndingOf);
    },
    async unfinished(wanted) {
      const known = await log.runIds();
      const runId = known.find((id) => id === wanted);
      const refuse = (why: string): never => {
        throw new RunNotContinuableError(`run ${wanted} cannot be continued: ${why}`);
      };
      if (runId === undefined) return refuse("this session has no such run");
      if (!open.has(runId)) {
        return refuse(
          "it has ended. Open the session with keepRunsOpen to keep runs that can continue",
        );
      }
      if (runId !== known.at(-1)) return refuse(`run ${known.at(-1)} came after it`);
      const whole = await settled(runId, (state, at) =>
        interruptionOf(state, at, { keepRunsOpen: true }),
      );
      // Another node may have ended it since this session was opened.
      return whole.at(-1)?.type === "run.closed" ? refuse("another process has ended it") : whole;
    },
    async close() {
      feed.close();
      await log.close();
    },
  };
}

function leftRun(runId: RunId, past: readonly RunEvent[]): LeftRun {
  const state = past.filter((event) => event.runId === runId).reduce(evolve, initialState);
  const hasLastingCalls = lastingCallsOf(state).size > 0;
  return { runId, questions: questionsOf(state), hasLastingCalls };
}

async function storedEvents(log: SessionLog): Promise<readonly RunEvent[]> {
  const events: RunEvent[] = [];
  for await (const page of log.history()) for (const event of page) events.push(event);
  return events;
}

/** A prompt is built from closings; deltas are not needed. */
function isDelta(event: RunEvent): boolean {
  switch (event.type) {
    case "text.delta":
    case "reasoning.delta":
    case "call.input.delta":
    case "call.run.progressed":
      return true;
    default:
      return false;
  }
}
