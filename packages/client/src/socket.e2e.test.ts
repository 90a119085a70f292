/** The same over a real socket: bytes in pieces, connections that break, compression, leaving. */
import { once } from "node:events";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import { Readable } from "node:stream";
import { createRandom, lives } from "@callboard/testkit";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createClient } from "./client.js";
import { createFakeServer, type FakeServer, type Weather } from "./testing/fakeServer.js";
import { eventLines, renamed, settledTranscript } from "./testing/renderings.js";
import { isNotice } from "./wire/logReading.js";

let server: Server;
let baseUrl: string;
let fake: FakeServer;
let weather: () => Weather = () => ({});

beforeAll(async () => {
  fake = createFakeServer({ weather: () => weather() });
  for (const { log } of lives) fake.append(...log);
  server = createServer((incoming, outgoing) => void answer(incoming, outgoing));
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  baseUrl = `http://127.0.0.1:${typeof address === "object" ? address?.port : ""}`;
});

afterAll(() => {
  server.closeAllConnections();
  server.close();
});

/** The fake behind a socket; where its body breaks, the socket breaks. */
async function answer(incoming: IncomingMessage, outgoing: ServerResponse): Promise<void> {
  const leaving = new AbortController();
  outgoing.on("close", () => leaving.abort());
  const request = new Request(`${baseUrl}${incoming.url}`, { signal: leaving.signal });
  const response = await fake.handle(request);
  outgoing.writeHead(response.status, Object.fromEntries(response.headers));
  if (response.body === null) {
    outgoing.end();
    return;
  }
  try {
    for await (const piece of Readable.fromWeb(streamOf(response.body))) outgoing.write(piece);
    outgoing.end();
  } catch {
    outgoing.destroy();
  }
}

/** Node's and the DOM's types of one and the same stream differ. */
function streamOf(body: ReadableStream<Uint8Array>): import("node:stream/web").ReadableStream;
function streamOf(body: unknown): unknown {
  return body;
}

const unhurried = { firstDelayMs: 0, maxDelayMs: 0, maxAttempts: 50 };

describe("over a real socket", () => {
  it.each(lives.filter(({ name }) => name !== "huge-argument").slice(0, 24))(
    "$name arrives whole although the socket breaks",
    async ({ log, name }) => {
      const random = createRandom(name.length);
      let left = 4;
      weather = () => {
        left -= 1;
        const pieces = [1 + random.int(40), 1 + random.int(400)];
        const merges = () => random.next() < 0.5;
        const framing = random.next() < 0.5 ? ("sse" as const) : ("ndjson" as const);
        const cut = left < 0 ? {} : { cutAfter: 1 + random.int(1_500) };
        return { pieces, merges, framing, isQuietCut: random.next() < 0.5, ...cut };
      };
      const client = createClient({ baseUrl, backoff: unhurried });
      const lines: object[] = [];
      const options = { toolEvents: "both", streamArguments: true } as const;
      for await (const item of client.events(log[0]?.runId ?? "", options)) {
        if (!isNotice(item)) lines.push(item);
      }
      const whole = eventLines(log, options).map(({ value }) => value);
      expect(settledTranscript(lines)).toEqual(settledTranscript(whole));
    },
  );

  it("a reader that leaves frees the connection", async () => {
    weather = () => ({});
    const [life] = lives;
    const client = createClient({ baseUrl });
    const open = life?.log.slice(0, 3) ?? [];
    fake.append(...renamed(open, "open"));
    const stop = new AbortController();
    const gone = (async () => {
      for await (const item of client.log("open", { signal: stop.signal })) {
        if (!isNotice(item) && item.seq === 3) stop.abort(new Error("left"));
      }
    })();
    await expect(gone).rejects.toThrow("left");
    while (fake.openStreams > 0) await new Promise((resolve) => setImmediate(resolve));
    expect(fake.openStreams).toBe(0);
  });
});
