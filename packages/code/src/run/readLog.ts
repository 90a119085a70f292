/**
 * The events of a session or a file in their current state, for reading: nothing is locked, repaired or closed, so a
 * session that another process writes can be read too. A broken line is reported and ends the read.
 */

import { createReadStream } from "node:fs";
import { dirname, join } from "node:path";
import { createInterface } from "node:readline";
import type { Readable } from "node:stream";
import { callboardHome } from "@callboard/agent-sdk";
import { assertSessionId } from "@callboard/agent-sdk/sessions";
import type { RunEvent } from "@callboard/run-log";
import { isFileMissing } from "@callboard/run-log/values";
import { awakenedLog, parseRestedLine, type RestedEvent } from "@callboard/run-log/writing";

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

/** The runs that have ended, then the running ones: a run in both is the same, and returned once. */
export async function readSessionLog(env: Environment, sessionId: string): Promise<ReadLog> {
  const path = sessionFileOf(env, sessionId);
  // The tail first: a run that ends meanwhile is then read in one of them at least.
  const tail = await readLog(createReadStream(join(dirname(path), "tail.jsonl"))).catch(
    (error: unknown) => {
      if (isFileMissing(error)) return nothingRead;
      throw error;
    },
  );
  const log = await readLog(createReadStream(path));
  const known = new Map(log.events.map(({ runId, seq }) => [runId, seq]));
  const rest = tail.events.filter(({ runId, seq }) => seq > (known.get(runId) ?? 0));
  return { events: [...log.events, ...rest], warning: log.warning ?? tail.warning };
}

const nothingRead: ReadLog = { events: [], warning: undefined };

export async function readLog(stream: Readable): Promise<ReadLog> {
  const rested: RestedEvent[] = [];
  let line = 0;
  for await (const text of streamLines(stream)) {
    line += 1;
    if (text.trim() === "") continue;
    const parsed = parseRestedLine(text);
    if (parsed.status === "malformed") {
      const warning = `line ${line} cannot be read: ${parsed.problem}`;
      return { events: awakenedLog(rested), warning };
    }
    rested.push(parsed.rested);
  }
  return { events: awakenedLog(rested), warning: undefined };
}

/** An error of the stream is thrown to the reader of the lines. */
export async function* streamLines(stream: Readable): AsyncGenerator<string, void> {
  const lines = createInterface({ input: stream, crlfDelay: Number.POSITIVE_INFINITY });
  let failure: Error | undefined;
  stream.once("error", (error: Error) => {
    failure = error;
    lines.close();
  });
  for await (const line of lines) yield line;
  if (failure) throw failure;
}
