/**
 * Sends the spans of this process's runs to an OpenTelemetry collector, in batches, each span when what it
 * measures has ended. Arguments, results and texts are not sent. Whatever goes wrong here is logged; a run
 * never waits for the collector and never fails because of it.
 */
import type { RunEvent } from "@callboard/run-log";
import {
  createProjector,
  createSpansProjection,
  openedCallSpan,
  type Projector,
  type SpanRecord,
  type SpansMemory,
} from "@callboard/run-log/projections";
import { messageOfError } from "@callboard/run-log/values";
import type { Redactor } from "../redaction/redaction.js";
import type { Clock } from "../types/clock.js";
import type { Logger } from "../types/logger.js";
import { ConfigurationError } from "../utils/configurationError.js";
import { otlpRequestOf } from "./otlpSpans.js";

export interface SpanExport {
  /** Events of one run that are stored now, in order. It never throws. */
  observe(events: readonly RunEvent[]): void;
  /** Sends what waits, and gives up on a collector that does not answer in 3 seconds. Nothing is sent after it. */
  close(): Promise<void>;
}

export interface Collector {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
}

export interface SpanExportOptions {
  readonly collector: Collector;
  readonly version: string;
  readonly redactor: Redactor;
  readonly clock: Clock;
  readonly logger: Logger;
}

interface FollowedRun {
  readonly projector: Projector<SpansMemory, SpanRecord>;
  readonly redacted: (event: RunEvent) => RunEvent;
  readonly traceparent: string | undefined;
}

const batchSize = 512;
const batchMs = 5_000;
/** Spans that wait for a collector that does not answer. More are dropped. */
const mostWaiting = 4_096;
const attempts = 3;
const retryMs = 1_000;
const timeoutMs = 10_000;
/** How long the end of a process waits for the collector. */
const closingMs = 3_000;
/** The statuses after which the protocol allows a retry. */
const retryable: ReadonlySet<number> = new Set([429, 502, 503, 504]);

type Environment = Readonly<Record<string, string | undefined>>;

/** The collector of the environment; undefined if it names none. */
export function collectorFrom(env: Environment): Collector | undefined {
  const { OTEL_EXPORTER_OTLP_ENDPOINT: endpoint, OTEL_EXPORTER_OTLP_HEADERS: headers } = env;
  if (!endpoint) return undefined;
  if (!/^https?:\/\//.test(endpoint) || !URL.canParse(endpoint)) {
    throw new ConfigurationError(
      `OTEL_EXPORTER_OTLP_ENDPOINT is an http or https address, not ${JSON.stringify(endpoint)}. Correct it, or unset it to export no spans.`,
    );
  }
  return { url: `${endpoint.replace(/\/+$/, "")}/v1/traces`, headers: headersFrom(headers ?? "") };
}

/** `name=value,name=value`, the values percent-encoded. */
function headersFrom(text: string): Readonly<Record<string, string>> {
  const pairs = text.split(",").filter((pair) => pair.trim() !== "");
  return Object.fromEntries(
    pairs.map((pair) => {
      const [, name = "", value = ""] = /^\s*([^=\s]+)\s*=(.*)$/.exec(pair) ?? [];
      try {
        if (name !== "") return [name, decodeURIComponent(value.trim())];
      } catch {
        // The error below contains the problem; the value may be a secret and is not repeated.
      }
      throw new ConfigurationError(
        "OTEL_EXPORTER_OTLP_HEADERS is a list of name=value, separated by commas, the values percent-encoded. Correct it, or unset it.",
      );
    }),
  );
}

export function createSpanExport(options: SpanExportOptions): SpanExport {
  const { collector, version, redactor, clock, logger } = options;
  const runs = new Map<string, FollowedRun>();
  const closing = new AbortController();
  const over = new AbortController();
  let waiting: SpanRecord[] = [];
  let dropped = 0;
  let full = new AbortController();
  let sending: Promise<void> | undefined;

  function follow(event: RunEvent): void {
    if (event.type === "run.started") {
      const projector = createProjector(createSpansProjection());
      const { traceparent } = event;
      runs.set(event.runId, { projector, redacted: redactor.createEventRedactor(), traceparent });
    }
    const run = runs.get(event.runId);
    if (!run) return;
    const leaving = run.redacted(event);
    const spans = [...run.projector.push(leaving)];
    if (leaving.type === "call.opened") spans.push(openedCallSpan(leaving, run.traceparent));
    // A parked run may be resumed at another node.
    if (event.type === "run.closed" || event.type === "run.parked") runs.delete(event.runId);
    for (const span of spans) {
      if (waiting.length < mostWaiting) waiting.push(span);
      else dropped += 1;
    }
  }

  /** Ends in the same tick as the check that nothing waits: later spans start another one. */
  async function sendAll(): Promise<void> {
    while (waiting.length > 0) {
      if (waiting.length < batchSize) {
        await clock.sleep(batchMs, AbortSignal.any([full.signal, closing.signal]));
      }
      full = new AbortController();
      const batch = waiting.slice(0, batchSize);
      waiting = waiting.slice(batchSize);
      await send(batch);
      if (dropped === 0) continue;
      logger.warn("Spans were dropped: the collector does not keep up.", { spans: dropped });
      dropped = 0;
    }
    sending = undefined;
  }

  async function send(batch: readonly SpanRecord[]): Promise<void> {
    const body = JSON.stringify(otlpRequestOf(batch, version));
    for (let attempt = 1; ; attempt++) {
      const answer = await posted(collector, body, over.signal);
      if (answer.status === "taken") {
        if (answer.problem === undefined) return;
        logger.warn("The collector refused some spans.", { problem: answer.problem });
        return;
      }
      if (!answer.mayRetry || attempt === attempts || closing.signal.aborted) {
        const { problem } = answer;
        const { url } = collector;
        logger.warn("Sending spans failed.", { spans: batch.length, url, problem });
        return;
      }
      await clock.sleep(retryMs * attempt, closing.signal);
    }
  }

  return {
    observe(events) {
      if (closing.signal.aborted) return;
      try {
        for (const event of events) follow(event);
      } catch (error) {
        logger.error("Converting events to spans failed.", { error });
      }
      if (waiting.length >= batchSize) full.abort();
      if (waiting.length > 0) sending ??= sendAll();
    },
    async close() {
      closing.abort();
      AbortSignal.timeout(closingMs).addEventListener("abort", () => over.abort());
      await sending;
    },
  };
}

type Answer =
  | { readonly status: "taken"; readonly problem?: string }
  | { readonly status: "failed"; readonly problem: string; readonly mayRetry: boolean };

async function posted(
  { url, headers }: Collector,
  body: string,
  over: AbortSignal,
): Promise<Answer> {
  try {
    const response = await fetch(url, {
      method: "POST",
      headers: { ...headers, "content-type": "application/json" },
      body,
      signal: AbortSignal.any([AbortSignal.timeout(timeoutMs), over]),
    });
    const text = await response.text();
    if (!response.ok) {
      const mayRetry = retryable.has(response.status);
      return { status: "failed", problem: `HTTP ${response.status}`, mayRetry };
    }
    return /"rejectedSpans"\s*:\s*"?[1-9]/.test(text)
      ? { status: "taken", problem: text.slice(0, 500) }
      : { status: "taken" };
  } catch (error) {
    const problem = messageOfError(error);
    return { status: "failed", problem, mayRetry: true };
  }
}
