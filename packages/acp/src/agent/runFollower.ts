/**
 * Reads a session's events as they are stored and sends the outputs of the projection: each run has a projection of its
 * own. It reads at the pace of the pipe, and it is the only reader of a session.
 */

import type { TracedRun } from "@callboard/agent-sdk/tracing";
import { type QueuedMessage, queueOf, type RunEvent, type RunState } from "@callboard/run-log";
import { askedPerson } from "@callboard/run-log/asking";
import {
  type AcpOptions,
  type AcpOutput,
  type AcpPermission,
  type AcpStopReason,
  type AcpUpdate,
  type AcpUsage,
  backgroundOf,
  createAcpProjection,
  createProjector,
  type Projector,
} from "@callboard/run-log/projections";
import { withoutUndefined } from "@callboard/run-log/values";

import { createRestWatch, type RestWatch } from "./runRest.js";

export interface RunEnd {
  readonly stopReason: AcpStopReason;
  readonly message?: string;
  readonly usage?: AcpUsage;
  /** The calls in the background, if the turn is over and its run is not. */
  readonly background?: readonly string[];
}

export interface Following {
  /** A run starts, in the trace of its request. */
  started(run: TracedRun): void;
  update(update: AcpUpdate): void;
  ask(permission: AcpPermission): void;
  /** The user's own message has its id: v2 names it in the answer to the prompt. */
  userMessage(messageId: string, runId: string): void;
  /** This call asks the person, and everything before it was sent. */
  personAsked(toolCallId: string): void;
  callClosed(toolCallId: string): void;
  /** A message waits, was changed, or no longer waits. */
  queueChanged(queue: readonly QueuedMessage[]): void;
  /** The run waits for its calls in the background and for nothing else: the turn of these messages is over. */
  rested(messageIds: readonly string[], background: readonly string[]): void;
  /** A resting run continues. */
  wentOn(background: readonly string[]): void;
  /** Everything of the run was sent before. */
  ended(runId: string, end: RunEnd): void;
  /** Undefined, or what to wait for before reading on. */
  ready(): Promise<void> | undefined;
}

/**
 * Reads until the events end. Returns the position to continue from, as it moves. `begun` is the projection of a run
 * that is already running when the events start.
 */
export async function followEvents(
  events: AsyncIterable<RunEvent>,
  options: AcpOptions,
  following: Following,
  moved: () => void = () => undefined,
  begun?: Projector<unknown, AcpOutput>,
): Promise<void> {
  let projector = begun;
  let watch = createRestWatch();
  for await (const event of events) {
    moved();
    if (event.type === "run.started") {
      projector = createProjector(createAcpProjection(options));
      watch = createRestWatch();
      following.started(event);
    }
    let end: RunEnd = { stopReason: "end_turn" };
    for (const output of projector?.push(event) ?? []) end = sendOutput(output, following) ?? end;
    if (event.type === "call.run.started" && event.delegatedTo === askedPerson) {
      following.personAsked(event.callId);
    }
    if (event.type === "call.closed") following.callClosed(event.callId);
    if (isQueueEvent(event) && projector) following.queueChanged(queueOf(projector.run));
    if (isOwnMessage(event)) following.userMessage(event.messageId, event.runId);
    if (projector) tellRest(watch, event, projector.run, following);
    if (event.type === "run.closed") following.ended(event.runId, end);
    await following.ready();
  }
}

function tellRest(watch: RestWatch, event: RunEvent, run: RunState, following: Following): void {
  const change = watch.push(event, run);
  if (change === "rests") following.rested(watch.takeMessages(), backgroundOf(run));
  if (change === "goesOn") following.wentOn(backgroundOf(run));
}

function sendOutput(output: AcpOutput, following: Following): RunEnd | undefined {
  switch (output.type) {
    case "ask":
      following.ask(output.permission);
      return undefined;
    case "answer":
      return runEndOf(output);
    case "update": {
      const { update } = output;
      following.update(update);
      const isIdle = update.sessionUpdate === "state_update" && update.state === "idle";
      return isIdle ? runEndOf(update) : undefined;
    }
    default:
      return output satisfies never;
  }
}

function runEndOf(end: {
  readonly stopReason: AcpStopReason;
  readonly error?: { readonly message: string };
  readonly usage?: AcpUsage;
}): RunEnd {
  const { stopReason, error, usage } = end;
  return {
    stopReason,
    ...(error === undefined ? {} : { message: error.message }),
    ...withoutUndefined({ usage }),
  };
}

function isQueueEvent({ type }: RunEvent): boolean {
  return type === "message.queued" || type === "message.requeued" || type === "message.unqueued";
}

function isOwnMessage(event: RunEvent): event is Extract<RunEvent, { type: "message.opened" }> {
  return (
    event.type === "message.opened" && event.role === "user" && event.parentCallId === undefined
  );
}
