/**
 * A provider for tests: a real HTTP server on 127.0.0.1 that answers chat-completions, Anthropic's messages and Gemini's
 * streamGenerateContent from a script. It records its requests and answers each with the next reply; it does not
 * interpret the content and never waits by itself.
 */
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { JsonValue } from "@callboard/run-log";

export type Dialect = "openai" | "anthropic" | "google";

export type Step =
  /** One event of the dialect that the request's path names. */
  | { readonly frame: JsonValue }
  /** Bytes as they are: half an event, a comment, nonsense. */
  | { readonly raw: string | Uint8Array }
  /** Nothing is sent before this resolves. */
  | { readonly until: Promise<unknown> }
  /** The socket is destroyed. */
  | { readonly cut: true }
  /** Nothing more is sent and nothing is closed. */
  | { readonly hang: true };

export interface Reply {
  /** Default 200. */
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
  /** The whole answer as JSON. Without it the answer is a stream of the steps. */
  readonly json?: JsonValue;
  readonly steps?: readonly Step[];
  /** Leaves out the `[DONE]` of chat-completions. */
  readonly endsBare?: boolean;
}

export interface RecordedRequest {
  readonly path: string;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly body: JsonValue;
  /** Resolves when the client has gone or the answer is complete. */
  readonly closed: Promise<void>;
}

export interface ProviderServer {
  /** The base URL of a provider. */
  readonly urls: Readonly<Record<Dialect, string>>;
  readonly requests: readonly RecordedRequest[];
  /** Adds replies. A request without a reply gets HTTP 501. */
  reply(...replies: readonly Reply[]): void;
  /** Resolves when so many requests have come in all. */
  untilRequests(count: number): Promise<void>;
  close(): Promise<void>;
}

export async function startProviderServer(...replies: readonly Reply[]): Promise<ProviderServer> {
  const waiting = [...replies];
  const requests: RecordedRequest[] = [];
  const watchers: { readonly count: number; tell(): void }[] = [];
  const server = createServer((request, response) => {
    void serve(request, response);
  });

  async function serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const text = await requestText(request);
    const body: JsonValue = text === "" ? null : JSON.parse(text);
    const closed = new Promise<void>((resolve) => {
      response.once("close", resolve);
    });
    const path = request.url ?? "";
    requests.push({ path, headers: request.headers, body, closed });
    for (const watcher of watchers) if (requests.length >= watcher.count) watcher.tell();
    const dialect = dialectOf(path);
    const reply = waiting.shift() ?? { status: 501, json: { error: { message: "no reply left" } } };
    if (dialect === undefined)
      await send({ status: 404, json: { error: path } }, "openai", response);
    else await send(reply, dialect, response);
  }

  await new Promise<void>((resolve) => {
    server.listen(0, "127.0.0.1", resolve);
  });
  const address = server.address();
  const port = typeof address === "object" && address !== null ? address.port : 0;
  const origin = `http://127.0.0.1:${port}`;
  return {
    urls: { openai: `${origin}/v1`, anthropic: origin, google: `${origin}/v1beta` },
    requests,
    reply: (...more) => {
      waiting.push(...more);
    },
    untilRequests: (count) =>
      new Promise((tell) => {
        if (requests.length >= count) tell();
        else watchers.push({ count, tell });
      }),
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

async function requestText(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(Buffer.from(chunk));
  return Buffer.concat(chunks).toString("utf8");
}

function dialectOf(path: string): Dialect | undefined {
  if (/^\/v1\/(chat\/completions|responses)(\?|$)/.test(path)) return "openai";
  if (path === "/v1/messages") return "anthropic";
  if (/^\/v1beta\/models\/[^/]+:(streamGenerateContent\?alt=sse|generateContent)$/.test(path)) {
    return "google";
  }
  return undefined;
}

async function send(reply: Reply, dialect: Dialect, response: ServerResponse): Promise<void> {
  const { status = 200, headers = {}, json, steps = [] } = reply;
  if (json !== undefined) {
    response.writeHead(status, { "content-type": "application/json", ...headers });
    response.end(JSON.stringify(json));
    return;
  }
  response.writeHead(status, { "content-type": "text/event-stream", ...headers });
  response.flushHeaders();
  for (const step of steps) {
    if ("frame" in step) await write(response, eventOf(step.frame, dialect));
    else if ("raw" in step) await write(response, step.raw);
    else if ("until" in step) await step.until;
    else if ("cut" in step) {
      response.destroy();
      return;
    } else return;
  }
  if (dialect === "openai" && !reply.endsBare) await write(response, "data: [DONE]\n\n");
  response.end();
}

function write(response: ServerResponse, bytes: string | Uint8Array): Promise<void> {
  return new Promise((resolve) => {
    if (response.destroyed) resolve();
    else response.write(bytes, () => resolve());
  });
}

/** Anthropic names its events; the others send bare data. */
export function eventOf(frame: JsonValue, dialect: Dialect): string {
  const data = `data: ${JSON.stringify(frame)}\n\n`;
  if (dialect !== "anthropic" || typeof frame !== "object" || frame === null) return data;
  return "type" in frame && typeof frame.type === "string" ? `event: ${frame.type}\n${data}` : data;
}
