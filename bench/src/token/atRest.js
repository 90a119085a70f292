/** The bytes that a closed run takes on disk for each byte of its text. */
import { mkdtemp, rm, stat } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createFileSessionStore, systemClock } from "../../../packages/agent-sdk/dist/index.js";
import { run, spokenLog } from "./logs.js";

const logger = { debug() {}, info() {}, warn() {}, error: console.error };
const characters = 400_000;

/** 100 deltas of 4 characters a second are 13 characters in a pulse of 33 ms. */
export async function atRest() {
  const home = await mkdtemp(join(tmpdir(), "callboard-bench-"));
  try {
    const store = createFileSessionStore({ home, logger, clock: systemClock });
    const log = spokenLog(characters, 13, 33);
    const session = await store.open("rest");
    await session.append(run, 0, log);
    await session.close();
    const { size } = await stat(join(home, "sessions", "rest", "log.jsonl"));
    const ratio = size / characters;
    return {
      bar: "a closed run on disk ≤ 2 × its text (400 KB, 100 deltas a second)",
      isMet: ratio <= 2,
      measured: `${ratio.toFixed(2)} ×`,
    };
  } finally {
    await rm(home, { recursive: true, force: true });
  }
}
