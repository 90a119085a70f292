/**
 * From the log to stages: what `onToolBlockUpdated` receives for an event of a call. Deltas are passed on; the
 * accumulated text is a rope that this module never reads.
 */

import { type CallState, inputTextOf } from "../log/callState.js";
import type { Progress } from "../log/events/callEvents.js";
import type { CallEvent, EventOf } from "../log/events/index.js";
import type { CallId } from "../log/ids.js";
import { callOf, type RunState } from "../log/state.js";
import { isJsonObject, type JsonValue } from "../values/json.js";
import { withoutUndefined } from "../values/optional.js";
import type { ShortForms } from "./shortForms.js";
import { StagedCall } from "./stagedCall.js";
import type { AgentToolBlockUpdateParams } from "./stages.js";

export type StageMemory = ReadonlyMap<CallId, StagedCall>;

export interface StageStep {
  readonly memory: StageMemory;
  readonly params: AgentToolBlockUpdateParams | undefined;
}

/** The stages of calls, stepped once for all projections that share them. */
export interface Stages {
  readonly initial: StageMemory;
  readonly step: (memory: StageMemory, event: CallEvent, run: RunState) => StageStep;
}

/**
 * A step is pure, so the last one is remembered: projections that share the stages and take the same events
 * have one memory of them, and one reader for the arguments of each call.
 */
export function createStages(shortForms?: ShortForms): Stages {
  let last: { memory: StageMemory; event: CallEvent; run: RunState; step: StageStep } | undefined;
  return {
    initial: new Map(),
    step(memory, event, run) {
      if (last?.memory === memory && last.event === event && last.run === run) return last.step;
      const step = stageStep(memory, event, run, shortForms);
      last = { memory, event, run, step };
      return step;
    },
  };
}

function stageStep(
  memory: StageMemory,
  event: CallEvent,
  run: RunState,
  shortForms?: ShortForms,
): StageStep {
  const call = callOf(run, event.callId);
  if (!call) return { memory, params: undefined };
  const before = memory.get(event.callId);
  const staged = stagedCall(before, event, call, shortForms);
  const params = paramsOf(event, call, staged);
  const after = event.type === "call.closed" ? undefined : staged;
  if (before === after) return { memory, params };
  const next = new Map(memory);
  if (after === undefined) next.delete(event.callId);
  else next.set(event.callId, after);
  return { memory: next, params };
}

const nothingStaged = new StagedCall("");

function stagedCall(
  staged: StagedCall = nothingStaged,
  event: CallEvent,
  call: CallState,
  shortForms: ShortForms | undefined,
): StagedCall {
  if (event.type === "call.input.delta") {
    const parameters = staged.parameters + event.text;
    if (!shortForms) return new StagedCall(parameters);
    const reading = staged.read(event.text, shortForms.createReader);
    if (!isDue(staged.compactAt, parameters.length)) {
      return new StagedCall(parameters, staged.compactAt, staged.compactParams, reading);
    }
    const compact = compactOf(reading.reader.snapshot(), call, shortForms);
    return new StagedCall(parameters, parameters.length, compact, reading);
  }
  if (event.type === "call.input.closed") {
    const parameters = "input" in call && call.input ? inputTextOf(call.input) : staged.parameters;
    if (!shortForms) return new StagedCall(parameters);
    const input = event.parsed ? event.input : shortForms.readBroken(event.text);
    const compact = compactOf(input, call, shortForms);
    return new StagedCall(parameters, parameters.length, compact);
  }
  if (event.type === "call.input.amended") {
    const compact = shortForms && compactOf(event.input, call, shortForms);
    return staged.amended(JSON.stringify(event.input), compact);
  }
  return staged.saying(shortResultAfter(staged.shortResult, event));
}

/** Execution that starts, or continues after an approval, has no progress yet. */
function shortResultAfter(before: string | undefined, event: CallEvent): string | undefined {
  switch (event.type) {
    case "call.approval.asked":
      return event.reason ?? "waiting for approval";
    case "call.approval.answered":
    case "call.run.started":
      return undefined;
    case "call.run.progressed":
      return shortResultOf(event.progress) ?? before;
    default:
      return before;
  }
}

const alwaysUpTo = 1_024;

/**
 * The short form may read the arguments, and reading a growing text costs its length. So beyond a page of text it is
 * made again only after every quarter more, and at the end: linear in total.
 */
function isDue(compactAt: number, length: number): boolean {
  return length <= alwaysUpTo || length >= compactAt * 1.25;
}

function compactOf(
  input: JsonValue | undefined,
  call: CallState,
  { compactParams }: ShortForms,
): string | undefined {
  return isJsonObject(input) ? compactParams(call.toolName, input) : undefined;
}

interface Base {
  id: string;
  name: string;
  parameters: string;
  amendedParameters?: string;
  compactParams?: string;
  parentCallId?: string;
}

/** The most frequent of all, as one literal: copying a base into it would be half of its cost. */
function streamedInput(
  parametersChunk: string,
  call: CallState,
  { parameters, compactParams }: StagedCall,
): AgentToolBlockUpdateParams {
  const { callId: id, toolName: name, parentCallId } = call;
  const stage = "streaming";
  if (parentCallId === undefined) {
    return compactParams === undefined
      ? { id, name, parameters, stage, parametersChunk }
      : { id, name, parameters, compactParams, stage, parametersChunk };
  }
  return compactParams === undefined
    ? { id, name, parameters, parentCallId, stage, parametersChunk }
    : { id, name, parameters, compactParams, parentCallId, stage, parametersChunk };
}

/** Assigned field by field: conditional spreads cost more than all the rest. */
function baseOf(call: CallState, staged: StagedCall): Base {
  const base: Base = { id: call.callId, name: call.toolName, parameters: staged.parameters };
  if (staged.amendedParameters !== undefined) base.amendedParameters = staged.amendedParameters;
  if (staged.compactParams !== undefined) base.compactParams = staged.compactParams;
  if (call.parentCallId !== undefined) base.parentCallId = call.parentCallId;
  return base;
}

function paramsOf(
  event: CallEvent,
  call: CallState,
  staged: StagedCall,
): AgentToolBlockUpdateParams | undefined {
  if (event.type === "call.input.delta") return streamedInput(event.text, call, staged);
  const base = baseOf(call, staged);
  switch (event.type) {
    case "call.opened":
      return { ...base, stage: "start" };
    case "call.input.closed":
    case "call.input.amended":
      return undefined;
    case "call.approval.asked":
      return runningOf(base, staged);
    case "call.approval.answered":
      return call.status === "running" ? runningOf(base, staged) : undefined;
    case "call.run.started":
      return runningOf(base, staged);
    case "call.run.progressed":
      if (event.progress.type === "output") {
        return { ...base, stage: "streaming", result: event.progress.text };
      }
      return runningOf(base, staged, silentMsOf(event.progress));
    case "call.closed":
      return { ...base, ...endStageOf(event) };
    default:
      return event satisfies never;
  }
}

function runningOf(
  base: Base,
  { shortResult }: StagedCall,
  silentMs?: number,
): AgentToolBlockUpdateParams {
  const stage = "running";
  const silent = silentMs === undefined ? {} : { silentMs };
  return shortResult === undefined
    ? { ...base, stage, ...silent }
    : { ...base, stage, shortResult, ...silent };
}

const silentMsOf = (progress: Progress): number | undefined =>
  progress.type === "heartbeat" ? progress.silentMs : undefined;

/** Absent for progress without a text. */
function shortResultOf(progress: Progress): string | undefined {
  switch (progress.type) {
    case "message":
      return progress.message;
    case "step":
      return progress.step;
    case "preview":
      return progress.text;
    case "title":
      return progress.title;
    case "retry":
      return `attempt ${progress.attempt + 1}: ${progress.reason}`;
    case "output":
    case "heartbeat":
    case "locations":
    case "terminal":
      return undefined;
    default:
      return progress satisfies never;
  }
}

function endStageOf(event: EventOf<"call.closed">) {
  const shared = {
    stage: "end" as const,
    ...withoutUndefined({ shortResult: event.summary }),
    ...(event.images === undefined ? {} : { images: [...event.images] }),
  };
  if (event.outcome === "ok") return { ...shared, success: true as const, result: event.output };
  const failed = { ...shared, success: false as const, error: event.message };
  return event.output === undefined ? failed : { ...failed, result: event.output };
}
