/** A reader without a client library: one socket and one request, so that thousands cost little. */
import { connect, type Socket } from "node:net";
import type { ServerProcess } from "./program.js";

export interface RawReader {
  readonly socket: Socket;
  /** Resolves with the status once the headers are there. */
  readonly opened: Promise<number>;
  /** Resolves when the connection is over. */
  readonly closed: Promise<void>;
}

/** `more` are further lines of the request's head. */
export function openReader(
  { url, token }: ServerProcess,
  path: string,
  onText: (text: string) => void = () => undefined,
  more: readonly string[] = [],
): RawReader {
  const { port, host } = new URL(url);
  const socket = connect(Number(port), "127.0.0.1", () => {
    const first = [`GET ${path} HTTP/1.1`, `Host: ${host}`, `Authorization: Bearer ${token}`];
    const head = [...first, ...more];
    socket.write(`${[...head, "Accept: text/event-stream"].join("\r\n")}\r\n\r\n`);
  });
  socket.on("error", () => socket.destroy());
  const closed = new Promise<void>((resolve) => socket.once("close", () => resolve()));
  const opened = new Promise<number>((resolve) => {
    let head = "";
    const take = (piece: Buffer): void => {
      head += piece.toString("latin1");
      const end = head.indexOf("\r\n\r\n");
      if (end === -1) return;
      socket.off("data", take);
      socket.on("data", (next: Buffer) => onText(next.toString("latin1")));
      resolve(Number(/^HTTP\/1\.1 (\d+)/.exec(head)?.[1] ?? 0));
      onText(head.slice(end + 4));
    };
    socket.on("data", take);
    void closed.then(() => resolve(0));
  });
  return { socket, opened, closed };
}

/** A metric that the server reports. */
export async function figureOf({ url, token }: ServerProcess, name: string): Promise<number> {
  const headers = { authorization: `Bearer ${token}` };
  const text = await (await fetch(`${url}/metrics`, { headers })).text();
  const line = text.split("\n").find((one) => one.startsWith(`${name} `));
  return Number(line?.slice(name.length + 1) ?? Number.NaN);
}

export const residentMb = async (server: ServerProcess): Promise<number> =>
  (await figureOf(server, "process_resident_memory_bytes")) / 1_048_576;
