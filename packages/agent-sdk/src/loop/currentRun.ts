/**
 * The run that an agent executes now, or the one that was left open: parked, or by a process that ended. It answers what
 * is asked about either; it starts and resumes none.
 */
import type { PendingQuestion } from "@callboard/run-log";
import type { RunResult } from "../types/agent.js";
import type { LeftRun } from "./conversation.js";
import type { OpenRun } from "./run.js";

type RunInHand = Pick<OpenRun, "runId" | "signals" | "parking" | "questions" | "hasLastingCalls">;

export interface CurrentRun {
  readonly isOpen: boolean;
  /** The run that is executed now. */
  readonly runId: string | undefined;
  readonly left: LeftRun | undefined;
  readonly questions: readonly PendingQuestion[];
  readonly hasLastingCalls: boolean;
  /** Parks it if everything in it waits for an answer; true if it is parked. */
  park(): boolean;
  /** False if no such call is running. */
  cancelCall(callId: string, reason: string): boolean;
  /** Is about this run until its result is there. */
  follow<Result extends object>(
    run: RunInHand & { readonly result: Promise<Result> },
  ): Promise<Result>;
  /** Another session is open: its last run is the one that was left. */
  adopt(left: LeftRun | undefined): void;
}

export function createCurrentRun(ofSession: LeftRun | undefined): CurrentRun {
  let open: RunInHand | undefined;
  let left = ofSession;
  return {
    get isOpen() {
      return open !== undefined;
    },
    get runId() {
      return open?.runId;
    },
    get left() {
      return left;
    },
    get questions() {
      return open?.questions() ?? left?.questions ?? [];
    },
    get hasLastingCalls() {
      return open?.hasLastingCalls() ?? left?.hasLastingCalls ?? false;
    },
    park: () => open?.parking.parkNow() ?? left !== undefined,
    cancelCall: (callId, reason) => open?.signals.cancel(callId, reason) ?? false,
    async follow(run) {
      open = run;
      left = undefined;
      try {
        const result = await run.result;
        left = leftBy(result);
        return result;
      } finally {
        open = undefined;
      }
    },
    adopt(ofOther) {
      left = ofOther;
    },
  };
}

function leftBy(result: object | RunResult): LeftRun | undefined {
  if (!("outcome" in result) || result.outcome !== "parked") return undefined;
  const { runId, questions = [] } = result;
  return { runId, questions, hasLastingCalls: true };
}
