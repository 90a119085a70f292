/**
 * Whether a call that is reported as completed really was: a killed or unfinished process, an abort flag and a cancelled
 * turn are evidence against it. It only ever turns a false ok into a failure.
 */
import { type Evidence, evidenceOfClosing, evidenceOfUpdate } from "@callboard/run-log/acp";
import type { AcpVersion } from "@callboard/run-log/projections";
import type { SessionUpdate } from "../updates/sessionUpdate.js";

export interface CallJudge {
  cancelRequested(sessionId: string): void;
  turnEnded(sessionId: string): void;
  /** The update as it is true. */
  judged(sessionId: string, update: SessionUpdate, version: AcpVersion): SessionUpdate;
}

export function createCallJudge(): CallJudge {
  const cancelled = new Set<string>();
  const evidences = new Map<string, Evidence>();

  return {
    cancelRequested: (sessionId) => void cancelled.add(sessionId),
    turnEnded(sessionId) {
      cancelled.delete(sessionId);
      for (const key of [...evidences.keys()]) {
        if (key.startsWith(`${sessionId} `)) evidences.delete(key);
      }
    },
    judged(sessionId, update, version) {
      if (!update.sessionUpdate.startsWith("tool_call")) return update;
      const key = `${sessionId} ${String(update.toolCallId)}`;
      const evidence = evidenceOfUpdate(update) ?? evidences.get(key);
      if (evidence) evidences.set(key, evidence);
      if (update.status !== "completed") return update;
      const found = evidence ?? evidenceOfClosing(update);
      const isFalse = found !== undefined && (found.isCertain || cancelled.has(sessionId));
      if (!isFalse) return update;
      const status = version === 2 && cancelled.has(sessionId) ? "cancelled" : "failed";
      return { ...update, status };
    },
  };
}
