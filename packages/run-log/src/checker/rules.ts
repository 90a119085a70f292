/**
 * The rules by name: what a recorded stream must keep, whatever its dialect. The names are public and
 * the SPEC lists them. This room only names; judging happens in `judge.ts` and in the readers.
 */
/** What holds for the stream, its lines and everything that is no call. */
export const streamRules = {
  "malformed-line": "Every line is one JSON object of its dialect's shape.",
  "unknown-dialect": "The stream speaks one of the known dialects.",
  "unknown-type": "Every line has a type that its dialect knows.",
  "missing-field": "Every line carries the fields that its dialect requires.",
  "forbidden-field":
    "No line carries a field that its dialect removed or reserves for another stage.",
  "null-field": "On ACP v1 an unchanged field of a tool call is left out, never null.",
  "seq-gap": "Sequence numbers have no gaps.",
  "seq-repeated": "Every sequence number occurs once, in rising order.",
  "seq-missing": "A stream that numbers its lines numbers all of them.",
  "timestamp-regressed": "The timestamps of one call never go back.",
  "missing-start": "The stream begins with its opening event.",
  "started-twice": "A run starts once before it ends.",
  "missing-end": "The stream says that it ends.",
  "ended-twice": "The stream ends once.",
  "event-after-end": "Nothing follows the end of the stream.",
  "update-before-session": "Nothing is said about a session before its creation is answered.",
  "unknown-value": "Words of the protocol are those that its version knows.",
  "wrong-version": "Nothing is said that only another version of the protocol has.",
  "unknown-session": "Everything is about a session that was created or loaded on the connection.",
  "resume-replays": "A session that is resumed is not told again.",
  "request-unanswered": "Every request is answered.",
  "answered-twice": "A request is answered once.",
  "cancel-not-honoured": "A cancelled turn is answered with `cancelled`.",
  "capability-not-given": "Files and terminals are used only where the client offers them.",
  "unattributable-answer": "The answer to a prompt can be told apart from those of other sessions.",
  "part-opened-twice": "A message, part, step or subagent is opened once.",
  "part-not-open": "Text, parts, steps and subagents are continued and closed only while open.",
  "part-left-open": "Every message, part, step and subagent is closed before its surroundings end.",
} as const satisfies Readonly<Record<string, string>>;

/** What holds for every tool call. */
export const callRules = {
  "update-before-open": "A call is opened before anything else is said about it.",
  "opened-twice": "A call is opened once; its id is never used again.",
  "closed-twice": "A call is closed once.",
  "update-after-close": "Nothing about a call follows its closing.",
  "open-at-turn-end": "Every call is closed when its turn or run ends.",
  "open-at-stream-end": "Every call is closed when the stream ends.",
  "update-after-turn-end": "Nothing about a call follows the end of its turn.",
  "closed-after-turn-end": "The closing of a call comes before the end of its turn.",
  "stage-regression": "A call never goes back to an earlier stage.",
  "input-after-close": "No argument text follows the complete arguments.",
  "delta-hole": "A delta begins where the text so far ends: nothing is missing.",
  "delta-overlap": "A delta begins where the text so far ends: nothing is repeated.",
  "result-before-input": "A result comes after the complete arguments.",
  "run-before-input": "Execution begins after the complete arguments.",
  "progress-before-run": "Progress comes after execution began.",
  "completed-without-run": "A call ends well only while it runs.",
  "run-without-approval": "A call that asked for approval runs only after the answer.",
  "run-after-denial": "A denied call never runs.",
  "approval-mismatch": "An approval is asked once at a time and answered once.",
  "end-without-outcome": "The closing of a call says how it ended.",
  "contradictory-outcome": "The outcome of a call agrees with its own evidence.",
  "completed-in-cancelled-turn":
    "A call that a cancelled turn interrupted is not reported as completed.",
  "spinner-on-end": "A closing hides the spinner.",
  "empty-update": "An update of a call says something.",
  "unchanged-field": "An update carries only what changed.",
  "malformed-content": "The content and the places of a call have the shapes of the protocol.",
  "resent-content": "Content is sent once, or replaced a bounded number of times.",
  "nested-call-open": "A call is closed after the calls that work for it.",
} as const satisfies Readonly<Record<string, string>>;

export const rules = { ...streamRules, ...callRules } as const;

export type RuleName = keyof typeof rules;

export type Severity = "violation" | "suspicion";

/** What is wrong, before anyone said on which line. */
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
