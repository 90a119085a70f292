/** The totals of the runs so far for the result line. A fold over their events; it keeps no deltas. */
import {
  addUsage,
  type CallOutcome,
  type MessageId,
  noUsage,
  type RunEvent,
  type RunOutcome,
  type Usage,
} from "@callboard/run-log";

export interface Tally {
  readonly runId: string | undefined;
  readonly model: string | undefined;
  /** The assistant's last words. */
  readonly text: string;
  readonly usage: Usage;
  readonly calls: Readonly<Record<"total" | CallOutcome, number>>;
  readonly errorType: string | undefined;
  readonly end: { readonly outcome: RunOutcome; readonly reason: string | undefined } | undefined;
  /** Messages of the assistant in the conversation itself that are open now. */
  readonly speaking: ReadonlySet<MessageId>;
}

const noCalls = { total: 0, ok: 0, error: 0, denied: 0, cancelled: 0, timeout: 0, interrupted: 0 };

export const emptyTally: Tally = {
  runId: undefined,
  model: undefined,
  text: "",
  usage: noUsage,
  calls: noCalls,
  errorType: undefined,
  end: undefined,
  speaking: new Set(),
};

export function tallyAfter(tally: Tally, event: RunEvent): Tally {
  switch (event.type) {
    case "run.started": {
      const { runId, model } = event;
      return { ...tally, runId, model, text: "", errorType: undefined, end: undefined };
    }
    case "message.opened": {
      if (event.role === "user" || event.parentCallId !== undefined) return tally;
      return { ...tally, text: "", speaking: new Set([event.messageId]) };
    }
    case "text.closed":
      return tally.speaking.has(event.messageId)
        ? { ...tally, text: tally.text + event.text }
        : tally;
    case "error.reported":
      return { ...tally, errorType: event.errorType };
    case "call.opened":
      return { ...tally, calls: { ...tally.calls, total: tally.calls.total + 1 } };
    case "call.closed": {
      const { outcome } = event;
      return { ...tally, calls: { ...tally.calls, [outcome]: tally.calls[outcome] + 1 } };
    }
    case "run.closed": {
      const { outcome, reason } = event;
      return { ...tally, usage: addUsage(tally.usage, event.usage), end: { outcome, reason } };
    }
    default:
      return tally;
  }
}

export function failedCallsIn({ calls }: Tally): number {
  return calls.total - calls.ok;
}
