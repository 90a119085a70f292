/**
 * Records the stream of another library: `recordStream(result.fullStream, { dialect: "aiSdk" })`. The session is stored
 * in the home folder, where the terminal and the board find it. It never changes the content of the stream.
 */

import { randomUUID } from "node:crypto";
import { createIntake, type DialectName, type SessionReport } from "@callboard/run-log/intake";
import { isFields, withoutUndefined } from "@callboard/run-log/values";
import { createFileSessionStore } from "../sessions/fileSessionStore.js";
import { callboardHome } from "../sessions/home.js";
import { consoleLogger } from "../system/loggers.js";
import { systemClock } from "../system/systemClock.js";
import type { Clock } from "../types/clock.js";
import type { SessionStore } from "../types/sessions.js";
import { createForeignSessions } from "./foreignSessions.js";

/** Options of `recordStream`. */
export interface RecordStreamOptions {
  /** By default detected from the first part that only one dialect can write. */
  readonly dialect?: DialectName;
  /** The person's request: most streams do not contain it. It is the session's first message and its title. */
  readonly prompt?: string;
  /** The id of a session whose parts come in several streams. Default: a new id. */
  readonly sessionId?: string;
  /** Where sessions are stored. Default: the home folder of the terminal and the board. */
  readonly sessions?: SessionStore;
  readonly clock?: Clock;
}

/** Records the stream of another agent library as a session. Resolves when the stream ends. */
export async function recordStream(
  stream: AsyncIterable<unknown>,
  options: RecordStreamOptions = {},
): Promise<readonly SessionReport[]> {
  const { clock = systemClock, sessionId = randomUUID(), dialect, prompt } = options;
  const sessions =
    options.sessions ??
    createFileSessionStore({ home: callboardHome(process.env), logger: consoleLogger, clock });
  const intake = createIntake({
    sessionId,
    clock: () => clock.now(),
    runMark: `${clock.now().toString(36)}-`,
    ...withoutUndefined({ dialect, prompt }),
  });
  const kept = createForeignSessions({ sessions });
  try {
    try {
      for await (const part of stream) {
        if (isFields(part)) await kept.take(intake.admit(part));
        else if (typeof part === "string") await kept.take(intake.push(part));
      }
    } finally {
      await kept.take(intake.end());
    }
  } finally {
    await kept.close();
  }
  return intake.sessions();
}
