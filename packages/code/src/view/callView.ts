/**
 * What a terminal shows of one call, beyond what the fold knows: the beginning of its arguments, the
 * end of its output, its last words. Bounded, so that a step costs what the event brings.
 */
import type {
  ApprovalOption,
  CallEvent,
  CallId,
  CallOpener,
  CallOutcome,
  CallState,
  Diff,
  EventOf,
  JsonValue,
} from "@callboard/run-log";
import { askedPerson, personQuestionIn, type UserQuestion } from "@callboard/run-log/asking";
import { isSign } from "@callboard/run-log/writing";

export interface AskedApproval {
  readonly approvalId: string;
  readonly options: readonly ApprovalOption[];
  readonly reason: string | undefined;
}

export interface CallView {
  readonly callId: CallId;
  readonly parentCallId: CallId | undefined;
  readonly toolName: string;
  /** The tool's own word for what it is: read, edit, execute, … */
  readonly kind: string | undefined;
  readonly openedBy: CallOpener;
  /** How many calls it works for, one inside the other. */
  readonly depth: number;
  /** The first characters of the arguments, as far as they have come. */
  readonly argumentsHead: string;
  readonly argumentsLength: number;
  /** The whole arguments, once they are closed and parsed. */
  readonly input: JsonValue | undefined;
  /** The arguments that the call runs with, where somebody changed them, and who did. */
  readonly amendedInput: JsonValue | undefined;
  readonly amendedBy: string | undefined;
  readonly approval: AskedApproval | undefined;
  /** What the person is asked, once the call waits for the answer; it stays when the call has ended. */
  readonly question: UserQuestion | undefined;
  /** The last message, step or preview. */
  readonly progress: string | undefined;
  readonly percent: number | undefined;
  /** The last characters of the output, as far as it has come. */
  readonly outputTail: string;
  readonly outputLength: number;
  /** When something was last heard of it. */
  readonly lastSignAt: number;
}

export interface ClosedCall extends CallView {
  readonly outcome: CallOutcome;
  readonly ranMs: number;
  readonly waitedMs: number;
  readonly summary: string | undefined;
  /** Why it did not end well. */
  readonly problem: string | undefined;
  readonly output: string;
  readonly diffs: readonly Diff[];
  readonly exitCode: number | undefined;
  readonly filePath: string | undefined;
}

const keptHead = 2_048;
const keptTail = 4_096;

export function openedView(event: EventOf<"call.opened">, parent: CallView | undefined): CallView {
  return {
    callId: event.callId,
    parentCallId: event.parentCallId,
    toolName: event.toolName,
    kind: event.kind,
    openedBy: event.openedBy ?? "model",
    depth: parent === undefined ? 0 : parent.depth + 1,
    argumentsHead: "",
    argumentsLength: 0,
    input: undefined,
    amendedInput: undefined,
    amendedBy: undefined,
    approval: undefined,
    question: undefined,
    progress: undefined,
    percent: undefined,
    outputTail: "",
    outputLength: 0,
    lastSignAt: event.at,
  };
}

/** The view after an event that neither opens nor closes the call. */
export function viewAfter(
  before: CallView,
  event: Exclude<CallEvent, EventOf<"call.opened" | "call.closed">>,
): CallView {
  const view = isSign(event) ? { ...before, lastSignAt: event.at } : before;
  switch (event.type) {
    case "call.input.delta": {
      const argumentsLength = view.argumentsLength + event.text.length;
      if (view.argumentsHead.length >= keptHead) return { ...view, argumentsLength };
      const argumentsHead = (view.argumentsHead + event.text).slice(0, keptHead);
      return { ...view, argumentsHead, argumentsLength };
    }
    case "call.input.closed": {
      if (event.parsed) return { ...view, input: event.input };
      const { text } = event;
      return { ...view, argumentsHead: text.slice(0, keptHead), argumentsLength: text.length };
    }
    case "call.input.amended":
      return { ...view, amendedInput: event.input, amendedBy: event.amendedBy };
    case "call.approval.asked": {
      const { approvalId, options, reason } = event;
      return { ...view, approval: { approvalId, options, reason } };
    }
    case "call.approval.answered":
      return { ...view, approval: undefined };
    case "call.run.started": {
      if (event.delegatedTo !== askedPerson) return view;
      return { ...view, question: personQuestionIn(view.amendedInput ?? view.input) };
    }
    case "call.run.progressed":
      return progressed(view, event.progress);
    default:
      return event satisfies never;
  }
}

function progressed(
  view: CallView,
  progress: EventOf<"call.run.progressed">["progress"],
): CallView {
  switch (progress.type) {
    case "message":
      return { ...view, progress: progress.message, percent: progress.percent };
    case "step":
      return { ...view, progress: progress.step };
    case "preview":
      return { ...view, progress: progress.text.slice(0, keptHead) };
    case "title":
      return { ...view, progress: progress.title };
    case "retry":
      return { ...view, progress: `attempt ${progress.attempt + 1}: ${progress.reason}` };
    case "output": {
      const outputLength = view.outputLength + progress.text.length;
      const outputTail = (view.outputTail + progress.text.slice(-keptTail)).slice(-keptTail);
      return { ...view, outputTail, outputLength };
    }
    case "heartbeat":
    case "locations":
    case "terminal":
      return view;
    default:
      return progress satisfies never;
  }
}

export function closedView(
  view: CallView,
  event: EventOf<"call.closed">,
  call: CallState | undefined,
): ClosedCall {
  const isClosed = call?.status === "closed";
  return {
    ...view,
    approval: undefined,
    outcome: event.outcome,
    ranMs: isClosed ? call.ranMs : 0,
    waitedMs: isClosed ? call.waitedMs : 0,
    summary: event.summary,
    problem: event.outcome === "ok" ? undefined : event.message,
    output: event.output ?? "",
    diffs: event.diffs ?? [],
    exitCode: event.exitCode,
    filePath: event.filePath,
  };
}
