/**
 * The streams of runs: one that is started here, or one that runs elsewhere. Each is followed over as many connections
 * as necessary. Reading pulls: a reader that stops stops the connection.
 */

import { runStatusSchema } from "@callboard/run-log/http";
import * as z from "zod/mini";
import { StreamLostError, UnexpectedAnswerError } from "./http/problem.js";
import type { LineOptions } from "./http/requests.js";
import type { Query, Transport } from "./http/transport.js";
import {
  type EndedConnection,
  follow,
  type StreamSetup,
  type StreamSource,
} from "./stream/follow.js";
import type { StreamNotice } from "./wire/notices.js";
import type { Reading } from "./wire/reading.js";

/** Yields each item once. Read it once: it is a stream, not a list. */
export interface RunStream<Item> extends AsyncIterable<Item> {
  /** The server's `X-Request-ID`; absent only where another kind of server gave none. */
  readonly runId: string | undefined;
  readonly conversationId: string | undefined;
}

export interface FollowOptions<Item> {
  readonly runId: string;
  readonly reading: Reading<Item>;
  readonly query: Query;
  /** Ends with what is stored now instead of waiting for more. */
  readonly isHistory: boolean;
  readonly signal: AbortSignal;
}

export interface StartOptions<Item> {
  readonly reading: Reading<Item>;
  readonly query: Query;
  /** The path that starts it. Default `/api/agent/execute`. */
  readonly path?: string;
  readonly body: unknown;
  readonly idempotencyKey: string;
  readonly signal: AbortSignal;
}

export function lineQuery({ toolEvents, streamArguments, rate }: LineOptions): Query {
  return { tool_events: toolEvents, stream_arguments: streamArguments, rate };
}

/** Follows a run that exists. */
export function followRun<Item>(
  transport: Transport,
  setup: StreamSetup,
  options: FollowOptions<Item>,
): AsyncGenerator<readonly (Item | StreamNotice)[], void> {
  const { runId, reading, query, isHistory } = options;
  const source: StreamSource<Item> = {
    reading,
    open: (cursor, signal) => openRun(transport, runId, { ...query, after: cursor }, signal),
    isOver: async (ended) => isHistory || isRunOver(transport, runId, ended),
  };
  return follow(source, setup, options.signal);
}

/** Starts a run and follows it. A start that was cut is repeated with the same key: it starts once. */
export async function startRun<Item>(
  transport: Transport,
  setup: StreamSetup,
  options: StartOptions<Item>,
): Promise<RunStream<Item | StreamNotice>> {
  const { reading, query, path = "/api/agent/execute", body, idempotencyKey } = options;
  let started:
    | { readonly runId: string | null; readonly conversationId: string | null }
    | undefined;

  async function open(cursor: string | undefined, signal: AbortSignal): Promise<Response> {
    if (started) {
      if (started.runId !== null) {
        return openRun(transport, started.runId, { ...query, after: cursor }, signal);
      }
      const message = "the stream was cut, and the server sent no X-Request-ID to resume from";
      throw new StreamLostError(`${message}; ask again`);
    }
    const response = await transport.open({
      method: "POST",
      path,
      query,
      body,
      headers: { ...acceptsLines, "idempotency-key": idempotencyKey },
      signal,
    });
    const runId = response.headers.get("x-request-id");
    started = { runId, conversationId: response.headers.get("x-conversation-id") };
    return response;
  }

  const batches = follow({ reading, open }, setup, options.signal);
  const early: (Item | StreamNotice)[] = [];
  while (started === undefined) {
    const { value, done } = await batches.next();
    if (done) break;
    early.push(...value);
  }
  return {
    runId: started?.runId ?? undefined,
    conversationId: started?.conversationId ?? undefined,
    async *[Symbol.asyncIterator]() {
      yield* early.splice(0);
      yield* flattened(batches);
    },
  };
}

export async function* flattened<Item>(
  batches: AsyncIterable<readonly Item[]>,
): AsyncGenerator<Item, void> {
  for await (const batch of batches) yield* batch;
}

const acceptsLines = { accept: "application/x-ndjson" };

function openRun(
  transport: Transport,
  runId: string,
  query: Query,
  signal: AbortSignal,
): Promise<Response> {
  const path = `/api/agent/runs/${encodeURIComponent(runId)}/events`;
  return transport.open({ path, query, headers: acceptsLines, signal });
}

async function isRunOver(
  transport: Transport,
  runId: string,
  { cursor, hasNews, signal }: EndedConnection,
): Promise<boolean> {
  if (hasNews) return false;
  const path = `/api/agent/runs/${encodeURIComponent(runId)}`;
  const run = await transport.json(runStatusSchema, { path, signal });
  return run.status === "closed" && run.last_seq <= Number.parseInt(cursor ?? "0", 10);
}

/** The ids of a started run that is not followed. */
export interface StartedRun {
  readonly runId: string;
  readonly conversationId: string;
}

const startedSchema = z.object({ runId: z.string(), conversationId: z.string() });

export function startedRunOf(
  stream: Pick<RunStream<unknown>, "runId" | "conversationId">,
): StartedRun {
  const started = startedSchema.safeParse(stream);
  if (started.success) return started.data;
  const message = "the server gave no X-Request-ID and X-Conversation-ID";
  throw new UnexpectedAnswerError(`${message}: on another origin it must expose these headers`);
}
