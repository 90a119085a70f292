/**
 * A call on a terminal: the track that a board draws, and the ends of its growing texts. The ends are bounded,
 * so that drawing a frame does not read the whole of a long text.
 */

import { personQuestionIn, type UserQuestion } from "../../asking/userQuestion.js";
import type { CallOutcome, Progress } from "../../log/events/callEvents.js";
import type { CallEvent, EventOf } from "../../log/events/index.js";
import { withoutUndefined } from "../../values/optional.js";
import { type CallTrack, isAskingPerson } from "../shared/track.js";
import { changedTrack, openedTrack } from "../shared/trackSteps.js";

export interface TerminalCall extends CallTrack {
  /** How many calls it works for, one inside the other. */
  readonly depth: number;
  /** The first characters of the arguments, as long as they are not parsed. */
  readonly argumentsHead: string;
  /** The last characters of the output of a call under way. */
  readonly outputTail: string;
  /** The last message, step, preview or title of the tool. */
  readonly lastWords?: string;
  /** The question to the person, once the call waits for the answer. It stays after the end of the call. */
  readonly question?: UserQuestion;
}

export interface ClosedTerminalCall extends TerminalCall {
  readonly outcome: CallOutcome;
  readonly closedAt: number;
}

const keptHead = 2_048;
const keptTail = 4_096;

export function openedTerminalCall(
  event: EventOf<"call.opened">,
  parent: TerminalCall | undefined,
): TerminalCall {
  const depth = parent === undefined ? 0 : parent.depth + 1;
  return { ...openedTrack(event), depth, argumentsHead: "", outputTail: "" };
}

/** The call after an event that does not close it; the same object if nothing changed. */
export function changedTerminalCall(
  before: TerminalCall,
  event: Exclude<CallEvent, EventOf<"call.opened" | "call.closed">>,
): TerminalCall {
  const track = changedTrack(before, event);
  if (track === before) return before;
  const call = { ...before, ...track };
  switch (event.type) {
    case "call.input.delta": {
      const { argumentsHead } = before;
      if (argumentsHead.length >= keptHead) return call;
      return { ...call, argumentsHead: (argumentsHead + event.text).slice(0, keptHead) };
    }
    case "call.input.closed":
      return { ...call, argumentsHead: event.parsed ? "" : event.text.slice(0, keptHead) };
    case "call.approval.answered": {
      const { approval: _, ...answered } = call;
      return answered;
    }
    case "call.run.started": {
      if (!isAskingPerson(call)) return call;
      return { ...call, question: personQuestionIn(call.amendedInput?.value ?? call.input) };
    }
    case "call.run.progressed":
      return progressed(call, event.progress);
    case "call.input.amended":
    case "call.approval.asked":
      return call;
    default:
      return event satisfies never;
  }
}

function progressed(call: TerminalCall, progress: Progress): TerminalCall {
  switch (progress.type) {
    case "message":
      return { ...call, lastWords: progress.message };
    case "step":
      return { ...call, lastWords: progress.step };
    case "preview":
      return { ...call, lastWords: progress.text.slice(0, keptHead) };
    case "title":
      return { ...call, lastWords: progress.title };
    case "retry":
      return { ...call, lastWords: `attempt ${progress.attempt + 1}: ${progress.reason}` };
    case "output": {
      const tail = call.outputTail + progress.text.slice(-keptTail);
      return { ...call, outputTail: tail.slice(-keptTail) };
    }
    case "heartbeat":
    case "locations":
    case "terminal":
      return call;
    default:
      return progress satisfies never;
  }
}

export function closedTerminalCall(
  { depth, argumentsHead, question, lastWords, ...before }: TerminalCall,
  event: EventOf<"call.closed">,
): ClosedTerminalCall {
  return {
    ...changedTrack(before, event),
    depth,
    argumentsHead,
    outputTail: "",
    ...withoutUndefined({ lastWords, question }),
    outcome: event.outcome,
    closedAt: event.at,
  };
}
