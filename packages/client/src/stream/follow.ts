/**
 * Follows one stream to its end over as many connections as necessary. After an interruption, a silence or a restart of
 * the server it opens a new connection from the cursor; other failures are thrown.
 */
import { messageOfError } from "@callboard/run-log/values";
import { isTransientError, ProblemError, StreamLostError } from "../http/problem.js";
import type { StreamNotice } from "../wire/notices.js";
import type { Reading } from "../wire/reading.js";
import { type Backoff, delayBefore } from "./backoff.js";
import type { Clock } from "./clock.js";
import { framesOf } from "./connection.js";
import { createWatchdog } from "./watchdog.js";

export interface StreamSource<Item> {
  readonly reading: Reading<Item>;
  /** Opens a connection that continues from the cursor. */
  readonly open: (cursor: string | undefined, signal: AbortSignal) => Promise<Response>;
  /** Asked when the server ended a connection in order without an end of the stream: is it over? */
  readonly isOver?: (ended: EndedConnection) => Promise<boolean>;
}

export interface EndedConnection {
  readonly cursor: string | undefined;
  /** Whether the connection brought anything that was not known before. */
  readonly hasNews: boolean;
  readonly signal: AbortSignal;
}

export interface StreamSetup {
  readonly clock: Clock;
  /** Chance in [0, 1), for spreading reconnects. */
  readonly random: () => number;
  readonly backoff: Backoff;
  /** A connection that sends nothing for this long, not even a heartbeat, is considered lost. */
  readonly silenceMs: number;
}

/** Yields items in batches, one for each piece of the network; a batch is never empty. */
export async function* follow<Item>(
  source: StreamSource<Item>,
  setup: StreamSetup,
  signal: AbortSignal,
): AsyncGenerator<readonly (Item | StreamNotice)[], void> {
  const { reading } = source;
  for (let attempt = 0; ; ) {
    const connection = createConnection(source, setup, signal);
    const before = reading.received;
    let problem: unknown;
    try {
      for await (const batch of connection.batches()) {
        if (reading.received > before) attempt = 0;
        yield batch;
      }
      if (reading.isEnded) return;
      const { cursor } = reading;
      const hasNews = reading.received > before;
      if (await source.isOver?.({ cursor, hasNews, signal: connection.signal })) return;
      problem = new Error("the server closed the stream before its end");
    } catch (error) {
      signal.throwIfAborted();
      problem = connection.isSilent ? new Error("no data was received for too long") : error;
      if (!isTransientError(problem)) throw problem;
    } finally {
      connection.close();
    }
    attempt += 1;
    const reason = messageOfError(problem);
    if (!reading.isResumable) throw lost(reason, "the server sent no positions to resume from");
    if (attempt > setup.backoff.maxAttempts) {
      throw lost(reason, `${setup.backoff.maxAttempts} attempts to reconnect failed`);
    }
    const askedMs = problem instanceof ProblemError ? problem.retryAfterMs : connection.askedMs;
    const delayMs = delayBefore(attempt, setup.random(), setup.backoff, askedMs);
    yield [{ event: "connection", data: { status: "reconnecting", reason, attempt, delayMs } }];
    await setup.clock.sleep(delayMs, signal);
    signal.throwIfAborted();
  }
}

function lost(reason: string, why: string): StreamLostError {
  return new StreamLostError(`the stream was lost (${reason}) and ${why}; request it again`);
}

const live: StreamNotice = { event: "connection", data: { status: "live" } };

/** One attempt: its own abort, tied to the caller's, and a watchdog over all of it. */
function createConnection<Item>(
  { reading, open }: StreamSource<Item>,
  { clock, silenceMs }: StreamSetup,
  signal: AbortSignal,
) {
  const abort = new AbortController();
  const stop = (): void => abort.abort(signal.reason);
  signal.addEventListener("abort", stop, { once: true });
  if (signal.aborted) stop();
  let isSilent = false;
  let askedMs: number | undefined;
  const watchdog = createWatchdog(clock, silenceMs, abort.signal, () => {
    isSilent = true;
    abort.abort(new Error("no data was received for too long"));
  });
  return {
    signal: abort.signal,
    get isSilent() {
      return isSilent;
    },
    /** The pause that the server requested before a reconnect. */
    get askedMs() {
      return askedMs;
    },
    async *batches(): AsyncGenerator<readonly (Item | StreamNotice)[], void> {
      const response = await watchdog.watch(open(reading.cursor, abort.signal));
      yield [live];
      for await (const frames of framesOf(response, watchdog)) {
        const items: Item[] = [];
        for (const frame of frames) {
          if (frame.type === "retry") askedMs = frame.milliseconds;
          items.push(...reading.push(frame));
        }
        if (items.length > 0) yield items;
        if (reading.isEnded) return;
      }
    },
    close() {
      signal.removeEventListener("abort", stop);
      abort.abort();
    },
  };
}
