/** A port that is listened on, and how it is left: answers that are being sent have a moment to arrive. */
import { createServer, type RequestListener } from "node:http";
import type { AddressInfo } from "node:net";
import { type Clock, systemClock } from "@callboard/agent-sdk";

export interface Listener {
  readonly port: number;
  /** Until it is called, every request is answered with "try again later". */
  serve(listener: RequestListener): void;
  /** Takes no new connections, and drops those that there are once their answers are sent, or soon. */
  close(): Promise<void>;
}

/** How many may come at once before they are turned away; the system may allow fewer. */
const connectionsInLine = 4_096;

/** How long answers may take to be sent, and how often that is checked. */
const partingMs = 1_000;
const lookMs = 10;

/** How long a request may take to arrive, and how often it is looked. A sender that takes longer is answered with 408. */
export interface ArrivalTimes {
  readonly headersMs: number;
  /** With the body. */
  readonly requestMs: number;
  readonly lookMs: number;
}

const arrivalTimes: ArrivalTimes = { headersMs: 20_000, requestMs: 300_000, lookMs: 5_000 };

/** A page may name a thousand runs and conversations in one address. */
const maxHeaderSize = 131_072;

export async function listen(
  host: string,
  port: number,
  clock: Clock = systemClock,
  arrival: ArrivalTimes = arrivalTimes,
): Promise<Listener> {
  let open = 0;
  let current: RequestListener = (_, response) => {
    response.writeHead(503, { "content-type": "text/plain", "retry-after": "1" }).end("starting\n");
  };
  const limits = {
    maxHeaderSize,
    headersTimeout: arrival.headersMs,
    requestTimeout: arrival.requestMs,
    connectionsCheckingInterval: arrival.lookMs,
  };
  const server = createServer(limits, (request, response) => {
    open += 1;
    response.once("close", () => {
      open -= 1;
    });
    current(request, response);
  });
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
    async close() {
      server.close();
      for (let waited = 0; open > 0 && waited < partingMs; waited += lookMs) {
        await clock.sleep(lookMs);
      }
      server.closeAllConnections();
      await closed;
    },
  };
}

function unavailable(error: Error, host: string, port: number): Error {
  if (!("code" in error) || error.code !== "EADDRINUSE") return error;
  const message = `${host}:${port} is already in use. Stop the process that uses it, or choose another port.`;
  return new Error(message, { cause: error });
}
