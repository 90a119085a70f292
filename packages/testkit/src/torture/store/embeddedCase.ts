/** A database in a folder whose process is killed again and again, each time with runs under way. */
import { randomUUID } from "node:crypto";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { systemClock } from "@callboard/agent-sdk";
import { openStore } from "@callboard/store";
import { createRandom } from "../random.js";
import type { CaseReport } from "../torturePart.js";
import { aftermathOf } from "./aftermath.js";
import type { Word } from "./words.js";
import { startWorker } from "./workerProcess.js";

const quiet = { debug: () => {}, info: () => {}, warn: () => {}, error: () => {} };

export async function embeddedCase(seed: number): Promise<CaseReport> {
  const random = createRandom(seed);
  const folder = await mkdtemp(join(tmpdir(), "callboard-store-torture-"));
  const userId = randomUUID();
  const words: Word[] = [];
  const complaints: string[] = [];
  const kills = 2 + random.int(2);
  for (let kill = 0; kill < kills; kill += 1) {
    const worker = startWorker(
      { place: { folder }, seed: random.int(1_000_000), userId, leaseMs: 10_000, writers: 3 },
      (word) => words.push(word),
    );
    // Sometimes it is killed while it opens the database, the first time in the middle of creating it.
    if (random.int(3) === 0) await systemClock.sleep(random.int(2_500));
    else await worker.untilHeard(5 + random.int(200));
    await systemClock.sleep(random.int(30));
    await worker.kill();
    complaints.push(...worker.complaints);
  }
  const store = await openStore({ folder }, { clock: systemClock, logger: quiet });
  try {
    const sessions = store.sessions({ userId });
    for (const { sessionId } of await sessions.list())
      await (await sessions.open(sessionId)).close();
    const aftermath = await aftermathOf(store, words);
    const faults = [...complaints, ...aftermath.faults];
    return {
      failure: faults.length === 0 ? undefined : faults.slice(0, 20).join("\n"),
      figures: { "PGlite kills": kills, ...aftermath.figures },
    };
  } finally {
    await store.close();
    await rm(folder, { recursive: true });
  }
}
