/**
 * A provider for programs under test: a real HTTP server on 127.0.0.1 that speaks streamed
 * chat-completions. Each part of a test has an address of its own with replies of its own, given in
 * their order. It understands nothing that it is asked.
 */
import {
  createServer,
  type IncomingHttpHeaders,
  type IncomingMessage,
  type ServerResponse,
} from "node:http";

export type ProviderStep =
  | { readonly text: string }
  | {
      readonly call: {
        readonly id: string;
        readonly name: string;
        readonly pieces: readonly string[];
      };
    }
  /** Bytes as they are: half an event, nonsense. */
  | { readonly raw: string }
  /** Nothing is sent before this resolves. */
  | { readonly until: Promise<unknown> }
  | { readonly cut: true }
  /** Nothing more is sent and nothing is closed. */
  | { readonly hang: true };

export type ProviderReply =
  | { readonly status: number; readonly message: string }
  | { readonly steps: readonly ProviderStep[] };

export interface FakeProvider {
  /** A base URL whose requests get these replies; then HTTP 501. */
  address(...replies: readonly ProviderReply[]): string;
  /** Resolves when so many requests have come to an address. */
  untilAsked(address: string, count: number): Promise<void>;
  /** The bodies of the requests to an address. */
  bodies(address: string): readonly string[];
  /** A header of each request to an address. */
  headers(address: string, name: string): readonly (string | undefined)[];
  close(): Promise<void>;
}

interface Part {
  readonly replies: ProviderReply[];
  readonly bodies: string[];
  readonly headers: IncomingHttpHeaders[];
  waiting: { readonly count: number; tell(): void }[];
}

export async function startFakeProvider(): Promise<FakeProvider> {
  const parts = new Map<string, Part>();
  const server = createServer((request, response) => {
    void serve(request, response);
  });

  async function serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const name = request.url?.split("/")[1] ?? "";
    const part = parts.get(name);
    const body = await requestBodyText(request);
    part?.bodies.push(body);
    part?.headers.push(request.headers);
    for (const { count, tell } of part?.waiting ?? []) {
      if ((part?.bodies.length ?? 0) >= count) tell();
    }
    await writeReply(part?.replies.shift(), response);
  }

  await new Promise<void>((resolve) => {
    server.listen(0, "127.0.0.1", resolve);
  });
  const address = server.address();
  const port = typeof address === "object" && address !== null ? address.port : 0;
  const nameOf = (url: string): string => new URL(url).pathname.split("/")[1] ?? "";
  return {
    address(...replies) {
      const name = `part${parts.size + 1}`;
      parts.set(name, { replies: [...replies], bodies: [], headers: [], waiting: [] });
      return `http://127.0.0.1:${port}/${name}/v1`;
    },
    untilAsked: (url, count) =>
      new Promise((tell) => {
        const part = parts.get(nameOf(url));
        if ((part?.bodies.length ?? 0) >= count) tell();
        else part?.waiting.push({ count, tell });
      }),
    bodies: (url) => parts.get(nameOf(url))?.bodies ?? [],
    headers: (url, name) =>
      (parts.get(nameOf(url))?.headers ?? []).map((headers) => headers[name]?.toString()),
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

async function requestBodyText(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(Buffer.from(chunk));
  return Buffer.concat(chunks).toString("utf8");
}

async function writeReply(
  reply: ProviderReply | undefined,
  response: ServerResponse,
): Promise<void> {
  if (reply === undefined || "status" in reply) {
    const { status, message } = reply ?? { status: 501, message: "no reply left" };
    response.writeHead(status, { "content-type": "application/json" });
    response.end(JSON.stringify({ error: { message } }));
    return;
  }
  response.writeHead(200, { "content-type": "text/event-stream" });
  response.flushHeaders();
  let calls = 0;
  for (const step of reply.steps) {
    if ("text" in step) await send(response, { content: step.text });
    else if ("raw" in step) await write(response, step.raw);
    else if ("until" in step) await step.until;
    else if ("call" in step) {
      await sendCall(response, calls, step.call);
      calls += 1;
    } else if ("cut" in step) {
      response.destroy();
      return;
    } else return;
  }
  await send(response, {}, calls > 0 ? "tool_calls" : "stop");
  await write(response, "data: [DONE]\n\n");
  response.end();
}

async function sendCall(
  response: ServerResponse,
  index: number,
  { id, name, pieces }: Extract<ProviderStep, { call: object }>["call"],
): Promise<void> {
  const opening = { index, id, type: "function", function: { name, arguments: "" } };
  await send(response, { tool_calls: [opening] });
  for (const piece of pieces) {
    await send(response, { tool_calls: [{ index, function: { arguments: piece } }] });
  }
}

function send(
  response: ServerResponse,
  delta: object,
  reason: string | null = null,
): Promise<void> {
  const choice = { index: 0, delta, finish_reason: reason };
  const chunk = { id: "chatcmpl-1", model: "test-model", choices: [choice] };
  return write(response, `data: ${JSON.stringify(chunk)}\n\n`);
}

function write(response: ServerResponse, text: string): Promise<void> {
  return new Promise((resolve) => {
    if (response.destroyed) resolve();
    else response.write(text, () => resolve());
  });
}
