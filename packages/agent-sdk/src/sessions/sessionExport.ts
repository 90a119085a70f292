/**
 * The export of a session: its events or its spans, without secrets unless requested otherwise. The stored data stays
 * unchanged. Redaction comes before everything else, so that no projection and no truncation ever sees half a secret.
 */
import { formatEventLine, type RunEvent } from "@callboard/run-log";
import {
  createProjector,
  createSpansProjection,
  type SpanRecord,
  type SpansOptions,
} from "@callboard/run-log/projections";
import { createRedactor, type Redactor } from "../redaction/redaction.js";
import type { SessionLog } from "../types/sessions.js";

/** Options of `exportSession` and `exportSpans`. */
export interface ExportOptions {
  /** False leaves everything as it is. Default: known forms, and the secrets of this process's environment. */
  readonly redact?: Redactor | false;
}

type ReadableSession = Pick<SessionLog, "runIds" | "read">;

const pageSize = 1_000;

/** The session as JSONL: an event a line, run after run. It reads a page at a time. */
export async function* exportSession(
  log: ReadableSession,
  options: ExportOptions = {},
): AsyncGenerator<string, void> {
  for await (const event of leavingEvents(log, options)) yield formatEventLine(event);
}

/** OpenTelemetry GenAI spans of all runs, each when what it measures has ended. */
export async function* exportSpans(
  log: ReadableSession,
  options: ExportOptions & SpansOptions = {},
): AsyncGenerator<SpanRecord, void> {
  let projector = createProjector(createSpansProjection(options));
  for await (const event of leavingEvents(log, options)) {
    if (event.type === "run.started") projector = createProjector(createSpansProjection(options));
    yield* projector.push(event);
  }
}

async function* leavingEvents(
  log: ReadableSession,
  { redact = createRedactor({ env: process.env }) }: ExportOptions,
): AsyncGenerator<RunEvent, void> {
  const leaving = redact === false ? (event: RunEvent) => event : redact.createEventRedactor();
  for (const runId of await log.runIds()) {
    for (let after = 0; ; ) {
      const page = await log.read(runId, { after, limit: pageSize });
      for (const event of page) yield leaving(event);
      if (page.length < pageSize) break;
      after += page.length;
    }
  }
}
