/**
 * Everything that a board shows, kept by run and by conversation. It takes what the stream brings and
 * touches the topics that it changed. It knows nothing of connections.
 */

import type { RunEvent } from "@callboard/run-log";
import { type CallTrack, isAskingPerson, type Message } from "@callboard/run-log/projections";
import { withoutUndefined } from "@callboard/run-log/values";
import type { BoardItem, ConversationClosed, RunAnnounced } from "../wire/boardReading.js";
import { createRunFold, type RunFold, type RunView, type TextView } from "./runFold.js";
import { type Topics, topicOf } from "./topics.js";
import type { Turn } from "./turns.js";

export interface ConversationView {
  readonly conversationId: string;
  /** In the order in which they started. */
  readonly runs: readonly RunView[];
  readonly isRunning: boolean;
  /** Everything that existed when the stream started has arrived. */
  readonly isLoaded: boolean;
  /** Why it may not, or may no longer, be read; earlier content stays. */
  readonly closed?: ConversationClosed["data"];
}

interface ShownRun {
  fold: RunFold;
  conversationId: string | undefined;
  /** How far the run was when it was announced, and whether it had ended. */
  announcedSeq: number;
  hasEnded: boolean;
}

export interface Shown {
  take(item: BoardItem): void;
  run(runId: string): RunView | undefined;
  text(runId: string, partId: string): TextView | undefined;
  call(callId: string, runId?: string): CallTrack | undefined;
  conversation(conversationId: string): ConversationView;
  /** Every call of it, in the order of opening; the same list until one of them changes. */
  calls(conversationId: string): readonly CallTrack[];
  /** When its models were called and answered, run by run; the same list until one of them changes. */
  turns(conversationId: string): readonly Turn[];
  messages(conversationId: string): readonly Message[];
  /** Everything that is watched; the same list until one of them changes. */
  conversations(): readonly ConversationView[];
  /** The calls of all of it that wait for an answer; the same list until one comes or goes. */
  questions(): readonly CallTrack[];
  /** How far each run was read, the latest run first. */
  positions(): readonly (readonly [runId: string, seq: number])[];
  /** Drops what is no longer watched; true if anything was. */
  forget(isWatched: (runId: string, conversationId: string | undefined) => boolean): boolean;
}

export function createShown(topics: Topics): Shown {
  const runs = new Map<string, ShownRun>();
  const runOfCall = new Map<string, string>();
  const views = new Map<string, ConversationView>();
  const closed = new Map<string, ConversationClosed["data"]>();
  const allMessages = new Map<string, readonly Message[]>();
  const allCalls = new Map<string, readonly CallTrack[]>();
  const allTurns = new Map<string, readonly Turn[]>();
  const asked = new Map<string, CallTrack>();
  let allViews: readonly ConversationView[] | undefined;
  let allAsked: readonly CallTrack[] | undefined;

  function runFor(runId: string): ShownRun {
    const known = runs.get(runId);
    if (known) return known;
    const fold = createRunFold(runId);
    const run: ShownRun = { fold, conversationId: undefined, announcedSeq: 0, hasEnded: false };
    runs.set(runId, run);
    return run;
  }

  function touchConversation(conversationId: string | undefined): void {
    if (conversationId === undefined) return;
    views.delete(conversationId);
    allViews = undefined;
    topics.touch(topicOf.conversation(conversationId));
    topics.touch(topicOf.conversations);
    touchMessages(conversationId);
  }

  function touchCalls(conversationId: string | undefined): void {
    if (conversationId === undefined) return;
    allCalls.delete(conversationId);
    topics.touch(topicOf.calls(conversationId));
  }

  function touchTurns(conversationId: string | undefined): void {
    if (conversationId === undefined) return;
    allTurns.delete(conversationId);
    topics.touch(topicOf.turns(conversationId));
  }

  function touchMessages(conversationId: string | undefined): void {
    if (conversationId === undefined) return;
    allMessages.delete(conversationId);
    topics.touch(topicOf.messages(conversationId));
  }

  /** A call has an open question as long as its track has one. */
  function noteQuestion(runId: string, callId: string, track: CallTrack | undefined): void {
    const key = `${runId} ${callId}`;
    const question = questionIn(track);
    if (questionIn(asked.get(key)) === question) return;
    if (track && question) asked.set(key, track);
    else asked.delete(key);
    allAsked = undefined;
    topics.touch(topicOf.questions);
  }

  function forgetQuestions(runId: string, fold: RunFold): void {
    for (const callId of fold.calls.keys()) noteQuestion(runId, callId, undefined);
  }

  function announce({ runId, data }: RunAnnounced): void {
    const run = runFor(runId);
    run.conversationId = data.conversationId;
    closed.delete(data.conversationId);
    run.announcedSeq = Math.max(run.announcedSeq, data.lastSeq);
    run.hasEnded = data.status === "closed";
    touchConversation(run.conversationId);
  }

  function begin(runId: string): void {
    const run = runFor(runId);
    forgetQuestions(runId, run.fold);
    run.fold = createRunFold(runId);
    topics.touch(topicOf.run(runId));
    touchConversation(run.conversationId);
    touchCalls(run.conversationId);
    touchTurns(run.conversationId);
  }

  function push(event: RunEvent): void {
    const run = runFor(event.runId);
    const wasLoaded = isLoaded(run);
    const touched = run.fold.push(event);
    if (touched === undefined) return;
    run.conversationId ??= run.fold.view.conversationId;
    const { isOutline, partId, callId, isTurn = false } = touched;
    if (isTurn) touchTurns(run.conversationId);
    if (partId !== undefined) topics.touch(topicOf.text(event.runId, partId));
    if (callId !== undefined) {
      runOfCall.set(callId, event.runId);
      topics.touch(topicOf.call(callId));
      topics.touch(topicOf.call(callId, event.runId));
      touchCalls(run.conversationId);
      noteQuestion(event.runId, callId, run.fold.call(callId));
    }
    if (isOutline) topics.touch(topicOf.run(event.runId));
    if (isOutline || wasLoaded !== isLoaded(run)) touchConversation(run.conversationId);
    else touchMessages(run.conversationId);
  }

  function runsOf(conversationId: string): readonly ShownRun[] {
    const own = [...runs.values()].filter((run) => run.conversationId === conversationId);
    // A running run may arrive before runs that were over when it started.
    return own.sort((one, other) => runStartOf(one) - runStartOf(other));
  }

  function viewOf(conversationId: string): ConversationView {
    const known = views.get(conversationId);
    if (known) return known;
    const shown = runsOf(conversationId);
    const why = closed.get(conversationId);
    const view = {
      conversationId,
      runs: shown.map(({ fold }) => fold.view),
      isRunning:
        why === undefined &&
        shown.some(({ fold, hasEnded }) => fold.view.status !== "closed" && !hasEnded),
      isLoaded: shown.every(isLoaded),
      ...withoutUndefined({ closed: why }),
    };
    views.set(conversationId, view);
    return view;
  }

  return {
    take(item) {
      if (!("event" in item)) return push(item);
      switch (item.event) {
        case "run":
          return announce(item);
        case "run_reset":
          return begin(item.runId);
        case "conversation_closed":
          closed.set(item.conversationId, item.data);
          return touchConversation(item.conversationId);
        case "reset":
          for (const runId of runs.keys()) begin(runId);
          return;
        case "connection":
        case "malformed":
          return;
        default:
          item satisfies never;
      }
    },
    run: (runId) => runs.get(runId)?.fold.view,
    text: (runId, partId) => runs.get(runId)?.fold.text(partId),
    call: (callId, runId = runOfCall.get(callId)) =>
      runId === undefined ? undefined : runs.get(runId)?.fold.call(callId),
    conversation: viewOf,
    conversations() {
      const ids = new Set([...runs.values()].flatMap(({ conversationId }) => conversationId ?? []));
      allViews ??= [...ids].map(viewOf);
      return allViews;
    },
    questions() {
      allAsked ??= [...asked.values()];
      return allAsked;
    },
    calls(conversationId) {
      const known = allCalls.get(conversationId);
      if (known) return known;
      const calls = runsOf(conversationId).flatMap(({ fold }) => [...fold.calls.values()]);
      allCalls.set(conversationId, calls);
      return calls;
    },
    turns(conversationId) {
      const known = allTurns.get(conversationId);
      if (known) return known;
      const turns = runsOf(conversationId).flatMap(({ fold }) => fold.turns);
      allTurns.set(conversationId, turns);
      return turns;
    },
    messages(conversationId) {
      const known = allMessages.get(conversationId);
      if (known) return known;
      const messages = runsOf(conversationId).flatMap(({ fold }) => fold.messages);
      allMessages.set(conversationId, messages);
      return messages;
    },
    positions: () => [...runs].map(([runId, { fold }]) => [runId, fold.seq] as const).reverse(),
    forget(isWatched) {
      let hasForgotten = false;
      for (const [runId, { conversationId, fold }] of runs) {
        if (isWatched(runId, conversationId)) continue;
        hasForgotten = true;
        runs.delete(runId);
        forgetQuestions(runId, fold);
        for (const callId of fold.calls.keys()) {
          if (runOfCall.get(callId) === runId) runOfCall.delete(callId);
        }
        topics.touch(topicOf.run(runId));
        touchConversation(conversationId);
        touchCalls(conversationId);
        touchTurns(conversationId);
      }
      return hasForgotten;
    },
  };
}

function runStartOf({ fold }: ShownRun): number {
  return fold.view.startedAt ?? Number.MAX_SAFE_INTEGER;
}

function isLoaded({ fold, announcedSeq }: ShownRun): boolean {
  return fold.seq >= announcedSeq;
}

/** What a call waits for a person with: an approval, or a question of the model. The same object while it waits. */
function questionIn(track: CallTrack | undefined): object | undefined {
  if (track === undefined) return undefined;
  return track.approval ?? (isAskingPerson(track) ? track.delegation : undefined);
}
