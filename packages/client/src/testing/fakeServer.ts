/**
 * A server for tests: it keeps logs in memory, lets a test append to them, and writes its streams in any pieces and with
 * any cuts. It answers `Request`s, so it can be used behind `fetch` in one process or behind a real socket.
 */
import type { RunEvent } from "@callboard/run-log";
import type { ToolEventOptions } from "@callboard/run-log/projections";
import * as z from "zod/mini";
import {
  cursorOf,
  eventLines,
  isAfter,
  logLines,
  mergedLines,
  placeOf,
  type Written,
} from "./renderings.js";
import { createWriter, type Weather } from "./weather.js";

export type { Weather } from "./weather.js";

export interface Heard {
  readonly method: string;
  readonly path: string;
  readonly query: URLSearchParams;
  readonly headers: Headers;
  readonly body: unknown;
}

export interface FakeServer {
  handle(request: Request): Promise<Response>;
  /** As a client's `fetch`. */
  readonly fetch: typeof fetch;
  /** All requests, in order. */
  readonly heard: readonly Heard[];
  readonly openStreams: number;
  append(...events: readonly RunEvent[]): void;
  /** Writes raw text to every open stream. */
  write(text: string): void;
  /** Cuts every open stream. */
  cut(): void;
}

export interface FakeServerOptions {
  /** Asked for each stream that is opened. */
  readonly weather?: () => Weather;
  /** The run that a request starts; its events are appended by the test. */
  readonly onExecute?: (heard: Heard) => {
    readonly runId: string;
    readonly conversationId: string;
  };
  readonly onOther?: (heard: Heard) => Response | undefined;
}

interface OpenStream {
  news(): void;
  write(text: string): void;
  cut(): void;
}

export function createFakeServer(options: FakeServerOptions = {}): FakeServer {
  const logs = new Map<string, RunEvent[]>();
  const begun = new Map<string, { readonly runId: string; readonly conversationId: string }>();
  const heard: Heard[] = [];
  const streams = new Set<OpenStream>();

  const conversationOf = (log: readonly RunEvent[]): string =>
    log.flatMap((event) => (event.type === "run.started" ? [event.conversationId] : []))[0] ?? "";

  function streamed(
    weather: Weather,
    request: Request,
    /** The lines to write now, and whether they were the last ones. */
    next: () => { readonly lines: readonly string[]; readonly isOver: boolean },
    headers: Record<string, string> = {},
  ): Response {
    const sse = weather.framing === "sse";
    const type = sse ? "text/event-stream" : "application/x-ndjson";
    const writer = createWriter(weather, () => streams.delete(stream));
    const stream: OpenStream = {
      news() {
        const { lines, isOver } = next();
        for (const line of lines) writer.write(line);
        if (isOver) writer.end();
      },
      write: writer.write,
      cut: writer.cut,
    };
    streams.add(stream);
    request.signal.addEventListener("abort", () => writer.drop(request.signal.reason), {
      once: true,
    });
    stream.news();
    const { body } = writer;
    return new Response(body, { headers: { "content-type": type, ...headers } });
  }

  function framed(line: Written, weather: Weather, cursor = cursorOf(line)): string {
    const json = JSON.stringify(line.value);
    return weather.framing === "sse" ? `id: ${cursor}\ndata: ${json}\n\n` : `${json}\n`;
  }

  function runStream(
    request: Request,
    query: URLSearchParams,
    runId: string,
    after: string | null,
    headers: Record<string, string> = {},
  ): Response | Promise<Response> {
    const weather = options.weather?.() ?? {};
    if (weather.answer) return weather.answer();
    const follows = query.get("follow") !== "false";
    let place = placeOf(after);
    return streamed(
      weather,
      request,
      () => {
        const log = logs.get(runId) ?? [];
        const all =
          query.get("format") === "log" ? logLines(log) : eventLines(log, toolOptions(query));
        const fresh = all.filter((line) => isAfter(line, place));
        const lines = mergedLines(fresh, weather.merges ?? (() => false));
        const last = lines.at(-1);
        if (last) place = placeOf(cursorOf(last));
        const isOver = log.at(-1)?.type === "run.closed" || !follows;
        return { lines: lines.map((line) => framed(line, weather)), isOver };
      },
      headers,
    );
  }

  function boardStream(request: Request, body: unknown): Response | Promise<Response> {
    const weather = options.weather?.() ?? {};
    if (weather.answer) return weather.answer();
    const { cursor: from = "[]", runs, ...watched } = z.parse(boardSchema, body);
    const told = new Map<string, number>(JSON.parse(from));
    const named = runs.map(({ run_id, cursor }) => [run_id, Number(cursor)] as const);
    for (const [runId, after] of named) told.set(runId, after);
    const asked = new Set(named.map(([runId]) => runId));
    const conversations = new Set(watched.conversations);
    const isMine = watched.mine === true;
    const announced = new Set<string>();
    return streamed(weather, request, () => {
      const lines: object[] = [];
      for (const [runId, log] of logs) {
        const conversation_id = conversationOf(log);
        if (!asked.has(runId) && !conversations.has(conversation_id) && !isMine) continue;
        if (!announced.has(runId)) {
          announced.add(runId);
          const status = log.at(-1)?.type === "run.closed" ? "closed" : "open";
          const data = { conversation_id, status, last_seq: log.length };
          lines.push({ event: "run", run_id: runId, data });
        }
        for (const event of log.slice(told.get(runId) ?? 0)) {
          told.set(runId, event.seq);
          lines.push({ run_id: runId, ...event });
        }
      }
      // As a server does: only the last line of a batch has the cursor.
      const texts = lines.map((line, index) => {
        const cursor = JSON.stringify([...told]);
        return `${JSON.stringify(index < lines.length - 1 ? line : { ...line, cursor })}\n`;
      });
      return { lines: texts, isOver: false };
    });
  }

  async function handle(request: Request): Promise<Response> {
    const url = new URL(request.url);
    const text = await request.text();
    const asked: Heard = {
      method: request.method,
      path: url.pathname,
      query: url.searchParams,
      headers: request.headers,
      body: text === "" ? undefined : JSON.parse(text),
    };
    heard.push(asked);
    const other = options.onOther?.(asked);
    if (other) return other;
    if (isStart(url.pathname) && options.onExecute) {
      const key = request.headers.get("idempotency-key") ?? "";
      const run = begun.get(key) ?? options.onExecute(asked);
      begun.set(key, run);
      return runStream(request, url.searchParams, run.runId, null, {
        "x-request-id": run.runId,
        "x-conversation-id": run.conversationId,
      });
    }
    if (url.pathname === "/api/agent/stream") return boardStream(request, asked.body);
    const [, runId = "", isEvents] =
      /^\/api\/agent\/runs\/([^/]+)(\/events)?$/.exec(url.pathname) ?? [];
    const log = logs.get(decodeURIComponent(runId));
    if (!log) return problem(404, "There is no such run, or you may not see it.");
    if (isEvents) {
      return runStream(
        request,
        url.searchParams,
        log[0]?.runId ?? "",
        url.searchParams.get("after"),
      );
    }
    const closing = log.at(-1);
    return Response.json({
      id: runId,
      conversation_id: conversationOf(log),
      status: closing?.type === "run.closed" ? "closed" : "open",
      ...(closing?.type === "run.closed" ? { outcome: closing.outcome } : {}),
      last_seq: log.length,
      pending_approvals: [],
      pending_calls: [],
    });
  }

  return {
    handle,
    async fetch(input, init) {
      const request = new Request(new URL(String(input), "http://fake"), init);
      request.signal.throwIfAborted();
      return handle(request);
    },
    heard,
    get openStreams() {
      return streams.size;
    },
    append(...events) {
      for (const event of events) {
        const log = logs.get(event.runId) ?? [];
        log.push(event);
        logs.set(event.runId, log);
      }
      for (const stream of [...streams]) stream.news();
    },
    write(text) {
      for (const stream of streams) stream.write(text);
    },
    cut() {
      for (const stream of [...streams]) stream.cut();
    },
  };
}

export function problem(status: number, detail: string, extra: object = {}): Response {
  const document = {
    type: "urn:callboard:problem:test",
    title: "Refused",
    status,
    detail,
    ...extra,
  };
  const headers = { "content-type": "application/problem+json" };
  return new Response(JSON.stringify(document), { status, headers });
}

function toolOptions(query: URLSearchParams): ToolEventOptions {
  const asked = query.get("tool_events");
  const toolEvents = asked === "legacy" || asked === "both" ? asked : "v2";
  return { toolEvents, streamArguments: query.get("stream_arguments") === "true" };
}

/** As the contract has it, but for ids: tests give runs short ones. */
const boardSchema = z.object({
  runs: z.array(z.object({ run_id: z.string(), cursor: z.string() })),
  conversations: z.array(z.string()),
  mine: z.optional(z.boolean()),
  cursor: z.optional(z.string()),
});

/** The requests that start a run: of an agent, or of one tool. */
function isStart(path: string): boolean {
  return (
    path === "/api/agent/execute" || /^\/api\/conversations\/[^/]+\/(calls|compact)$/.test(path)
  );
}
