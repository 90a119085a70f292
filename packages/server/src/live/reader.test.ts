import { createMemoryLogStore, type RunEvent } from "@callboard/run-log";
import { streamFormats } from "@callboard/run-log/http";
import { createRandom, lifeNamed, type Random, seededLife } from "@callboard/testkit";
import { describe, expect, it } from "vitest";
import { beginning, type Cursor } from "../streams/cursor.js";
import { createLines, type StreamForm } from "../streams/format.js";
import { cursorAfter, type Line } from "../streams/line.js";
import { quietLogger } from "../testing/place.js";
import { fieldOf, textAtPath } from "../testing/reading.js";
import { createHub, type Hub } from "./hub.js";
import type { LineTarget } from "./lineTarget.js";
import { readLive, readStored } from "./reader.js";
import { createReplay } from "./replay.js";

/** Time passes in turns of the event loop: whoever sleeps sleeps for one. */
const hurryingClock = {
  now: () => 0,
  monotonic: () => 0,
  sleep: (_: number, signal?: AbortSignal) =>
    new Promise<void>((resolve) => {
      if (signal?.aborted) return resolve();
      setImmediate(resolve);
    }),
};

const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

interface Reader {
  readonly lines: Line[];
  cursor: Cursor;
  isOver: boolean;
  cut: (() => void) | undefined;
}

/** A reader that takes what it is given, is full now and then, and can be cut. */
function createTarget(reader: Reader, random: Random): LineTarget {
  const closings = new Set<() => void>();
  let isClosed = false;
  const close = (): void => {
    isClosed = true;
    if (reader.cut === close) reader.cut = undefined;
    for (const closed of closings) closed();
  };
  reader.cut = close;
  return {
    get isClosed() {
      return isClosed;
    },
    isFull: false,
    framing: undefined,
    write(lines) {
      if (Buffer.isBuffer(lines)) throw new Error("lines were asked for");
      // A cut may fall between the lines of one write.
      const taken = random.int(12) === 0 ? lines.slice(0, random.int(lines.length + 1)) : lines;
      for (const line of taken) {
        reader.lines.push(line);
        reader.cursor = received(reader, line);
      }
      if (taken.length < lines.length) setImmediate(close);
      if (taken.length < lines.length) isClosed = true;
      return random.int(3) > 0;
    },
    onDrain: (drained) => void turn().then(() => isClosed || drained()),
    onClose(closed) {
      if (isClosed) closed();
      else closings.add(closed);
      return () => void closings.delete(closed);
    },
    finish() {
      // On a connection that is gone, the end reaches nobody.
      if (isClosed) return;
      reader.isOver = true;
      close();
    },
    cut: close,
  };
}

/** As a client counts: the lines that it has of the last position. */
function received({ lines }: Reader, { seq }: Line): Cursor {
  const count = lines.filter((line) => line.seq === seq).length;
  return { seq: seq - 1, lines: count };
}

function formOf(random: Random): StreamForm {
  return {
    format: random.pick(streamFormats),
    framing: "ndjson",
    toolEvents: random.pick(["v2", "legacy", "both"] as const),
    streamArguments: random.int(2) === 0,
    rate: random.int(2) === 0 ? undefined : 30,
  };
}

/** What a reader shows who is never cut, with merged deltas taken apart again by joining all of them. */
function told(lines: readonly Line[], form: StreamForm): string {
  return form.rate === undefined
    ? lines.map(({ json }) => json).join("\n")
    : joined(lines.map(({ json }) => json));
}

/** Neighbouring deltas of one text as one, whatever their offsets, times and positions. */
function joined(texts: readonly string[]): string {
  const out: { readonly key: string; text: string }[] = [];
  for (const json of texts) {
    const value: unknown = JSON.parse(json);
    const delta = deltaOf(value);
    const last = out.at(-1);
    if (delta && last?.key === delta.key) last.text += delta.text;
    else out.push(delta ? { ...delta } : { key: "", text: json });
  }
  return out.map(({ key, text }) => `${key}: ${text}`).join("\n");
}

function deltaOf(value: unknown): { readonly key: string; readonly text: string } | undefined {
  const kind = textAtPath(value, "type") || textAtPath(value, "event");
  const ids = ["id", "toolCallId", "messageId", "partId", "callId"].map((id) =>
    textAtPath(value, id),
  );
  const key = `${kind} ${ids.join(" ")}`;
  if (kind === "chunk") return { key, text: textAtPath(value, "data") };
  if (kind === "tool_event" && fieldOf(value, "data", "data", "offset") !== undefined) {
    const call = `${textAtPath(value, "data", "call_id")} ${textAtPath(value, "data", "event")}`;
    const said = fieldOf(value, "data", "data", "preview");
    const text = said ?? fieldOf(value, "data", "data", "arguments_delta");
    return typeof text === "string" ? { key: call, text } : undefined;
  }
  if (fieldOf(value, "progress", "type") === "output") {
    return { key, text: textAtPath(value, "progress", "text") };
  }
  if (kind.endsWith(".delta")) return { key, text: textAtPath(value, "text") };
  const text = fieldOf(value, "delta") ?? fieldOf(value, "inputTextDelta");
  return typeof text === "string" ? { key, text } : undefined;
}

/** A tail that breaks now and then, as one of a busy database does. */
async function* flaky(tail: AsyncIterable<RunEvent>, random: Random): AsyncGenerator<RunEvent> {
  for await (const event of tail) {
    if (random.int(25) === 0) throw new Error("the database is busy");
    yield event;
  }
}

async function tried(seed: number): Promise<void> {
  const random = createRandom(seed);
  const { log } = seededLife(seed);
  const [first] = log;
  if (!first || log.at(-1)?.type !== "run.closed") return;
  const { runId } = first;
  const store = createMemoryLogStore();
  const form = formOf(random);
  const hub: Hub = createHub({
    tail: (_, after) => flaky(store.tail(runId, { after }), random),
    clock: hurryingClock,
    logger: quietLogger,
    // Small enough that readers fall out of it.
    maxLagBytes: random.pick([200, 2_000, 1_000_000]),
    lingerMs: 1,
  });
  const readers: Reader[] = Array.from({ length: 3 }, () => {
    return { lines: [], cursor: beginning, isOver: false, cut: undefined };
  });

  function attach(reader: Reader): void {
    const { cursor } = reader;
    const read = (range: { after: number; limit: number }) => store.read(runId, range);
    const replay = createReplay({ read, form, cursor, clock: hurryingClock });
    const options = {
      target: createTarget(reader, random),
      cursor,
      replay,
      onCut: () => undefined,
    };
    if (written === log.length) void readStored(options);
    else readLive(hub, hub.channelOf(runId, form), options);
  }

  let written = 0;
  while (written < log.length) {
    const batch: readonly RunEvent[] = log.slice(written, written + 1 + random.int(6));
    await store.append(runId, written, batch);
    written += batch.length;
    for (const reader of readers) {
      if (reader.cut === undefined && !reader.isOver && random.int(2) === 0) attach(reader);
      else if (random.int(10) === 0) reader.cut?.();
    }
    if (random.int(2) === 0) await turn();
  }
  for (let patience = 0; patience < 2_000; patience += 1) {
    if (readers.every(({ isOver }) => isOver)) break;
    for (const reader of readers) if (reader.cut === undefined && !reader.isOver) attach(reader);
    await turn();
  }
  hub.close();
  const maker = createLines(form);
  const whole = log.flatMap((event) =>
    maker.push(event).map((draft): Line => ({ ...draft, from: draft.seq, json: draft.json() })),
  );
  for (const reader of readers) {
    expect({ seed, isOver: reader.isOver }).toEqual({ seed, isOver: true });
    expect(`${seed}\n${told(reader.lines, form)}`).toBe(`${seed}\n${told(whole, form)}`);
  }
  for (const line of whole) expect(cursorAfter(line).seq).toBeLessThanOrEqual(line.seq);
}

/** The lines of a reader of one turn, of a log that is whole before the reader looks at it. */
async function linesOfTurn(log: readonly RunEvent[], turnAfter: number): Promise<readonly Line[]> {
  const [first] = log;
  if (!first) return [];
  const store = createMemoryLogStore();
  await store.append(first.runId, 0, log);
  const form: StreamForm = {
    ...{ format: "ui-message", framing: "ndjson", toolEvents: "v2", streamArguments: true },
    ...{ rate: undefined, uiTurns: { pageTools: [], hasApprovals: true } },
  };
  const { runId } = first;
  const hub = createHub({
    tail: (_, after) => store.tail(runId, { after }),
    clock: hurryingClock,
    logger: quietLogger,
    maxLagBytes: 1_000_000,
    lingerMs: 1,
  });
  const channel = hub.channelOf(runId, form);
  const unfollow = hub.follow(channel, { wake: () => undefined });
  for (let patience = 0; patience < 100; patience += 1) await turn();
  const lines: Line[] = [];
  let isOver = false;
  readLive(hub, channel, {
    target: {
      ...{ isClosed: false, isFull: false, framing: undefined },
      write(written) {
        if (Buffer.isBuffer(written)) throw new Error("lines were asked for");
        lines.push(...written);
        return true;
      },
      onDrain: () => undefined,
      onClose: () => () => undefined,
      finish: () => {
        isOver = true;
      },
      cut: () => undefined,
    },
    cursor: beginning,
    replay: createReplay({
      read: (range: { after: number; limit: number }) => store.read(runId, range),
      ...{ form, cursor: beginning, clock: hurryingClock },
    }),
    onCut: () => undefined,
    turnAfter,
  });
  await turn();
  unfollow();
  hub.close();
  expect(isOver).toBe(true);
  return lines;
}

describe("a reader of one turn", () => {
  const { log = [] } = lifeNamed("question-held") ?? {};
  // The first question is answered there; a background call runs when the second one is asked.
  const turnAfter = log.findIndex(({ type }) => type === "call.closed") + 1;
  const asked = log.findIndex(({ type }) => type === "call.approval.asked");

  it("ends at the pause, though a background call printed after it", async () => {
    expect(log[asked + 1]?.type).toBe("call.run.progressed");
    const lines = await linesOfTurn(log.slice(0, asked + 2), turnAfter);
    expect(lines.at(-1)).toMatchObject({ seq: asked + 1, isPause: true });
  });

  it("receives everything where the run has continued since", async () => {
    const lines = await linesOfTurn(log, turnAfter);
    expect(lines.at(-1)).toMatchObject({ seq: log.length, isEnd: true });
  });
});

describe("readers of a run", () => {
  it("receive everything once, however they are cut, full, behind or late", async () => {
    for (let seed = 1; seed <= 300; seed += 1) await tried(seed);
  });
});
