import { once } from "node:events";
import { createServer, type ServerResponse } from "node:http";
import { expect, it } from "vitest";
import { createSink } from "./sink.js";

const piece = Buffer.alloc(65_536, "x");
const writers = 20;
const pieces = 20;

/** Many runs on one connection, each of which has more to say than the reader takes. */
function writeAll(outgoing: ServerResponse): {
  readonly most: () => number;
  readonly order: number[];
} {
  const sink = createSink({ outgoing, headers: {}, encoding: undefined, monotonic: () => 0 });
  const order: number[] = [];
  let most = 0;
  const write = (writer: number, left: number): void => {
    if (left === 0) return;
    if (sink.fullSince !== undefined) {
      sink.onDrain(() => write(writer, left));
      return;
    }
    order.push(writer);
    sink.write(piece);
    most = Math.max(most, outgoing.writableLength);
    if (order.length === writers * pieces) sink.end();
    write(writer, left - 1);
  };
  for (let writer = 0; writer < writers; writer += 1) write(writer, pieces);
  return { most: () => most, order };
}

it("a connection is filled by one of those who share it at a time, in turn", async () => {
  let told: ReturnType<typeof writeAll> | undefined;
  const server = createServer((_, outgoing) => {
    told = writeAll(outgoing);
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  const port = typeof address === "object" ? address?.port : 0;
  const body = await (await fetch(`http://127.0.0.1:${port}/`)).arrayBuffer();
  expect(body.byteLength).toBe(writers * pieces * piece.length);
  expect(told?.most()).toBeLessThan(2 * piece.length);
  const lasts = Array.from(
    { length: writers },
    (_, writer) => told?.order.lastIndexOf(writer) ?? 0,
  );
  // Nobody was through before everybody else was nearly through.
  expect(Math.min(...lasts)).toBeGreaterThan(writers * (pieces - 2));
  server.close();
});
