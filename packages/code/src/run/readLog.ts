/**
 * The events of a session or a file as they stand, for looking at them: nothing is locked, repaired or
 * closed, so a session that another process writes can be read too. What is broken is said, and ends it.
 */
import { createReadStream } from "node:fs";
import { join } from "node:path";
import { createInterface } from "node:readline";
import type { Readable } from "node:stream";
import { assertSessionId, callboardHome } from "@callboard/agent-sdk";
import { parseEventLine, type RunEvent } from "@callboard/run-log";

export interface ReadLog {
  readonly events: readonly RunEvent[];
  /** Why the rest could not be read. */
  readonly warning: string | undefined;
}

type Environment = Readonly<Record<string, string | undefined>>;

export function sessionFileOf(env: Environment, sessionId: string): string {
  assertSessionId(sessionId);
  return join(callboardHome(env), "sessions", sessionId, "log.jsonl");
}

export function readSessionLog(env: Environment, sessionId: string): Promise<ReadLog> {
  return readLog(createReadStream(sessionFileOf(env, sessionId)));
}

export async function readLog(stream: Readable): Promise<ReadLog> {
  const events: RunEvent[] = [];
  let line = 0;
  for await (const text of linesOf(stream)) {
    line += 1;
    if (text.trim() === "") continue;
    const parsed = parseEventLine(text);
    if (parsed.status === "malformed") {
      return { events, warning: `line ${line} cannot be read: ${parsed.problem}` };
    }
    events.push(parsed.event);
  }
  return { events, warning: undefined };
}

/** An error of the stream is thrown to whoever reads the lines. */
export async function* linesOf(stream: Readable): AsyncGenerator<string, void> {
  const lines = createInterface({ input: stream, crlfDelay: Number.POSITIVE_INFINITY });
  let failure: Error | undefined;
  stream.once("error", (error: Error) => {
    failure = error;
    lines.close();
  });
  for await (const line of lines) yield line;
  if (failure) throw failure;
}
