/** A port that is listened on, and how it is left: no new connections, then none at all. */
import { createServer, type RequestListener } from "node:http";
import type { AddressInfo } from "node:net";

export interface Listener {
  readonly port: number;
  /** Until it is called every request is told to come back later. */
  serve(listener: RequestListener): void;
  /** Takes no new connections and drops those that idle. */
  stopAccepting(): void;
  /** Drops what is left. */
  close(): Promise<void>;
}

/** How many may come at once before they are turned away; the system may allow fewer. */
const connectionsInLine = 4_096;

export async function listen(host: string, port: number): Promise<Listener> {
  let current: RequestListener = (_, response) => {
    response.writeHead(503, { "content-type": "text/plain", "retry-after": "1" }).end("starting\n");
  };
  const server = createServer((request, response) => current(request, response));
  server.keepAliveTimeout = 65_000;
  const address = await new Promise<AddressInfo | string | null>((resolve, reject) => {
    server.once("error", (error) => reject(unavailable(error, host, port)));
    server.listen({ host, port, backlog: connectionsInLine }, () => {
      server.removeAllListeners("error");
      resolve(server.address());
    });
  });
  const closed = new Promise<void>((resolve) => server.once("close", resolve));
  return {
    port: typeof address === "object" && address !== null ? address.port : port,
    serve(listener) {
      current = listener;
    },
    stopAccepting() {
      server.close();
      server.closeIdleConnections();
    },
    async close() {
      server.close();
      server.closeAllConnections();
      await closed;
    },
  };
}

function unavailable(error: Error, host: string, port: number): Error {
  if (!("code" in error) || error.code !== "EADDRINUSE") return error;
  const message = `${host}:${port} is taken: end what listens there, or choose another port.`;
  return new Error(message, { cause: error });
}
