/**
 * A provider over real HTTP on loopback: it validates each request strictly, then sends what was planned, in whole,
 * random or single-byte chunks, with either kind of line end.
 */
import { createServer, type ServerResponse } from "node:http";
import type { JsonValue } from "@callboard/run-log";
import type { Random } from "../torture/random.js";
import type { Frame } from "./frame.js";

export type Chunking = "whole" | "random" | "bytes";

export interface Answer {
  readonly frames: readonly Frame[];
  readonly chunking: Chunking;
  readonly lineEnd: "\n" | "\r\n";
  readonly random: Random;
}

/** What is said to a request; a text is a refusal with status 400. */
export type Answering = (body: JsonValue) => Answer | string;

export interface ModelServer {
  /** An address of its own for one conversation, until it is given back. */
  open(answering: Answering): { readonly origin: string; close(): void };
  close(): Promise<void>;
}

export async function startModelServer(): Promise<ModelServer> {
  const rooms = new Map<string, Answering>();
  let count = 0;
  const server = createServer((request, response) => {
    const parts: Buffer[] = [];
    request.on("data", (part: Buffer) => parts.push(part));
    request.on("end", () => {
      const body: JsonValue = JSON.parse(Buffer.concat(parts).toString("utf8"));
      const answering = rooms.get(request.url?.split("/", 2)[1] ?? "");
      const answer = answering?.(body) ?? "there is no such conversation";
      if (typeof answer !== "string") return send(answer, response);
      response.writeHead(400, { "content-type": "application/json" });
      return response.end(JSON.stringify({ error: { message: `strict: ${answer}` } }));
    });
  });
  await new Promise<void>((resolve) => {
    server.listen(0, "127.0.0.1", resolve);
  });
  const address = server.address();
  const port = typeof address === "object" && address !== null ? address.port : 0;
  return {
    open(answering) {
      count += 1;
      const room = `room${count}`;
      rooms.set(room, answering);
      return { origin: `http://127.0.0.1:${port}/${room}`, close: () => void rooms.delete(room) };
    },
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

function send({ frames, chunking, lineEnd, random }: Answer, response: ServerResponse): void {
  const text = frames.map(eventOf).join("").replaceAll("\n", lineEnd);
  const bytes = Buffer.from(text, "utf8");
  response.writeHead(200, { "content-type": "text/event-stream" });
  if (chunking === "whole") {
    response.end(bytes);
    return;
  }
  for (let at = 0; at < bytes.length; ) {
    const length = chunking === "bytes" ? 1 : 1 + random.int(64);
    response.write(bytes.subarray(at, at + length));
    at += length;
  }
  response.end();
}

function eventOf(frame: Frame): string {
  if (typeof frame === "string") return frame;
  const name = typeof frame.type === "string" ? `event: ${frame.type}\n` : "";
  return `${name}data: ${JSON.stringify(frame)}\n\n`;
}
