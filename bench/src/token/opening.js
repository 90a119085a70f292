/** Opening a session and reading what an agent needs to continue with it. */
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createFileSessionStore, systemClock } from "../../../packages/agent-sdk/dist/index.js";
import { formatEventLine } from "../../../packages/run-log/dist/index.js";
import { run, spokenLog } from "./logs.js";

const logger = { debug() {}, info() {}, warn() {}, error: console.error };
const events = 21_000;

export async function openingASession() {
  const home = await mkdtemp(join(tmpdir(), "callboard-bench-"));
  try {
    const store = createFileSessionStore({ home, logger, clock: systemClock });
    const log = spokenLog(events * 13, 13, 33);
    const session = await store.open("rest");
    await session.append(run, 0, log);
    await session.close();
    await mkdir(join(home, "sessions", "older"), { recursive: true, mode: 0o700 });
    const lines = log.map(formatEventLine).join("");
    await writeFile(join(home, "sessions", "older", "log.jsonl"), lines, { mode: 0o600 });
    return [
      await opened(store, "rest", `opening a session of ${log.length} events, at rest ≤ 100 ms`),
      await opened(
        store,
        "older",
        `opening a session of ${log.length} events of an older version ≤ 100 ms`,
      ),
    ];
  } finally {
    await rm(home, { recursive: true, force: true });
  }
}

/**
 * @param {ReturnType<typeof createFileSessionStore>} store
 * @param {string} sessionId
 * @param {string} bar
 */
async function opened(store, sessionId, bar) {
  let best = Number.POSITIVE_INFINITY;
  for (let turn = 0; turn < 5; turn++) {
    const before = process.cpuUsage();
    const session = await store.open(sessionId);
    for await (const _ of session.history());
    const { user, system } = process.cpuUsage(before);
    best = Math.min(best, (user + system) / 1000);
    await session.close();
  }
  return { bar, isMet: best <= 100, measured: `${best.toFixed(0)} ms of CPU` };
}
