/**
 * One turn of a client that sends its whole conversation with each request, as the AI SDK and AG-UI do. A new message of
 * the user starts a run. Anything else answers what the run of the conversation waits for, or is refused: repeated
 * requests of a client never repeat the work.
 */
import { createHash } from "node:crypto";
import type { CallId, JsonObject } from "@callboard/run-log";
import type { CallResultBody } from "@callboard/run-log/http";
import type { MessageRun } from "@callboard/store";
import type { Caller } from "../auth/caller.js";
import { HttpProblem, refusedField } from "../http/problem.js";
import { sortedJson } from "../http/sortedJson.js";
import { namedUuid } from "../ids.js";
import type { ServerParts } from "../parts.js";
import type { RunFacts } from "../stores/runStore.js";
import { beginning, type Cursor } from "../streams/cursor.js";
import { answerApproval, unreachable } from "./answerApproval.js";
import { cancelRun } from "./cancelRun.js";
import { type LaterTurn, laterTurnOf, sentToIdle } from "./laterTurn.js";
import type { MessageQueues, Queued } from "./queue.js";
import { resolveCall } from "./resolveCall.js";
import type { LoggedRun } from "./runView.js";
import { awaited, viewedRun } from "./runWatch.js";
import { type Ask, type BegunRun, isOfRival, type RunStarter } from "./startRun.js";
import { assertMaySteer } from "./steering.js";
import type { UserInput } from "./userInput.js";

export interface Answers {
  readonly approvals: readonly {
    readonly approvalId: string;
    readonly isAllowed: boolean;
    /** One of the offered options; the one that allows once if it is absent. */
    readonly optionId?: string | undefined;
    readonly message?: string | undefined;
    /** Arguments that replace those of the question. */
    readonly input?: JsonObject | undefined;
  }[];
  readonly results: readonly { readonly callId: CallId; readonly result: CallResultBody }[];
  /** The position at which the client's stream ended, if the client knows it. */
  readonly waitsAt?: number | undefined;
}

export interface TurnRequest {
  readonly ask: Omit<Ask, "wish" | "mayCreate" | "runId" | "messageId"> & {
    readonly conversationId: string;
  };
  /** The run that is answered. Default the newest of the conversation. */
  readonly answersTo?: string | undefined;
  /** The newest message, if it is the user's. */
  readonly said?: (UserInput & { readonly id: string }) | undefined;
  readonly answers: Answers;
  readonly whenBusy: WhenBusy;
  /**
   * Tells requests with the same message apart: a request with the same message and the same name is the same
   * request, sent again.
   */
  readonly name?: string;
  /** The same message gets another answer. */
  readonly isAgain?: boolean;
  /** The message replaces this one, which has another id, and the field of the request that contains it. */
  readonly replaces?: { readonly field: string; readonly messageId: string } | undefined;
}

export const whenBusyWords = ["supersede", "queue", "reject"] as const;
export type WhenBusy = (typeof whenBusyWords)[number];

/** What is streamed to the client: from which position, and after which position it ends at a wait. */
export interface OpenTurn {
  readonly run: BegunRun;
  readonly cursor: Cursor;
  readonly turnAfter: number;
  /** The calls of which the client gave the results. */
  readonly ownResults?: readonly CallId[];
  /** Calls of the server that the client added a result to, which is not theirs. */
  readonly refusedResults?: readonly CallId[];
  /** The message has not started its run. */
  readonly queued?: MessageQueued;
  /** The message started another turn of a run that idled: only what follows it is streamed. */
  readonly sinceMessage?: string;
}

export type MessageQueued = Pick<Queued, "messageId" | "waitsIn">;

type Parts = Pick<
  ServerParts,
  "store" | "commands" | "clock" | "host" | "directory" | "builtinTools" | "clientCalls"
>;

const answerTimeoutMs = 10_000;
const attempts = 5;

export async function openTurn(
  parts: ServerParts,
  starter: RunStarter,
  queues: MessageQueues,
  caller: Caller,
  request: TurnRequest,
): Promise<OpenTurn> {
  const { said, ask, whenBusy } = request;
  const { store } = parts;
  if (said === undefined) return answeredTurn(parts, caller, request);
  const { runId, before, replaces, again } = await runFor(parts, caller, request, said);
  if (before) return attached(parts, before, again);
  const { id: messageId, text, images } = said;
  const named = { runId, conversationId: ask.conversationId };
  const asked: Ask = {
    ...ask,
    mayCreate: true,
    wish: { type: "message", text, images },
    runId,
    messageId,
    replaces,
  };
  for (let attempt = 1; ; attempt += 1) {
    const [latest] = await store.listRuns(caller, { conversationId: ask.conversationId, limit: 1 });
    const isBusy = latest?.status === "open";
    const sent =
      isBusy && replaces === undefined
        ? await sentToIdle(store, queues, caller, asked, latest)
        : undefined;
    if (sent !== undefined) return "cursor" in sent ? sent : begunTurn(named, caller, sent);
    if (isBusy && whenBusy === "supersede" && latest.userId === caller.userId) {
      await supersede(parts, latest);
    }
    try {
      const begun =
        whenBusy === "queue"
          ? await queues.beginOrQueue(caller, asked, "run")
          : await starter.begin(caller, asked);
      return begunTurn(named, caller, begun);
    } catch (error) {
      if (whenBusy !== "supersede" || !isOfRival(error) || attempt > attempts) throw error;
      if (latest && latest.userId !== caller.userId) throw error;
    }
  }
}

function begunTurn(
  { runId, conversationId }: { readonly runId: string; readonly conversationId: string },
  caller: Caller,
  begun: BegunRun | Queued,
): OpenTurn {
  const start = { cursor: beginning, turnAfter: 0 };
  if (!("waitsIn" in begun)) return { run: begun, ...start };
  return { run: awaitedRun(runId, conversationId, caller), ...start, queued: begun };
}

/** The run of a waiting message: it starts when the previous one ends. */
function awaitedRun(runId: string, conversationId: string, { userId }: Caller): BegunRun {
  return { runId, conversationId, userId, lastSeq: 0, status: "open" };
}

/**
 * The id of the run that a message starts, and the run if it has already started. A message with an existing id gets
 * another answer, or another text: its run is replaced.
 */
async function runFor(
  { store }: Parts,
  caller: Caller,
  { ask, name = "", isAgain = false, replaces }: TurnRequest,
  { id, text, images }: UserInput & { readonly id: string },
): Promise<TurnRun> {
  const digest = createHash("sha256")
    .update(sortedJson([text, images]))
    .digest("base64url");
  const names = ["turn", caller.userId, ask.conversationId, id, digest, name] as const;
  const known = await store.runOfMessage(ask.conversationId, id);
  let before: RunFacts | undefined;
  for (let time = 0; ; time += 1) {
    const runId = namedUuid(...names, String(time));
    const found = await store.findRun(caller, runId);
    if (found) {
      before = found;
      continue;
    }
    // The same request, sent again, unless its run was replaced meanwhile.
    if (before && !isAgain && before.runId === known?.runId) return { runId, before };
    const instead = known ?? (replaces && (await replacedRun(store, ask.conversationId, replaces)));
    if (instead && !instead.isFirst) {
      const run = isAgain || !known ? undefined : await store.findRun(caller, known.runId);
      const again = run && (await laterTurnOf(store, run, { id, text, images }));
      if (run && again) return { runId: run.runId, before: run, again };
      throw sentDuringRun(known ? "messages" : replaces?.field);
    }
    return { runId, replaces: instead?.runId };
  }
}

async function replacedRun(
  store: Parts["store"],
  conversationId: string,
  { field, messageId }: NonNullable<TurnRequest["replaces"]>,
): Promise<MessageRun> {
  const run = await store.runOfMessage(conversationId, messageId);
  if (run) return run;
  const detail = "The conversation has no such message of the user, or it was replaced before.";
  throw refusedField(field, detail);
}

interface TurnRun {
  readonly runId: string;
  readonly before?: RunFacts;
  readonly replaces?: string | undefined;
  /** The message started another turn of the run. */
  readonly again?: LaterTurn;
}

function sentDuringRun(field = "messages"): Error {
  const detail =
    "This message was sent while a run was under way, and has no run of its own: send a new message.";
  return refusedField(field, detail);
}

async function attached(parts: Parts, run: RunFacts, again?: LaterTurn): Promise<OpenTurn> {
  const { view } = await viewedRun(parts.store, run.runId);
  return { run, cursor: beginning, turnAfter: turnAfterOf(view), ...again };
}

/** Waits that are over are passed; the one that the run is in ends the stream. */
export function turnAfterOf({ state, waits }: LoggedRun): number {
  const last = waits.at(-1);
  return last?.isLast ? last.since - 1 : state.seq;
}

/** Ends a run that its user no longer waits for, and waits until it has ended. */
async function supersede(parts: Parts, { runId }: RunFacts): Promise<void> {
  const { store, clock } = parts;
  await cancelRun(parts, runId, "superseded by a new message");
  const viewer = await viewedRun(store, runId);
  const isOver = ({ state }: LoggedRun) => (state.status === "closed" ? true : undefined);
  const over = await awaited(store, runId, viewer, isOver, { clock, answerTimeoutMs });
  if (over === undefined) throw unreachable(runId);
}

async function answeredTurn(
  parts: ServerParts,
  caller: Caller,
  { ask: { conversationId }, answers, answersTo }: TurnRequest,
): Promise<OpenTurn> {
  const { store } = parts;
  const [newest] = await store.listRuns(caller, { conversationId, limit: 1 });
  const run = answersTo === undefined ? newest : await store.findRun(caller, answersTo);
  if (!run) throw nothingToAnswer("This conversation has no run.");
  await assertMaySteer(parts, caller, run);
  const { view } = await viewedRun(store, run.runId);
  const approvals = answers.approvals.filter(({ approvalId }) => view.approvals.has(approvalId));
  const results = answers.results.filter(({ callId }) => view.delegations.has(callId));
  const ids = [...approvals.map((one) => one.approvalId), ...results.map((one) => one.callId)];
  if (ids.length === 0) throw nothingToAnswer(stateOf(view));
  const wait = view.waits.findLast((one) => ids.some((id) => one.ids.has(id)));
  const since = answers.waitsAt ?? wait?.since ?? view.state.seq;
  const isNew = await delivered(parts, caller, run, view, { approvals, results });
  return {
    run,
    cursor: { seq: Math.min(since, view.state.seq), lines: 0 },
    turnAfter: isNew ? view.state.seq : Math.min(since, turnAfterOf(view)),
    ownResults: results.map(({ callId }) => callId),
    refusedResults: answers.results.flatMap(({ callId }) =>
      view.delegations.has(callId) ? [] : [callId],
    ),
  };
}

/** Gives the run what it waits for. False if it had all of it before. */
async function delivered(
  parts: ServerParts,
  { userId }: Caller,
  run: RunFacts,
  { approvals, delegations }: LoggedRun,
  answers: Pick<Answers, "approvals" | "results">,
): Promise<boolean> {
  let isNew = false;
  for (const { approvalId, isAllowed, optionId, ...said } of answers.approvals) {
    const approval = approvals.get(approvalId);
    if (!approval || approval.answered) continue;
    const kind = isAllowed ? "allow_once" : "reject_once";
    const chosen = optionId ?? approval.asked.options.find((one) => one.kind === kind)?.optionId;
    const option_id = chosen ?? kind;
    isNew = true;
    await answerApproval(parts, run, approvalId, { option_id, ...said }, userId).catch(unlessOver);
  }
  for (const { callId, result } of answers.results) {
    if (delegations.get(callId)?.closed) continue;
    isNew = true;
    await resolveCall(parts, run, callId, result).catch(unlessOver);
  }
  return isNew;
}

/** Another answer was faster, or the time was over: the stream shows the result. */
function unlessOver(error: unknown): void {
  if (error instanceof HttpProblem && (error.status === 409 || error.status === 410)) return;
  throw error;
}

function stateOf({ state }: LoggedRun): string {
  if (state.status === "closed") return `The last run has ended (${state.outcome}).`;
  return "The run that is under way does not wait for what was sent.";
}

function nothingToAnswer(state: string): HttpProblem {
  const detail = `${state} The request brings no new message of the user and no answer that is waited for: send a new message.`;
  return new HttpProblem(409, "nothing-to-answer", detail);
}
