/** The result of a guard after every limit that asks was answered. */
import type { CallId } from "@callboard/run-log";
import type { LimitRequest } from "@callboard/run-log/asking";
import { abortReasonOf } from "../utils/abortReason.js";
import type { GuardVerdict } from "./guard/warnings.js";

export interface LimitQuestions {
  /** Waits until a person granted or refused more, or the signal aborts. Throws a ParkedError with the run. */
  ask(request: LimitRequest, signal: AbortSignal): Promise<void>;
  /** Continues a question of another process. Undefined if the call is not such a question. */
  takeUp(callId: CallId, signal: AbortSignal): Promise<void> | undefined;
}

export async function answeredVerdict(
  verdictOf: () => GuardVerdict,
  signal: AbortSignal,
  { limitQuestions }: { readonly limitQuestions: LimitQuestions },
): Promise<Exclude<GuardVerdict, { status: "ask" }>> {
  for (;;) {
    const verdict = verdictOf();
    if (verdict.status !== "ask") return verdict;
    await limitQuestions.ask(verdict.request, signal);
    if (signal.aborted) {
      return { status: "stop", errorType: verdict.errorType, reason: abortReasonOf(signal) };
    }
  }
}
