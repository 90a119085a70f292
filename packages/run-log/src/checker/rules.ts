/**
 * The rules by name: what a recorded stream must satisfy in any dialect. The names are public and SPEC.md lists them.
 * This module only names; `judge.ts` and the readers judge.
 */
/** Rules for the stream, its lines and everything except calls. */
export const streamRules = {
  "malformed-line": "Every line is one JSON object of its dialect's shape.",
  "unknown-dialect": "The stream has one of the known dialects.",
  "unknown-type": "Every line has a type that its dialect knows.",
  "missing-field": "Every line has the fields that its dialect requires.",
  "forbidden-field": "No line has a field that its dialect removed or reserves for another stage.",
  "null-field": "On ACP v1 an unchanged field of a tool call is omitted, never null.",
  "seq-gap": "Sequence numbers have no gaps.",
  "seq-repeated": "Every sequence number occurs once, in rising order.",
  "seq-missing": "A stream that numbers its lines numbers all of them.",
  "timestamp-regressed": "The timestamps of one call never go back.",
  "missing-start": "The stream starts with its opening event.",
  "started-twice": "A run, and a connection, starts once before it ends.",
  "missing-end": "The stream has an end event.",
  "ended-twice": "The stream ends once.",
  "event-after-end": "Nothing follows the end of the stream.",
  "update-before-session": "No update of a session comes before the answer to its creation.",
  "unknown-value": "Every value is one that the version of the protocol defines.",
  "wrong-version": "No message belongs to another version of the protocol.",
  "unknown-session":
    "Every message names a session that was created or loaded on the connection, and not closed.",
  "resume-replays": "A resumed session is not replayed.",
  "request-unanswered": "Every request is answered.",
  "answered-twice": "A request is answered once.",
  "answer-without-request": "Every answer belongs to a request.",
  "id-reused": "A request has an id that no other request of its side waits under.",
  "cancel-not-honoured": "A cancelled turn, and no other, is answered with `cancelled`.",
  "capability-not-given": "What one side uses, the other side has offered.",
  "terminal-not-open": "A terminal is used and first shown after its creation, before its release.",
  "terminal-left-open": "A terminal that was created is released.",
  "unattributable-answer":
    "The answer to a prompt can be distinguished from those of other sessions.",
  "part-opened-twice": "A message, part, step or subagent is opened once.",
  "part-not-open": "Text, parts, steps and subagents are continued and closed only while open.",
  "part-left-open": "Every message, part, step and subagent is closed before its surroundings end.",
} as const satisfies Readonly<Record<string, string>>;

/** Rules for every tool call. */
export const callRules = {
  "update-before-open": "A call is opened before any other update of it.",
  "opened-twice": "A call is opened once; its id is never used again.",
  "closed-twice": "A call is closed once.",
  "update-after-close": "Nothing about a call follows its closing.",
  "open-at-turn-end": "Every call is closed when its turn or run ends.",
  "open-at-stream-end": "Every call is closed when the stream ends.",
  "update-after-turn-end": "Nothing about a call follows the end of its turn.",
  "closed-after-turn-end": "The closing of a call comes before the end of its turn.",
  "stage-regression": "A call never goes back to an earlier stage.",
  "input-after-close": "No argument text follows the complete arguments.",
  "delta-hole": "A delta starts where the text so far ends: nothing is missing.",
  "delta-overlap": "A delta starts where the text so far ends: nothing is repeated.",
  "pieces-differ": "The pieces of a text or of arguments add up to the whole that is given.",
  "result-before-input": "A result comes after the complete arguments.",
  "run-before-input": "Execution starts after the complete arguments.",
  "progress-before-run": "Progress comes after the start of execution.",
  "completed-without-run": "A call succeeds only while it runs.",
  "run-without-approval": "A call that asked for approval runs only after the answer.",
  "run-after-denial": "A denied call never runs.",
  "approval-mismatch": "An approval is requested once at a time and answered once.",
  "end-without-outcome": "The closing of a call has an outcome.",
  "contradictory-outcome": "The outcome of a call agrees with its own evidence.",
  "completed-in-cancelled-turn":
    "A call that a cancelled turn interrupted is not reported as completed.",
  "spinner-on-end": "A closing hides the spinner.",
  "empty-update": "An update of a call has at least one field.",
  "unchanged-field": "An update has only changed fields.",
  "malformed-content": "The content and the places of a call have the shapes of the protocol.",
  "resent-content": "Content is sent once, or replaced a bounded number of times.",
  "nested-call-open": "A call is closed after the calls that work for it.",
} as const satisfies Readonly<Record<string, string>>;

export const rules = { ...streamRules, ...callRules } as const;

export type RuleName = keyof typeof rules;

export type Severity = "violation" | "suspicion";

/** A violation before its line is known. */
export interface Remark {
  readonly rule: RuleName;
  readonly message: string;
  readonly callId?: string;
  readonly severity: Severity;
}

export const violation = (rule: RuleName, message: string, callId?: string): Remark =>
  callId === undefined
    ? { rule, message, severity: "violation" }
    : { rule, message, callId, severity: "violation" };

export const suspicion = (rule: RuleName, message: string, callId?: string): Remark => ({
  ...violation(rule, message, callId),
  severity: "suspicion",
});
