/**
 * Where an example run is recorded: a clock that moves only on request, a recorder, and the log so far. A move that the
 * rules refuse is a mistake of the script and throws, unless the script expects it.
 */
import { createRecorder, type FaultCode, type RunEvent, type Timed } from "@callboard/run-log";
import { closeOpenCalls } from "@callboard/run-log/writing";

export interface LifeStage {
  readonly log: readonly RunEvent[];
  later(milliseconds: number): void;
  record(intent: Timed): void;
  /** The move must be refused with this code; nothing is written. */
  expectRefusal(intent: Timed, code: FaultCode): void;
  /** The writer has ended. The process that finds the log closes what it left open. */
  recover(message: string): void;
}

const curtainUp = Date.UTC(2026, 0, 5, 9, 0, 0);

export function createStage(): LifeStage {
  const log: RunEvent[] = [];
  let now = curtainUp;
  const clock = (): number => now;
  let recorder = createRecorder(clock);

  function record(intent: Timed): void {
    const decision = recorder.propose(intent);
    if (decision.status === "refused") {
      throw new Error(`${intent.type} was refused: ${decision.refusal.message}`);
    }
    log.push(...decision.events);
  }

  return {
    log,
    record,
    later(milliseconds) {
      now += milliseconds;
    },
    expectRefusal(intent, code) {
      const decision = recorder.propose(intent);
      const answer = decision.status === "refused" ? decision.refusal.code : decision.status;
      if (answer !== code) throw new Error(`${intent.type} should be ${code}, but is ${answer}`);
    },
    recover(message) {
      const found = createRecorder(clock, log);
      log.push(...closeOpenCalls(found.state, { at: now, outcome: "interrupted", message }));
      recorder = createRecorder(clock, log);
      record({ type: "closeRun", outcome: "interrupted", reason: message });
    },
  };
}
