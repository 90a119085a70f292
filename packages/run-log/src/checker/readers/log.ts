/**
 * Checks our own log: `admit` judges, this module only translates its faults. Several runs may share a recording; each
 * is folded on its own.
 */

import type { RunEvent } from "../../log/events/index.js";
import { type Admission, admit } from "../../log/evolve.js";
import type { FaultCode } from "../../log/faults.js";
import { parseRestedEvent } from "../../log/rest.js";
import { initialState, openCallsOf, type RunState } from "../../log/state.js";
import { type Fields, numberOf, textOf } from "../../values/fields.js";
import type { Examiner } from "../report.js";
import { type Remark, type RuleName, suspicion, violation } from "../rules.js";

const eventType = /^(run|message|text|reasoning|call|status|data|error|usage|image)(\.[a-z]+)+$/;

export function isLogLine(value: Fields): boolean {
  return numberOf(value.seq) !== undefined && eventType.test(textOf(value.type) ?? "");
}

/** The rule that an event breaks which the law does not admit. */
export const ruleOf: Readonly<Record<FaultCode, RuleName>> = {
  malformed: "malformed-line",
  wrongRun: "missing-start",
  repeated: "seq-repeated",
  gap: "seq-gap",
  runNotStarted: "missing-start",
  runAlreadyStarted: "started-twice",
  runClosed: "event-after-end",
  nothingAsked: "approval-mismatch",
  callsOpen: "open-at-turn-end",
  messagesOpen: "part-left-open",
  messageAlreadyOpened: "part-opened-twice",
  unknownMessage: "part-not-open",
  messageAlreadyQueued: "part-opened-twice",
  messageNotQueued: "part-not-open",
  messagesQueued: "part-left-open",
  messageClosed: "part-not-open",
  partsOpen: "part-left-open",
  partClosed: "part-not-open",
  partMismatch: "part-not-open",
  hole: "delta-hole",
  unknownCall: "update-before-open",
  callAlreadyOpened: "opened-twice",
  unknownParent: "update-before-open",
  parentClosed: "update-after-close",
  inputOpen: "run-before-input",
  inputClosed: "input-after-close",
  inputNotParsed: "run-before-input",
  alreadyAmended: "input-after-close",
  approvalPending: "run-without-approval",
  noApprovalPending: "approval-mismatch",
  wrongApproval: "approval-mismatch",
  callRefused: "run-after-denial",
  alreadyRunning: "stage-regression",
  notRunning: "progress-before-run",
  childrenOpen: "nested-call-open",
  callClosed: "update-after-close",
};

/** Broken once, these would be reported again for every later event of the call or run. */
const reportedOnce: ReadonlySet<RuleName> = new Set([
  "missing-start",
  "update-before-open",
  "update-after-close",
  "input-after-close",
]);

export function createLogExaminer(): Examiner {
  const runs = new Map<string, RunState>();
  const calls = new Set<string>();
  const reported = new Set<string>();

  const isNews = (runId: string, { rule, callId }: Remark): boolean => {
    if (!reportedOnce.has(rule)) return true;
    const key = JSON.stringify([runId, rule, callId]);
    const isFirst = !reported.has(key);
    reported.add(key);
    return isFirst;
  };

  return {
    examine(payload) {
      if (payload.type === "done") return [];
      const { value } = payload;
      if (value.seq === undefined) return [violation("seq-missing", "the event has no seq")];
      const parsed = parseRestedEvent(value);
      if (parsed.status === "malformed") return [malformed(value, parsed.problem)];
      const { event, foldedFrom } = parsed.rested;
      if ("callId" in event && event.callId !== undefined) {
        calls.add(JSON.stringify([event.runId, event.callId]));
      }
      const last = runs.get(event.runId) ?? initialState;
      // Positions that were folded into closings are not missing.
      const before = foldedFrom === last.seq + 1 ? { ...last, seq: event.seq - 1 } : last;
      const admission = admit(before, event);
      runs.set(event.runId, admission.state);
      const remarks = remarksOf(before, event, admission);
      return remarks.filter((remark) => isNews(event.runId, remark));
    },
    end: () => [...runs.values()].flatMap(unfinished),
    calls: () => calls.size,
  };
}

function malformed(value: Fields, problem: string): Remark {
  const type = textOf(value.type) ?? "";
  return eventType.test(type)
    ? violation("malformed-line", problem.replaceAll("\n", " "), textOf(value.callId))
    : suspicion("unknown-type", `unknown event ${type}`);
}

function remarksOf(before: RunState, event: RunEvent, { faults }: Admission): readonly Remark[] {
  // Without a start there is no position after which the next event could leave a gap.
  const isLost = faults.some(({ code }) => code === "runNotStarted");
  const told = isLost ? faults.filter(({ code }) => code !== "gap") : faults;
  return told.flatMap((fault): readonly Remark[] => {
    if (fault.code === "callsOpen") {
      return openCallsOf(before).map(({ callId, status }) =>
        violation("open-at-turn-end", `still ${status} when the run closed`, callId),
      );
    }
    return [violation(ruleFor(fault.code, event), fault.message, fault.callId)];
  });
}

/** A closing that comes again, or too early, is named for what it is. */
function ruleFor(code: FaultCode, event: RunEvent): RuleName {
  if (code === "callClosed" && event.type === "call.closed") return "closed-twice";
  if (code === "notRunning" && event.type === "call.closed") return "completed-without-run";
  if (code === "runClosed" && event.type === "run.closed") return "ended-twice";
  return ruleOf[code];
}

/** A parked run waits for a person, possibly for days: its log is complete. */
function unfinished(state: RunState): readonly Remark[] {
  if (state.status !== "open" || state.parkedAt !== undefined) return [];
  return [
    violation("missing-end", `run ${state.runId} was never closed`),
    ...openCallsOf(state).map(({ callId, status }) =>
      violation("open-at-stream-end", `still ${status}`, callId),
    ),
  ];
}
