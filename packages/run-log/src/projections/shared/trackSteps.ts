/** How each event about a call changes its track. Fields that an event does not concern are kept. */
import type { CallOutcome, Progress } from "../../log/events/callEvents.js";
import type { CallEvent, EventOf } from "../../log/events/index.js";
import { isSign } from "../../log/silence.js";
import { withoutUndefined } from "../../values/optional.js";
import type { CallTrack, TrackPhase, TrackState } from "./track.js";

export function openedTrack(event: EventOf<"call.opened">): CallTrack {
  const { runId, callId, messageId, toolName, toolType, at } = event;
  const { parentCallId, title, kind, display } = event;
  return {
    runId,
    callId,
    messageId,
    toolName,
    toolType,
    openedBy: event.openedBy ?? "model",
    iteration: event.iteration ?? 0,
    state: "arguments",
    phases: [{ kind: "arguments", from: at }],
    openedAt: at,
    lastSignAt: at,
    inputText: "",
    steps: [],
    outputText: "",
    locations: [],
    images: [],
    diffs: [],
    retries: 0,
    ...withoutUndefined({ parentCallId, title, kind, display }),
  };
}

export function changedTrack(
  before: CallTrack,
  event: Exclude<CallEvent, EventOf<"call.opened">>,
): CallTrack {
  const track = isSign(event) ? { ...before, lastSignAt: event.at } : before;
  switch (event.type) {
    case "call.input.delta":
      return { ...track, inputText: track.inputText + event.text };
    case "call.input.closed":
      return inputClosed(track, event);
    case "call.input.amended": {
      const { input: value, amendedBy: by, title, locations } = event;
      return { ...track, amendedInput: { value, by }, ...withoutUndefined({ title, locations }) };
    }
    case "call.approval.asked": {
      const { approvalId, options, reason, expiresAt } = event;
      const approval = { approvalId, options, ...withoutUndefined({ reason, expiresAt }) };
      return { ...inPhase(track, "approval", event.at), approval };
    }
    case "call.approval.answered": {
      const { approval: _, ...answered } = track;
      const hasRun = track.phases.some(({ kind }) => kind === "running");
      return inPhase(answered, event.allowed && hasRun ? "running" : "queued", event.at);
    }
    case "call.run.started":
      return runStarted(track, event);
    case "call.run.progressed":
      return progressed(track, event.progress, event.at);
    case "call.closed":
      return closedTrack(track, event);
    default:
      return event satisfies never;
  }
}

function runStarted(track: CallTrack, event: EventOf<"call.run.started">): CallTrack {
  const { delegatedTo: to, expiresAt, at, detached: isDetached } = event;
  const running = { ...inPhase(track, "running", at), ...withoutUndefined({ isDetached }) };
  if (to === undefined) return running;
  return { ...running, delegation: { to, ...withoutUndefined({ expiresAt }) } };
}

function inPhase(track: CallTrack, kind: TrackPhase["kind"], at: number): CallTrack {
  return { ...track, state: kind, phases: [...endedPhases(track, at), { kind, from: at }] };
}

function endedPhases({ phases }: CallTrack, at: number): readonly TrackPhase[] {
  const last = phases.at(-1);
  if (last === undefined || last.to !== undefined) return phases;
  return [...phases.slice(0, -1), { ...last, to: at }];
}

function inputClosed(track: CallTrack, event: EventOf<"call.input.closed">): CallTrack {
  const queued = inPhase(track, "queued", event.at);
  if (!event.parsed) return { ...queued, inputText: event.text, inputProblem: event.problem };
  const { title, locations, input } = event;
  const inputText = event.text ?? JSON.stringify(input);
  return { ...queued, inputText, input, ...withoutUndefined({ title, locations }) };
}

function progressed(track: CallTrack, progress: Progress, at: number): CallTrack {
  switch (progress.type) {
    case "message": {
      const { message, percent } = progress;
      return { ...track, message, ...withoutUndefined({ percent }) };
    }
    case "step": {
      const { step, data } = progress;
      return { ...track, steps: [...track.steps, { at, step, ...withoutUndefined({ data }) }] };
    }
    case "preview":
      return { ...track, preview: progress.text };
    case "output":
      return { ...track, outputText: track.outputText + progress.text };
    case "title":
      return { ...track, title: progress.title };
    case "locations":
      return { ...track, locations: progress.locations };
    case "terminal":
      return { ...track, terminalId: progress.terminalId };
    case "retry":
      return {
        ...track,
        retries: progress.attempt,
        retriedAt: [...(track.retriedAt ?? []), at],
        message: progress.reason,
      };
    case "heartbeat":
      return track;
    default:
      return progress satisfies never;
  }
}

function closedTrack(track: CallTrack, event: EventOf<"call.closed">): CallTrack {
  const { approval: _, delegation: __, lastSignAt: ___, ...answered } = track;
  const { at, outcome, summary, images, diffs, usage, exitCode, retries } = event;
  const { persistKey, filePath } = event;
  const isOk = event.outcome === "ok";
  return {
    ...answered,
    state: closedState(outcome),
    phases: endedPhases(track, at),
    closedAt: at,
    outcome,
    outputText: event.output ?? track.outputText,
    ...withoutUndefined({
      outputType: isOk ? event.outputType : undefined,
      error: isOk ? undefined : { type: event.errorType, message: event.message },
      summary,
      images,
      diffs,
      usage,
      exitCode,
      retries,
      persistKey,
      filePath,
    }),
  };
}

function closedState(outcome: CallOutcome): TrackState {
  switch (outcome) {
    case "ok":
      return "done";
    case "error":
    case "denied":
    case "timeout":
      return "failed";
    case "cancelled":
    case "interrupted":
      return "stopped";
    default:
      return outcome satisfies never;
  }
}
