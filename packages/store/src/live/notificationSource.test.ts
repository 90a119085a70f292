/** A feed with a source of news in front of the table: what is copied, heard, read, and left. */
import type { Logger } from "@callboard/agent-sdk";
import { type RunEvent, type RunId, runId } from "@callboard/run-log";
import { describe, expect, it } from "vitest";
import { createFeed } from "./feed.js";
import type { NotificationSource } from "./notificationSource.js";

const id = runId("a-run");
const quiet: Logger = {
  debug: () => undefined,
  info: () => undefined,
  warn: () => undefined,
  error: () => undefined,
};

function statuses(from: number, to: number): readonly RunEvent[] {
  return Array.from({ length: to - from + 1 }, (_, index): RunEvent => {
    const place = { v: 1, runId: id, seq: from + index, at: 1 } as const;
    return { ...place, type: "status.reported", status: "" };
  });
}

/** A source that keeps copies, a table beside it, and what both were asked. */
function createStage({
  isOwn = false,
  follow,
}: {
  isOwn?: boolean;
  follow?: NotificationSource["follow"];
} = {}) {
  const asked: string[] = [];
  const copies: RunEvent[] = [];
  const rows: RunEvent[] = [];
  const heard = new Set<(lastSeq: number) => void>();
  const source: NotificationSource = {
    isReached: () => true,
    stored(_, events) {
      asked.push(`stored ${events.length}`);
    },
    async follow(_: RunId, onMoved) {
      asked.push("follow");
      heard.add(onMoved);
      return async () => {
        asked.push("leave");
        heard.delete(onMoved);
      };
    },
    async read(_, after) {
      asked.push(`copy ${after}`);
      return copies.filter(({ seq }) => seq > after);
    },
    ...(follow ? { follow } : {}),
  };
  const feed = createFeed({
    news: { source, isOwn: () => isOwn, logger: quiet },
    async readPage(_, after) {
      asked.push(`table ${after}`);
      return rows.slice(after);
    },
    readHead: async () => ({ lastSeq: rows.length, isClosed: false }),
  });
  const tell = (lastSeq: number): void => {
    for (const onMoved of heard) onMoved(lastSeq);
  };
  return { feed, asked, copies, rows, tell };
}

const settled = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

describe("a run of another node", () => {
  it("is heard while it is followed, and read from the copy", async () => {
    const { feed, asked, copies, tell } = createStage();
    const tail = feed.tail(id, 0)[Symbol.asyncIterator]();
    const first = tail.next();
    await settled();
    expect(asked).toEqual(["follow", "copy 0", "table 0"]);
    copies.push(...statuses(1, 2));
    tell(2);
    expect((await first).value).toEqual(copies[0]);
    expect((await tail.next()).value).toEqual(copies[1]);
    await tail.return?.();
    await settled();
    expect(asked).toEqual(["follow", "copy 0", "table 0", "copy 0", "leave"]);
  });

  it("is read from the table where the copy has a hole", async () => {
    const { feed, asked, rows } = createStage();
    rows.push(...statuses(1, 1));
    const tail = feed.tail(id, 0)[Symbol.asyncIterator]();
    expect((await tail.next()).value).toEqual(rows[0]);
    expect(asked).toEqual(["follow", "copy 0", "table 0"]);
    await tail.return?.();
  });

  it("is read from the table where the source cannot be asked", async () => {
    const follow = async (): Promise<never> => {
      throw new Error("away");
    };
    const { feed, rows } = createStage({ follow });
    rows.push(...statuses(1, 1));
    const tail = feed.tail(id, 0)[Symbol.asyncIterator]();
    expect((await tail.next()).value).toEqual(rows[0]);
    await tail.return?.();
  });
});

describe("a run of this node", () => {
  it("is copied, and its followers ask neither the source nor the table for what they are told", async () => {
    const { feed, asked } = createStage({ isOwn: true });
    const tail = feed.tail(id, 0)[Symbol.asyncIterator]();
    const first = tail.next();
    await settled();
    expect(asked).toEqual(["table 0"]);
    const events = statuses(1, 3);
    feed.tell(id, events);
    expect((await first).value).toEqual(events[0]);
    expect((await tail.next()).value).toEqual(events[1]);
    expect(asked).toEqual(["table 0", "stored 3"]);
    await tail.return?.();
  });

  it("is copied though nobody follows it here", () => {
    const { feed, asked } = createStage({ isOwn: true });
    feed.tell(id, statuses(1, 2));
    expect(asked).toEqual(["stored 2"]);
  });

  it("is heard from the source once another node writes it", async () => {
    const { feed, asked } = createStage({ isOwn: true });
    const tail = feed.tail(id, 0)[Symbol.asyncIterator]();
    const first = tail.next();
    await settled();
    feed.disowned(id);
    expect(asked).toEqual(["table 0", "follow"]);
    await tail.return?.();
    await first;
  });
});
