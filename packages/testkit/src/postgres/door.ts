/**
 * The connection between a test run and its server: the run's main process keeps it, and the first test file that needs
 * the server starts it. Runs without such files start none.
 */
import { once } from "node:events";
import { createServer } from "node:http";
import { type PostgresServer, startPostgres } from "./server.js";

export interface PostgresDoor {
  /** Answers with the server's url. */
  readonly address: string;
  close(): Promise<void>;
}

export async function openDoor(): Promise<PostgresDoor> {
  let starting: Promise<PostgresServer> | undefined;
  const door = createServer((_request, response) => {
    // A connection that is kept open may be closed just when the next caller uses it.
    response.setHeader("connection", "close");
    starting ??= startPostgres();
    starting.then(
      ({ url }) => response.end(url),
      (error: unknown) => response.writeHead(500).end(String(error)),
    );
  });
  door.listen(0, "127.0.0.1");
  await once(door, "listening");
  const address = door.address();
  if (address === null || typeof address === "string") throw new Error("the door has no port");
  return {
    address: `http://127.0.0.1:${address.port}`,
    close: async () => {
      door.close();
      door.closeAllConnections();
      // The caller received the reason why it did not start.
      const server = await starting?.catch(() => undefined);
      await server?.remove();
    },
  };
}

export async function knock(address: string): Promise<string> {
  const answer = await fetch(address);
  const text = await answer.text();
  if (!answer.ok) throw new Error(text);
  return text;
}
