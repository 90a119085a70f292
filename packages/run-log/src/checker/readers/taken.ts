/**
 * Checks the dialects that only come in, such as streams and session files of other agents. The intake reads them and
 * the law judges; this room only translates what they find.
 */
import type { DialectName } from "../../intake/dialects.js";
import type { IntakeFinding, IntakeFindingCode } from "../../intake/findings.js";
import { createIntake, endedEarly } from "../../intake/intake.js";
import type { Taken } from "../../intake/intakeContract.js";
import { unwrapped } from "../../lines/wrapped.js";
import type { FaultCode } from "../../log/faults.js";
import type { Examiner } from "../report.js";
import { type Remark, type RuleName, violation } from "../rules.js";
import { ruleOf } from "./log.js";

const rulesOfIntake: Readonly<Record<Exclude<IntakeFindingCode, FaultCode>, RuleName>> = {
  malformedLine: "malformed-line",
  unknownDialect: "unknown-dialect",
  repeatedCallId: "opened-twice",
  piecesDiffer: "pieces-differ",
  okWithoutInput: "contradictory-outcome",
  leftOpen: "open-at-turn-end",
};

export function createTakenExaminer(dialect: DialectName): Examiner {
  const intake = createIntake({ dialect, sessionId: "check", clock: () => 0 });
  return {
    examine(payload) {
      if (payload.type === "done") return [];
      const { value, isSent } = unwrapped(payload.value);
      return intake.admit(value, isSent).findings.map(remarkOf);
    },
    end() {
      const taken = intake.end();
      const open = taken.findings.map((finding) =>
        finding.code === "leftOpen"
          ? violation("open-at-stream-end", finding.message, finding.callId)
          : remarkOf(finding),
      );
      return [...cutRuns(taken), ...open];
    },
    calls: () => intake.sessions().reduce((count, { calls }) => count + calls, 0),
  };
}

function remarkOf({ code, message, callId }: IntakeFinding): Remark {
  const rule = isOfIntake(code) ? rulesOfIntake[code] : ruleOf[code];
  return violation(rule, message, callId);
}

function isOfIntake(code: IntakeFindingCode): code is keyof typeof rulesOfIntake {
  return Object.hasOwn(rulesOfIntake, code);
}

function cutRuns({ sessions }: Taken): readonly Remark[] {
  return sessions.flatMap(({ events }) =>
    events.flatMap((event) =>
      event.type === "run.closed" && event.reason === endedEarly
        ? [violation("missing-end", endedEarly)]
        : [],
    ),
  );
}
