/**
 * What is left of a session whose process was killed: it is opened as anyone would open it, and every
 * promise about it is checked on the file itself. It kills nothing and deletes nothing.
 */

import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { Agent, createFileSessionStore, systemClock } from "@callboard/agent-sdk";
import { createRehearsalModel } from "@callboard/agent-sdk/testing";
import { isFileMissing } from "@callboard/run-log/values";
import { logFaultsOf, openCallCount, readLog } from "../logFaults.js";
import { type ModelCall, promptFaultsOf } from "../promptFaults.js";

export interface AftermathOptions {
  readonly home: string;
  readonly workdir: string;
  readonly sessionId: string;
  /** The last event of each run that was reported as stored. */
  readonly told: ReadonlyMap<string, number>;
}

export interface Aftermath {
  readonly faults: readonly string[];
  readonly calls: number;
  readonly foundOpen: number;
  readonly closedByOpening: number;
}

const patienceMs = 60_000;
const silent = { debug() {}, info() {}, warn() {}, error() {} };

export async function aftermathOf(options: AftermathOptions): Promise<Aftermath> {
  const { home, sessionId, told } = options;
  const path = join(home, "sessions", sessionId, "log.jsonl");
  const store = createFileSessionStore({ home, logger: silent, clock: systemClock });
  const faults: string[] = [];
  const tail = join(home, "sessions", sessionId, "tail.jsonl");
  // The runs under way are in the tail, also one that was asking when its process ended: it waits there.
  const stored = async (): Promise<string> => (await fileTextIn(path)) + (await fileTextIn(tail));
  const found = readLog(await stored()).events;

  await (await store.open(sessionId)).close();
  const recovered = await stored();
  faults.push(...logFaultsOf(recovered, { mayWait: true }));
  const { events } = readLog(recovered);
  for (const [runId, seq] of told) {
    const last = events.findLast((event) => event.runId === runId)?.seq ?? 0;
    if (last < seq) faults.push(`run ${runId} was told up to ${seq} and is stored up to ${last}`);
  }

  await (await store.open(sessionId)).close();
  if ((await stored()) !== recovered) faults.push("a second opening changed the log again");

  faults.push(...(await nextMessageFaults(options)));
  faults.push(...logFaultsOf(await stored()).map((fault) => `after the next run: ${fault}`));
  const foundOpen = openCallCount(found);
  const closedByOpening = foundOpen - openCallCount(events);
  const calls = events.filter(({ type }) => type === "call.opened").length;
  return { faults, calls, foundOpen, closedByOpening };
}

/** The conversation continues: the next request is one that a provider takes, and it is answered. */
async function nextMessageFaults({
  home,
  workdir,
  sessionId,
}: AftermathOptions): Promise<readonly string[]> {
  const faults: string[] = [];
  const model = createRehearsalModel();
  const agent = await Agent.create({
    model: {
      ...model,
      doStream(call: ModelCall) {
        faults.push(...promptFaultsOf(call.prompt).map((fault) => `next request: ${fault}`));
        return model.doStream(call);
      },
    },
    sessionId,
    workdir,
    env: { ...process.env, CALLBOARD_HOME: home },
    logger: silent,
  });
  const signal = AbortSignal.timeout(patienceMs);
  const { outcome, reason, text } = await agent.sendMessage("say still here", { signal });
  await agent.destroy();
  if (outcome !== "ok") faults.push(`the next run ended with ${outcome}: ${reason}`);
  else if (text !== "Rehearsal: still here") faults.push(`the next answer was: ${text}`);
  return faults;
}

async function fileTextIn(path: string): Promise<string> {
  try {
    return await readFile(path, "utf8");
  } catch (error) {
    if (isFileMissing(error)) return "";
    throw error;
  }
}
