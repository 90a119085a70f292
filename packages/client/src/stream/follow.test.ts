/** Reconnecting: when, how soon, from where, and when not. Time is a fake; nothing here waits. */
import { createFakeClock, type FakeClock, lifeNamed } from "@callboard/testkit";
import { describe, expect, it } from "vitest";
import { createClient } from "../client.js";
import { createFakeServer, problem, type Weather } from "../testing/fakeServer.js";
import { eventLines, renamed } from "../testing/renderings.js";
import type { AgentStreamItem } from "../wire/eventsReading.js";
import { isNotice, type LogStreamItem } from "../wire/logReading.js";
import { defaultBackoff, delayBefore } from "./backoff.js";

const life = lifeNamed("read-file");
const log = life?.log ?? [];
const runId = "run_read-file";
const lines = eventLines(log).map(({ value }) => value);

/** A client of a server whose connections have the given weather, one after the other. */
function createStage(weathers: readonly Weather[], clock: FakeClock = createFakeClock()) {
  let turn = 0;
  const server = createFakeServer({
    weather: () => weathers[Math.min(turn++, weathers.length - 1)] ?? {},
    onExecute: () => ({ runId, conversationId: "conv_1" }),
  });
  server.append(...log);
  let ids = 0;
  const client = createClient({
    fetch: server.fetch,
    clock,
    random: () => 0.5,
    newId: () => `key_${++ids}`,
  });
  return { server, client, clock };
}

/** Reads to the end, letting time pass whenever the reader sleeps before another attempt. */
async function readAll<Item extends object>(
  stream: AsyncIterable<Item>,
  clock: FakeClock,
): Promise<readonly Item[]> {
  const items: Item[] = [];
  for await (const item of stream) {
    items.push(item);
    if ("event" in item && item.event === "connection" && "data" in item) {
      const { data } = item;
      const isWaiting = typeof data === "object" && data !== null && "delayMs" in data;
      if (isWaiting && typeof data.delayMs === "number") {
        const { delayMs } = data;
        void clock.untilAsleep(delayMs).then(() => clock.advance(delayMs));
      }
    }
  }
  return items;
}

const said = (items: readonly AgentStreamItem[]) => items.filter((item) => !isNotice(item));
const waits = (items: readonly AgentStreamItem[]): readonly number[] =>
  items.flatMap((item) =>
    item.event === "connection" && item.data.status === "reconnecting" ? [item.data.delayMs] : [],
  );

describe("a stream that is cut", () => {
  it.each([
    { how: "with an error", isQuietCut: false },
    { how: "as if it had ended", isQuietCut: true },
  ])("$how goes on where it was, without loss or repeat", async ({ isQuietCut }) => {
    const { server, client, clock } = createStage([{ cutAfter: 700, isQuietCut }, {}]);
    const items = await readAll(client.events(runId), clock);
    expect(said(items)).toEqual(lines);
    const asked = server.heard.filter(({ path }) => path.endsWith("/events"));
    expect(asked.map(({ query }) => query.get("after"))).toEqual([null, "14.1"]);
    expect(items.filter(({ event }) => event === "connection").map(({ data }) => data)).toEqual([
      { status: "live" },
      {
        status: "reconnecting",
        reason: isQuietCut ? "the server closed the stream before its end" : "terminated",
        attempt: 1,
        delayMs: 188,
      },
      { status: "live" },
    ]);
  });

  it("waits longer each time, and starts again once something came", async () => {
    const busy = { answer: () => problem(503, "Restarting.") };
    const { client, clock } = createStage([busy, busy, busy, { cutAfter: 700 }, busy, {}]);
    const items = await readAll(client.events(runId), clock);
    expect(said(items)).toEqual(lines);
    expect(waits(items)).toEqual([188, 375, 750, 188, 375]);
  });

  it("waits as long as the server asks for", async () => {
    const response = () => new Response("{}", { status: 429, headers: { "retry-after": "7" } });
    const { client, clock } = createStage([{ answer: response }, {}]);
    expect(waits(await readAll(client.events(runId), clock))).toEqual([7_000]);
  });

  it.each([408, 425, 429, 500, 502, 503, 504])("is tried again after a %i", async (status) => {
    const { client, clock } = createStage([{ answer: () => problem(status, "Busy.") }, {}]);
    expect(said(await readAll(client.events(runId), clock))).toEqual(lines);
  });

  it.each([400, 401, 403, 404, 409, 410, 413, 422, 501])("ends with a %i", async (status) => {
    const { server, client, clock } = createStage([{ answer: () => problem(status, "No.") }, {}]);
    const refused = { name: "ProblemError", status };
    await expect(readAll(client.events(runId), clock)).rejects.toMatchObject(refused);
    expect(server.heard).toHaveLength(1);
  });

  it("is given up after its last attempt, saying why", async () => {
    const busy = { answer: () => problem(503, "Restarting.") };
    const { client, clock } = createStage([busy]);
    await expect(readAll(client.events(runId), clock)).rejects.toThrow(
      /the stream was lost \(Refused \(503\): Restarting\.\) and 12 attempts to reconnect failed/,
    );
  });

  it("is not tried again when a web page answers", async () => {
    const page = () => new Response("<html>", { headers: { "content-type": "text/html" } });
    const { client, clock } = createStage([{ answer: page }]);
    await expect(readAll(client.events(runId), clock)).rejects.toThrow(/a web page was answered/);
  });

  it("cannot continue where the server gave no positions", async () => {
    const text = '{"event":"chunk","data":"a"}\n';
    const { client, clock } = createStage([{ answer: () => new Response(text) }]);
    await expect(readAll(client.events(runId), clock)).rejects.toThrow(/sent no positions/);
  });

  it("of a started run continues as the run that was started", async () => {
    const { server, client, clock } = createStage([{ cutAfter: 900 }, {}]);
    const stream = await client.execute({ user_input: "hi", tool_events: "both" });
    expect([stream.runId, stream.conversationId]).toEqual([runId, "conv_1"]);
    const both = eventLines(log, { toolEvents: "both" }).map(({ value }) => value);
    expect(said(await readAll(stream, clock))).toEqual(both);
    expect(server.heard.map(({ method, path }) => `${method} ${path}`)).toEqual([
      "POST /api/agent/execute",
      `GET /api/agent/runs/${runId}/events`,
    ]);
  });

  it("before the start was answered starts again with the same key: one run", async () => {
    const broken = {
      answer: () => {
        throw new TypeError("fetch failed");
      },
    };
    const { server, client, clock } = createStage([broken, {}]);
    const stream = client.execute({ user_input: "hi" });
    await clock.untilAsleep(188);
    await clock.advance(188);
    expect(said(await readAll(await stream, clock))).toEqual(lines);
    const keys = server.heard.map(({ headers }) => headers.get("idempotency-key"));
    expect(keys).toEqual(["key_1", "key_1"]);
  });
});

describe("the end", () => {
  it("of a run that was read to its end already is found by asking", async () => {
    const { server, client, clock } = createStage([{}]);
    expect(said(await readAll(client.events(runId, { after: log.length }), clock))).toEqual([]);
    expect(server.heard.map(({ path }) => path)).toEqual([
      `/api/agent/runs/${runId}/events`,
      `/api/agent/runs/${runId}`,
    ]);
  });

  it("of a history is the end of its answer", async () => {
    const { server, client, clock } = createStage([{}]);
    server.append(...renamed(log.slice(0, 1), "open"));
    const items = await readAll(client.log("open", { follow: false }), clock);
    expect(items).toHaveLength(2);
    expect(server.heard).toHaveLength(1);
  });

  it("frees the connection when the reader stops reading", async () => {
    const { server, client } = createStage([{ cutAfter: 1e9 }]);
    server.append(...renamed(log.slice(0, 1), "open"));
    for await (const item of client.log("open")) if (!isNotice(item)) break;
    expect(server.openStreams).toBe(0);
  });

  it("comes at once when the caller aborts, with the caller's reason", async () => {
    const { server, client } = createStage([{}]);
    server.append(...renamed(log.slice(0, 1), "open"));
    const abort = new AbortController();
    const read = (async () => {
      for await (const item of client.log("open", { signal: abort.signal })) {
        if (!isNotice(item)) abort.abort(new Error("enough"));
      }
    })();
    await expect(read).rejects.toThrow("enough");
    expect(server.openStreams).toBe(0);
  });
});

describe("silence", () => {
  /** A run of which one event is there; what is read of it, as it is read. */
  async function createSlowRun() {
    const clock = createFakeClock();
    const { server, client } = createStage([{}], clock);
    const [first = [], rest = []] = [log.slice(0, 1), log.slice(1)].map((part) =>
      renamed(part, "slow"),
    );
    server.append(...first);
    const items: LogStreamItem[] = [];
    const read = (async () => {
      for await (const item of client.log("slow")) items.push(item);
    })();
    await clock.untilAsleep(45_000);
    await clock.advance(0);
    return { clock, server, rest, items, read };
  }

  it("is taken for death after the limit, and the stream continues on another connection", async () => {
    const { clock, server, rest, items, read } = await createSlowRun();
    await clock.advance(44_999);
    expect(server.heard).toHaveLength(1);
    await clock.advance(1);
    await clock.untilAsleep(188);
    expect(server.openStreams).toBe(0);
    server.append(...rest);
    await clock.advance(188);
    await read;
    expect(items.filter((item) => !isNotice(item))).toHaveLength(log.length);
    expect(items.filter(isNotice).map(({ data }) => data)).toMatchObject([
      { status: "live" },
      { status: "reconnecting", reason: "no data was received for too long" },
      { status: "live" },
    ]);
  });

  it("is broken by heartbeats", async () => {
    const { clock, server, rest, items, read } = await createSlowRun();
    for (const heartbeat of ["\n", '{"event":"heartbeat","data":{"at":1}}\n', "\r\n"]) {
      await clock.advance(30_000);
      server.write(heartbeat);
      await clock.advance(0);
    }
    await clock.advance(30_000);
    server.append(...rest);
    await read;
    expect(items.filter((item) => !isNotice(item))).toHaveLength(log.length);
    expect(server.heard).toHaveLength(1);
  });

  it("of a reader that is busy itself does not count", async () => {
    const clock = createFakeClock();
    const { server, client } = createStage([{ pieces: [300] }], clock);
    let count = 0;
    for await (const item of client.log(runId)) {
      if (!isNotice(item)) count += 1;
      // Longer than the limit of silence.
      await clock.advance(50_000);
    }
    expect(count).toBe(log.length);
    expect(server.heard).toHaveLength(1);
  });
});

describe("the wait before an attempt", () => {
  it("doubles up to its ceiling, spread by chance, never below what was asked", () => {
    const waitsFor = (chance: number): readonly number[] =>
      [1, 2, 3, 4, 5, 6, 7, 50].map((attempt) => delayBefore(attempt, chance, defaultBackoff));
    expect(waitsFor(1)).toEqual([250, 500, 1_000, 2_000, 4_000, 8_000, 10_000, 10_000]);
    expect(waitsFor(0)).toEqual([125, 250, 500, 1_000, 2_000, 4_000, 5_000, 5_000]);
    expect(delayBefore(1, 0, defaultBackoff, 3_000)).toBe(3_000);
  });
});
