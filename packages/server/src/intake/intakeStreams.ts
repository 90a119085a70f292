/**
 * Streams of other agents that clients send in parts. A stream belongs to one user; its memory is kept between parts for
 * a while, and no line is read twice. An idle stream is ended as if it had stopped there. A stream that is open when the
 * server stops stays open: the client sends it to the next server from its start.
 */
import type { Clock, Logger } from "@callboard/agent-sdk";
import {
  createIntake,
  type DialectName,
  type Intake,
  type IntakeFinding,
  type SplitLine,
  type Taken,
} from "@callboard/run-log/intake";
import { HttpProblem } from "../http/problem.js";
import type { Viewer } from "../stores/runStore.js";
import type { ForeignRuns } from "./foreignRuns.js";

export interface IntakeStreamsOptions {
  readonly runsOf: (user: Viewer) => ForeignRuns;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly redactLine: (text: string) => string;
}

export interface IntakeStream {
  /** Lines taken so far. */
  readonly lines: number;
  readonly intake: Intake;
  readonly runs: ForeignRuns;
  /** Reads the lines that were not read before. `from` lines come before the first. */
  take(from: number, lines: AsyncIterable<SplitLine>): Promise<readonly IntakeFinding[]>;
  admit(value: Readonly<Record<string, unknown>>): Promise<void>;
  end(): Promise<readonly IntakeFinding[]>;
  /** Releases its runs in their current state. */
  leave(): Promise<void>;
}

export interface IntakeStreams {
  open(user: Viewer, dialect: DialectName, streamId: string): Promise<IntakeStream>;
  /** Ends nothing. */
  close(): Promise<void>;
}

interface Kept {
  readonly stream: IntakeStream;
  readonly userId: string;
  usedAt: number;
}

const idleMs = 10 * 60_000;
const lookMs = 60_000;
const mostPerUser = 32;
const mostFindings = 100;

export function createIntakeStreams(options: IntakeStreamsOptions): IntakeStreams {
  const { runsOf, clock, logger, redactLine } = options;
  const kept = new Map<string, Kept>();
  const over = new AbortController();
  let looking: Promise<void> | undefined;

  async function sweep(): Promise<void> {
    const now = clock.monotonic();
    for (const { stream, usedAt } of [...kept.values()]) {
      if (now - usedAt < idleMs) continue;
      try {
        await stream.end();
      } catch (error) {
        logger.warn("Ending a recorded stream failed.", { error });
      }
    }
  }

  /** For as long as there are streams. */
  async function look(): Promise<void> {
    while (kept.size > 0 && !over.signal.aborted) {
      await clock.sleep(lookMs, over.signal);
      if (!over.signal.aborted) await sweep();
    }
    looking = undefined;
  }

  return {
    async open(user, dialect, streamId) {
      const key = JSON.stringify([user.userId, dialect, streamId]);
      const known = kept.get(key);
      if (known) {
        known.usedAt = clock.monotonic();
        return known.stream;
      }
      const own = [...kept.values()].filter(({ userId }) => userId === user.userId).length;
      if (own >= mostPerUser) {
        const detail = `You have ${own} streams open: end one with end=true, or wait until they expire.`;
        throw new HttpProblem(429, "too-many-streams", detail);
      }
      const runs = runsOf(user);
      const intake = createIntake({
        dialect,
        sessionId: streamId,
        runMark: `${streamId}-`,
        clock: () => clock.now(),
      });
      const stream = createStream(intake, runs, redactLine, () => kept.delete(key));
      kept.set(key, { stream, userId: user.userId, usedAt: clock.monotonic() });
      looking ??= look();
      return stream;
    },
    async close() {
      over.abort();
      await looking;
      for (const { stream } of kept.values()) await stream.leave();
      kept.clear();
    },
  };
}

function createStream(
  intake: Intake,
  runs: ForeignRuns,
  redactLine: (text: string) => string,
  onEnd: () => void,
): IntakeStream {
  let lines = 0;
  /** Parts of one stream are taken one after the other. */
  let work: Promise<unknown> = Promise.resolve();

  function inTurn<Result>(task: () => Promise<Result>): Promise<Result> {
    const result = work.then(task);
    work = result.catch(() => undefined);
    return result;
  }

  async function keep(taken: Taken, findings: IntakeFinding[]): Promise<void> {
    for (const finding of taken.findings)
      if (findings.length < mostFindings) findings.push(finding);
    await runs.take(taken);
  }

  return {
    get lines() {
      return lines;
    },
    intake,
    runs,
    take: (from, given) =>
      inTurn(async () => {
        if (from > lines) {
          const detail = `The stream is at line ${lines}: send it from there, with from=${lines}.`;
          throw new HttpProblem(409, "stream-hole", detail);
        }
        const findings: IntakeFinding[] = [];
        let place = from;
        for await (const line of given) {
          place += 1;
          if (place <= lines) continue;
          lines = place;
          const clean = line.type === "line" ? { ...line, text: redactLine(line.text) } : line;
          try {
            await keep(intake.take(clean), findings);
          } catch (error) {
            // The reader is past a line that is not stored: the stream is read again, from its start.
            onEnd();
            await runs.close();
            throw error;
          }
        }
        return findings;
      }),
    admit: (value) => inTurn(() => keep(intake.admit(value), [])),
    end: () =>
      inTurn(async () => {
        onEnd();
        const findings: IntakeFinding[] = [];
        try {
          await keep(intake.end(), findings);
        } finally {
          await runs.close();
        }
        return findings;
      }),
    leave: () => inTurn(() => runs.close()),
  };
}
