import { createRedactor } from "@callboard/agent-sdk";
/** One stream for many runs: short cursors, exact resumption under cuts, and what becomes visible late. */
import { createMemoryLogStore, type RunEvent, runId } from "@callboard/run-log";
import { createRandom, lifeNamed, searchedOf } from "@callboard/testkit";
import { describe, expect, it } from "vitest";
import type { RunFacts, RunStore } from "../stores/runStore.js";
import { beginning } from "../streams/cursor.js";
import type { Sink } from "../streams/sink.js";
import { quietLogger } from "../testing/place.js";
import { fieldOf, textAtPath } from "../testing/reading.js";
import { createHub } from "./hub.js";
import { createNodeBus } from "./nodeBus.js";
import { ownRunsNow } from "./ownRunsNow.js";
import { type WatchOptions, watch } from "./watch.js";
import { formatWatchCursor, noWatchCursor, parseWatchCursor } from "./watchCursor.js";
import { createWatchPlaces } from "./watchPlaces.js";

const idOf = (number: number): string =>
  `00000000-0000-4000-8000-${number.toString(16).padStart(12, "0")}`;
const conversation = idOf(0xc0);
const caller = { userId: idOf(0xa0), proof: "jwt", limitedAs: "u" } as const;
const life = lifeNamed("read-file")?.log ?? [];
const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

function logOf(id: string): readonly RunEvent[] {
  return life.map((event) => ({ ...event, runId: runId(id) }));
}

/** Each look at the clock moves it; long sleeps are not slept to their end. */
function createClock() {
  let time = 0;
  const look = (): number => {
    time += 5;
    return time;
  };
  return {
    now: look,
    monotonic: look,
    sleep: (milliseconds: number, signal?: AbortSignal) =>
      new Promise<void>((resolve) => {
        if (milliseconds < 5_000) setImmediate(resolve);
        signal?.addEventListener("abort", () => resolve(), { once: true });
      }),
  };
}

async function createStage() {
  const clock = createClock();
  const logs = createMemoryLogStore();
  const runs = new Map<string, RunFacts>();
  const bus = await createNodeBus({ nodeId: "n", logger: quietLogger });
  const hub = createHub({
    tail: (id, after) => logs.tail(runId(id), { after }),
    clock,
    logger: quietLogger,
    maxLagBytes: 1_000_000,
    lingerMs: 1,
  });
  const inOrder = (): readonly RunFacts[] =>
    [...runs.values()].toSorted((one, other) => one.createdAt - other.createdAt);

  async function append(id: string, events: readonly RunEvent[]): Promise<void> {
    const facts = runs.get(id);
    const last = events.at(-1);
    if (!facts || !last) return;
    await logs.append(runId(id), facts.lastSeq, events);
    const status = last.type === "run.closed" ? "closed" : facts.status;
    runs.set(id, { ...facts, lastSeq: last.seq, status });
  }

  async function begin(id: string, createdAt: number, count = life.length): Promise<void> {
    const { userId } = caller;
    const facts = { runId: id, conversationId: conversation, userId, lastSeq: 0, createdAt };
    runs.set(id, { ...facts, status: "open", isParked: false });
    await append(id, logOf(id).slice(0, count));
  }

  const store: Pick<RunStore, "runsInOrder" | "listRuns"> = {
    async *runsInOrder(_, { since = 0, isOpen = false }) {
      const all = inOrder().filter(({ createdAt }) => createdAt >= since);
      const some = all.filter(({ status }) => !isOpen || status === "open");
      for (let at = 0; at < some.length; at += 300) {
        await turn();
        yield some.slice(at, at + 300);
      }
    },
    listRuns: async (_, { limit }) => inOrder().toReversed().slice(0, limit),
  };

  return {
    hub,
    begin,
    append,
    runs,
    async told(id: string): Promise<void> {
      const { userId } = caller;
      await bus.publish({ type: "runStarted", runId: id, conversationId: conversation, userId });
    },
    store,
    open: (
      sink: Sink,
      cursor: string,
      which: Pick<WatchOptions, "conversations" | "isMine" | "own"> = {
        conversations: [conversation],
        isMine: false,
      },
    ) =>
      watch(
        {
          store: {
            ...store,
            findRun: async (_, id) => runs.get(id),
            read: (id, range) => logs.read(runId(id), range),
            accessOf: async () => "owner",
          },
          redactor: createRedactor(),
          hub,
          bus,
          clock,
          logger: quietLogger,
          rights: {
            guard: () => undefined,
            changed: () => undefined,
            broken: () => undefined,
            sweep: async () => undefined,
            close: () => undefined,
          },
          metrics: { add: () => undefined, render: () => "" },
        },
        {
          caller,
          sink,
          form: {
            format: "log",
            framing: "ndjson",
            toolEvents: "v2",
            streamArguments: true,
            rate: undefined,
          },
          runs: new Map(),
          ...which,
          cursor: (cursor === "" ? noWatchCursor : parseWatchCursor(cursor)) ?? noWatchCursor,
          unseen: { runs: [], conversations: [] },
        },
      ),
  };
}

/** Takes lines until so many characters have come; half a line counts for nothing. */
function createReader() {
  /** How far each run is, by everything that came and by what the last cursor stands for. */
  const seqs = new Map<string, number>();
  const ended = new Set<string>();
  const wrong: string[] = [];
  let atCursor = new Map<string, number>();
  let cursor = "";
  let cursorBytes = 0;
  let longest = 0;
  let bytes = 0;

  function take(line: string, told: Map<string, number>): void {
    const value: unknown = JSON.parse(line);
    const id = textAtPath(value, "run_id");
    const seq = fieldOf(value, "seq");
    bytes += line.length + 1;
    if (typeof seq === "number") {
      // Exactly what the cursor does not stand for: no line more, no line less.
      const wanted = (told.get(id) ?? atCursor.get(id) ?? 0) + 1;
      if (seq !== wanted) wrong.push(`${id}: ${seq} instead of ${wanted}`);
      told.set(id, seq);
      seqs.set(id, Math.max(seqs.get(id) ?? 0, seq));
      if (fieldOf(value, "type") === "run.closed") ended.add(id);
    }
    const said = textAtPath(value, "cursor");
    if (said === "") return;
    cursor = said;
    cursorBytes += said.length;
    longest = Math.max(longest, said.length);
    atCursor = new Map([...atCursor, ...told]);
  }

  return {
    ended,
    seqs,
    wrong,
    get cursor() {
      return cursor;
    },
    get figures() {
      return { cursorBytes, longest, bytes };
    },
    connect(most: number): Sink & { close(): void } {
      const told = new Map<string, number>();
      const closings = new Set<() => void>();
      let left = most;
      let isClosed = false;
      function close(): void {
        isClosed = true;
        for (const closed of closings) closed();
        closings.clear();
      }
      return {
        write(text) {
          if (isClosed) return false;
          for (const line of String(text).split("\n").slice(0, -1)) {
            left -= line.length + 1;
            if (left < 0) break;
            take(line, told);
          }
          if (left < 0) setImmediate(close);
          if (left < 0) isClosed = true;
          return true;
        },
        onDrain: (drained) => setImmediate(drained),
        onClose(closed) {
          closings.add(closed);
          return () => void closings.delete(closed);
        },
        end: close,
        cut: close,
        close,
        get isClosed() {
          return isClosed;
        },
        lastWriteAt: 0,
        fullSince: undefined,
      };
    },
  };
}

describe("a conversation of 1,000 runs", () => {
  it("has short cursors, also behind an old run that stays open", async () => {
    const stage = await createStage();
    await stage.begin(idOf(1), 1, 5);
    for (let number = 2; number <= 1_000; number += 1) await stage.begin(idOf(number), number * 50);
    const reader = createReader();
    const sink = reader.connect(Number.POSITIVE_INFINITY);
    await stage.open(sink, "");
    for (let turns = 0; reader.ended.size < 999 && turns < 20_000; turns += 1) await turn();
    expect(reader.ended.size).toBe(999);
    const { cursorBytes, longest, bytes } = reader.figures;
    expect(longest).toBeLessThan(300);
    expect(cursorBytes).toBeLessThan(bytes / 50);
    sink.close();
    const again = createReader();
    const rest = again.connect(Number.POSITIVE_INFINITY);
    await stage.open(rest, reader.cursor);
    await turn();
    // Only the open run continues.
    expect([...again.seqs.keys()]).toEqual([idOf(1)]);
    rest.close();
    stage.hub.close();
  });

  it.each(searchedOf([1, 2]))("loses and repeats nothing under cuts (seed %i)", async (seed) => {
    const random = createRandom(seed);
    const stage = await createStage();
    await stage.begin(idOf(1), 1, 2);
    for (let number = 2; number <= 940; number += 1) await stage.begin(idOf(number), number * 40);
    let next = 941;
    const live = new Map([[1, 2]]);
    const reader = createReader();
    let longest = 0;
    for (let connections = 0; reader.ended.size < 1_000; connections += 1) {
      expect(reader.wrong).toEqual([]);
      expect(connections).toBeLessThan(300);
      // Every run that is left is announced first: a connection lasts for that and some lines.
      const sink = reader.connect((1_000 - reader.ended.size) * 180 + random.int(150_000));
      const opened = stage.open(sink, reader.cursor);
      for (let turns = 0; turns < 400 && !sink.isClosed; turns += 1) {
        await turn();
        if (random.int(6) === 0 && next <= 1_000) {
          live.set(next, 1);
          await stage.begin(idOf(next), 940 * 40 + next, 1);
          await stage.told(idOf(next));
          next += 1;
        }
        for (const [number, count] of live) {
          if (random.int(4) > 0 || (number === 1 && next <= 1_000)) continue;
          await stage.append(idOf(number), logOf(idOf(number)).slice(count, count + 3));
          if (count + 3 >= life.length) live.delete(number);
          else live.set(number, count + 3);
        }
      }
      sink.close();
      await opened;
      longest = Math.max(longest, reader.figures.longest);
    }
    expect(reader.wrong).toEqual([]);
    expect([...reader.seqs.values()].every((seq) => seq === life.length)).toBe(true);
    expect(longest).toBeLessThan(4_000);
    stage.hub.close();
  });
});

describe("a stream of one's own runs", () => {
  it("tells a run that starts and ends while the stream opens, and none that was over before", async () => {
    const stage = await createStage();
    await stage.begin(idOf(1), 1_000);
    const own = await ownRunsNow(stage.store, caller);
    await stage.begin(idOf(2), 1_000);
    const reader = createReader();
    const sink = reader.connect(Number.POSITIVE_INFINITY);
    await stage.open(sink, "", { conversations: [], isMine: true, own });
    for (let turns = 0; reader.ended.size < 1 && turns < 1_000; turns += 1) await turn();
    expect([...reader.ended]).toEqual([idOf(2)]);
    expect([...reader.seqs.keys()]).toEqual([idOf(2)]);
    sink.close();
    stage.hub.close();
  });
});

describe("the cursor of many runs", () => {
  const facts = (number: number, createdAt: number, status: "open" | "closed"): RunFacts => {
    const { userId } = caller;
    const run = { runId: idOf(number), conversationId: conversation, userId, lastSeq: 9 };
    return { ...run, status, isParked: false, createdAt };
  };
  const options = { caller, runs: new Map(), conversations: [conversation], isMine: false };
  const placesFrom = (text: string) => {
    const cursor = parseWatchCursor(text);
    if (!cursor) throw new Error(`${text} is no cursor`);
    return createWatchPlaces({ ...options, cursor });
  };

  it("is read as it was written, and nothing else is one", () => {
    const place = { at: 1_790_000_000_123, runId: idOf(9), count: 3, sum: 77 };
    const cursor = {
      scopes: new Map([
        [conversation, place],
        ["mine", { at: 0, runId: "", count: 0, sum: 0 }],
      ]),
      runs: new Map<string, { seq: number; lines: number } | "end">([
        [idOf(1), { seq: 3, lines: 1 }],
        [idOf(2), "end"],
      ]),
    };
    const text = formatWatchCursor(cursor);
    expect(parseWatchCursor(text)).toEqual(cursor);
    expect(encodeURIComponent(text)).toBe(text);
    for (const other of ["", "x", "e30", `${text}~`, `${text}~r1.1`]) {
      expect(parseWatchCursor(other)).toBe(undefined);
    }
  });

  it("tells what became visible late, and then those of late again", () => {
    const places = createWatchPlaces({ ...options, cursor: noWatchCursor });
    const runs = [
      facts(1, 1_000, "closed"),
      facts(2, 200_000, "closed"),
      facts(4, 200_002, "closed"),
    ];
    expect(places.listed(conversation, runs).length).toBe(3);
    for (const run of runs) {
      places.begun(run.runId);
      places.ended(run.runId);
    }
    const text = formatWatchCursor(places.cursor);
    expect(placesFrom(text).listed(conversation, runs)).toEqual([]);
    const late = facts(3, 200_001, "closed");
    expect(places.listed(conversation, [...runs, late]).map(({ run }) => run)).toEqual([late]);
    const again = placesFrom(text).listed(conversation, [
      ...runs.slice(0, 2),
      late,
      ...runs.slice(2),
    ]);
    expect(again.map(({ run }) => run.runId)).toEqual([idOf(2), idOf(3), idOf(4)]);
  });

  it("of one's own tells what is open, however old, and what starts later", () => {
    const own = { ...options, conversations: [], isMine: true };
    const places = createWatchPlaces({ ...own, cursor: noWatchCursor });
    const open = facts(1, 1_000, "open");
    const over = facts(2, 200_000, "closed");
    expect(places.listed("mine", [open, over])).toEqual([{ run: open, from: beginning }]);
    places.begun(open.runId);
    places.moved(open.runId, { seq: 4, lines: 0 });
    const cursor = parseWatchCursor(formatWatchCursor(places.cursor)) ?? noWatchCursor;
    const resumed = createWatchPlaces({ ...own, cursor });
    const later = facts(3, 200_000, "closed");
    expect(resumed.listed("mine", [over, later]).map(({ run }) => run)).toEqual([later]);
    expect(resumed.missing()).toEqual([open.runId]);
    expect(resumed.resume(open.runId, open)).toEqual({ seq: 4, lines: 0 });
  });
});
