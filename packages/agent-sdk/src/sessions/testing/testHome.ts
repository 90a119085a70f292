/** A home in the system's folder for passing things, and how to leave nothing behind. For tests alone. */
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { FileSessionStore, FileSessionStoreOptions } from "../fileSessionStore.js";
import { createFileSessionStore } from "../fileSessionStore.js";
import { createListener, createStillClock } from "./testSession.js";

export interface TestHome {
  readonly home: string;
  readonly heard: ReturnType<typeof createListener>["heard"];
  readonly store: FileSessionStore;
  /** The path of a file of a session. */
  path(sessionId: string, name?: string): string;
  remove(): Promise<void>;
}

export async function createTestHome(
  options: Partial<Pick<FileSessionStoreOptions, "flush" | "clock">> = {},
): Promise<TestHome> {
  const folder = await mkdtemp(join(tmpdir(), "callboard-sessions-"));
  const home = join(folder, "home");
  const logger = createListener();
  const clock = createStillClock();
  return {
    home,
    heard: logger.heard,
    store: createFileSessionStore({ home, logger, clock, ...options }),
    path: (sessionId, name = "log.jsonl") => join(home, "sessions", sessionId, name),
    remove: () => rm(folder, { recursive: true, force: true }),
  };
}
