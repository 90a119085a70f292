/** Serves a handler of `Request` and `Response` on the loopback, in this process. */
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";

export type Handle = (request: Request) => Promise<Response>;

export interface WebServer {
  readonly origin: string;
  close(): Promise<void>;
}

export async function startWebServer(handle: Handle): Promise<WebServer> {
  const server = createServer((request, response) => void answerPage(request, response, handle));
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  const port = typeof address === "object" ? address?.port : address;
  return {
    origin: `http://127.0.0.1:${port}`,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

async function answerPage(
  request: IncomingMessage,
  response: ServerResponse,
  handle: Handle,
): Promise<void> {
  const pieces: Buffer[] = [];
  for await (const piece of request) pieces.push(piece);
  const body = Buffer.concat(pieces);
  const gone = new AbortController();
  response.once("close", () => gone.abort());
  const answered = await handle(
    new Request(`http://${request.headers.host}${request.url}`, {
      method: request.method ?? "GET",
      headers: Object.entries(request.headers).map(([name, value]) => [name, String(value)]),
      signal: gone.signal,
      ...(body.length === 0 ? {} : { body }),
    }),
  );
  response.writeHead(answered.status, Object.fromEntries(answered.headers));
  for await (const piece of answered.body ?? []) response.write(piece);
  response.end();
}
