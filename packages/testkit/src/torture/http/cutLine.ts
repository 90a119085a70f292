/** A connection to a database that can be cut without a signal to either side, as when a cable is pulled. */
import { connect as connectTo, createServer, type Server, type Socket } from "node:net";

export interface Line {
  readonly url: string;
  /** Whatever is sent is lost without an error: as when a cable is pulled. */
  cut(): void;
  mend(): void;
  close(): Promise<void>;
}

/** A connection to the database that can be cut. */
export async function startLine(database: URL): Promise<Line> {
  let isCut = false;
  const sockets = new Set<Socket>();
  const server: Server = createServer((near) => {
    const far = connectTo(Number(database.port), database.hostname);
    for (const [from, to] of [
      [near, far],
      [far, near],
    ] as const) {
      sockets.add(from);
      from.on("data", (bytes) => {
        if (!isCut) to.write(bytes);
      });
      from.on("error", () => to.destroy());
      from.on("close", () => {
        sockets.delete(from);
        to.destroy();
      });
    }
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  const url = new URL(database);
  url.hostname = "127.0.0.1";
  url.port = String(typeof address === "object" && address !== null ? address.port : 0);
  return {
    url: url.href,
    cut() {
      isCut = true;
    },
    mend() {
      isCut = false;
      // What was half sent can never be understood again.
      for (const socket of sockets) socket.destroy();
    },
    async close() {
      for (const socket of sockets) socket.destroy();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
