/**
 * Real processes write a session and are killed without warning; then the session is opened, and every guarantee about
 * it is checked. The seed chooses after how many stored batches each kill comes; the exact moment depends on the
 * machine. Files stay inside the given home.
 */
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { evolve, initialState, type RunEvent } from "@callboard/run-log";
import type { SessionLog } from "../../types/sessions.js";
import { createFileSessionStore } from "../fileSessionStore.js";
import { startSessionProcess } from "./sessionProcess.js";
import { createListener, createStillClock } from "./testSession.js";

export interface KillScenarioOptions {
  readonly home: string;
  readonly kills: number;
  /** A number in [0, 1) for each choice. */
  readonly random: () => number;
}

/** Everything but the first five must be 0. */
export interface KillFigures {
  readonly kills: number;
  readonly runs: number;
  readonly calls: number;
  /** How often the process ended inside a write. */
  readonly tornWrites: number;
  /** Runs that the next opening had to close. */
  readonly interruptedRuns: number;
  readonly missingEnds: number;
  readonly doubledEnds: number;
  readonly openRuns: number;
  readonly faults: number;
  /** Events that were reported as stored, and are not. */
  readonly lostEvents: number;
  /** Openings after which a second opening still changed the file. */
  readonly unsettledOpenings: number;
}

const killsPerSession = 10;

export async function killScenario(options: KillScenarioOptions): Promise<KillFigures> {
  const { home, kills, random } = options;
  const logger = createListener();
  const store = createFileSessionStore({ home, logger, clock: createStillClock(Date.now()) });
  const stored = new Map<string, number>();
  const totals = { runs: 0, calls: 0, missingEnds: 0, doubledEnds: 0, openRuns: 0, faults: 0 };
  let lostEvents = 0;
  let unsettledOpenings = 0;

  async function check(sessionId: string, isLast: boolean): Promise<void> {
    const log = await store.open(sessionId);
    const path = join(home, "sessions", sessionId, "log.jsonl");
    const before = await readFile(path);
    for (const runId of await log.runIds()) {
      const events = await log.read(runId, { after: 0 });
      lostEvents += Math.max(0, (stored.get(runId) ?? 0) - events.length);
      stored.delete(runId);
      const found = findingsOf(events);
      if (isLast) totals.runs += 1;
      if (isLast) totals.calls += found.calls;
      totals.missingEnds += found.missingEnds;
      totals.doubledEnds += found.doubledEnds;
      totals.openRuns += found.openRuns;
      totals.faults += found.faults;
    }
    for (const seq of stored.values()) lostEvents += seq;
    stored.clear();
    await log.close();
    await reopened(store.open(sessionId));
    if (!before.equals(await readFile(path))) unsettledOpenings += 1;
  }

  for (let kill = 0; kill < kills; kill += 1) {
    const sessionId = `killed-${Math.floor(kill / killsPerSession)}`;
    const child = startSessionProcess(home);
    child.say(`write ${sessionId}`);
    const heard: string[] = [];
    const patience = 1 + Math.floor(random() ** 2 * 60);
    for (let count = 0; count < patience; count += 1) {
      const line = await child.next();
      if (line === undefined) break;
      heard.push(line);
    }
    for (const line of [...heard, ...(await child.kill())]) {
      const [word, runId, seq] = line.split(" ");
      if (word === "at" && runId !== undefined) stored.set(runId, Number(seq));
    }
    const isLast = kill === kills - 1 || (kill + 1) % killsPerSession === 0;
    await check(sessionId, isLast);
  }
  const heardOf = (start: string): number =>
    logger.heard.filter(({ message }) => message.startsWith(start)).length;
  return {
    kills,
    runs: totals.runs,
    calls: totals.calls,
    tornWrites: heardOf("a write that a crash cut short"),
    interruptedRuns: heardOf("a run that its process left open"),
    missingEnds: totals.missingEnds,
    doubledEnds: totals.doubledEnds,
    openRuns: totals.openRuns,
    faults: totals.faults,
    lostEvents,
    unsettledOpenings,
  };
}

async function reopened(opening: Promise<SessionLog>): Promise<void> {
  const log = await opening;
  await log.close();
}

/** Counted from the events themselves, beside the fold: neither is trusted alone. */
function findingsOf(events: readonly RunEvent[]) {
  const ends = new Map<string, number>();
  let state = initialState;
  let misplaced = 0;
  for (const [at, event] of events.entries()) {
    state = evolve(state, event);
    if (event.seq !== at + 1) misplaced += 1;
    if (event.type === "call.opened") ends.set(event.callId, ends.get(event.callId) ?? 0);
    if (event.type === "call.closed") ends.set(event.callId, (ends.get(event.callId) ?? 0) + 1);
  }
  const counts = [...ends.values()];
  return {
    calls: ends.size,
    missingEnds: counts.filter((count) => count === 0).length,
    doubledEnds: counts.filter((count) => count > 1).length,
    openRuns: state.status === "closed" ? 0 : 1,
    faults: state.faultCount + misplaced,
  };
}
