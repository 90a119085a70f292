/** What holds for sessions wherever they are kept, held to by those in the database. */
import { randomUUID } from "node:crypto";
import { SessionLockedError, type SessionLog, type SessionStore } from "@callboard/agent-sdk";
import { SessionClosedError } from "@callboard/agent-sdk/sessions";
import { type RunEvent, type RunId, runId } from "@callboard/run-log";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { IdRefusedError, SessionUnknownError } from "../errors.js";
import type { Store } from "../store.js";
import { batchesOf } from "../testing/runBatches.js";
import { createTestPlace, slowStartMs, storeKinds, type TestPlace } from "../testing/testStore.js";

async function appendAll(
  log: SessionLog,
  batches: readonly (readonly RunEvent[])[],
): Promise<readonly RunEvent[]> {
  for (const batch of batches) {
    const [first] = batch;
    if (first) await log.append(first.runId, first.seq - 1, batch);
  }
  return batches.flat();
}

async function readAll(events: AsyncIterable<RunEvent>): Promise<readonly RunEvent[]> {
  const seen: RunEvent[] = [];
  for await (const event of events) seen.push(event);
  return seen;
}

describe.each(storeKinds)("sessions on %s", (kind) => {
  let place: TestPlace | undefined;
  let store: Store;
  let sessions: SessionStore;
  let a: string;
  let one: RunId;
  let two: RunId;
  beforeAll(async () => {
    place = await createTestPlace(kind);
    store = await place.open();
  }, slowStartMs);
  afterAll(() => place?.remove());
  beforeEach(() => {
    sessions = store.sessions({ userId: randomUUID() });
    a = randomUUID();
    one = runId(randomUUID());
    two = runId(randomUUID());
  });

  it("give a session back as it was left", async () => {
    const log = await sessions.open(a);
    const first = await appendAll(log, batchesOf(one, 3));
    const second = await appendAll(log, batchesOf(two, 1));
    expect(await log.runIds()).toEqual([one, two]);
    await log.close();
    const again = await sessions.open(a);
    expect(again.sessionId).toBe(a);
    expect(await again.runIds()).toEqual([one, two]);
    expect(await again.read(one, { after: 0 })).toEqual(first);
    expect(await again.read(two, { after: 0 })).toEqual(second);
    await again.close();
  });

  it("close what was left open as interrupted, once, before they are given", async () => {
    const log = await sessions.open(a);
    const open = await appendAll(log, batchesOf(one, 4).slice(0, -2));
    await appendAll(log, batchesOf(two, 1).slice(0, 4));
    await log.close();
    const again = await sessions.open(a);
    const events = await again.read(one, { after: 0 });
    expect(events.slice(0, open.length)).toEqual(open);
    expect(events.slice(open.length).map(({ type, seq }) => [type, seq])).toEqual([
      ["call.closed", open.length + 1],
      ["call.closed", open.length + 2],
      ["message.closed", open.length + 3],
      ["run.closed", open.length + 4],
    ]);
    expect(events[open.length]).toMatchObject({
      callId: "call_4",
      outcome: "interrupted",
      message: "the process ended before the run did",
    });
    expect(events.at(-1)).toMatchObject({ type: "run.closed", outcome: "interrupted", calls: 4 });
    expect((await again.read(two, { after: 0 })).at(-1)).toMatchObject({ outcome: "interrupted" });
    await again.close();
    const third = await sessions.open(a);
    expect(await third.read(one, { after: 0 })).toEqual(events);
    await third.close();
    const calls = await store.read.toolCalls({ as: "service", conversationId: a });
    const ended = calls
      .filter(({ request_id }) => request_id === one)
      .map(({ call_id, status, error_type }) => [call_id, status, error_type]);
    expect(ended).toEqual([
      ["call_1", "completed", null],
      ["call_2", "completed", null],
      ["call_3", "error", "interrupted"],
      ["call_4", "error", "interrupted"],
    ]);
    const { messages } = await store.read.messagesWithCalls({ as: "service", conversationId: a });
    expect(messages.map(({ position }) => position)).toEqual(messages.map((_, index) => index));
    expect(messages.filter(({ status }) => status !== "active")).toEqual([]);
  });

  it("keep a run open for whoever continues with it, with nothing else open in it", async () => {
    const log = await sessions.open(a, { keepRunsOpen: true });
    const open = await appendAll(log, batchesOf(one, 2).slice(0, -3));
    await log.close();
    const again = await sessions.open(a, { keepRunsOpen: true });
    const events = await again.read(one, { after: 0 });
    expect(events.slice(open.length).map(({ type }) => type)).toEqual([
      "call.closed",
      "call.closed",
      "message.closed",
    ]);
    const seq = events.length;
    const at = (events.at(-1)?.at ?? 0) + 1;
    const going = {
      v: 1,
      runId: one,
      seq: seq + 1,
      at,
      type: "status.reported",
      status: "on",
    } as const;
    expect(await again.append(one, seq, [going])).toEqual({ status: "appended", seq: seq + 1 });
    await again.close();
  });

  it("end a run whose writing failed when they are opened again, without waiting for its lease", async () => {
    const log = await sessions.open(a);
    const batches = batchesOf(one, 1).slice(0, 3);
    const events = await appendAll(log, batches);
    const opening = events.find(({ type }) => type === "call.opened");
    const twice = opening ? [{ ...opening, seq: events.length + 1 }] : [];
    await expect(log.append(one, events.length, twice)).rejects.toThrow("one_opening");
    await log.close();
    const again = await sessions.open(a);
    const stored = await again.read(one, { after: 0 });
    expect(stored.slice(0, events.length)).toEqual(events);
    expect(stored.at(-1)).toMatchObject({ type: "run.closed", outcome: "interrupted" });
    await appendAll(again, batchesOf(two, 1));
    await again.close();
  });

  it("are one holder's at a time", async () => {
    const log = await sessions.open(a);
    await expect(sessions.open(a)).rejects.toThrow(SessionLockedError);
    await expect(sessions.open(a)).rejects.toThrow(`process ${process.pid}, which is this one`);
    await expect(sessions.remove(a)).rejects.toThrow(SessionLockedError);
    const other = await sessions.open(randomUUID());
    await other.close();
    await log.close();
    await log.close();
    await (await sessions.open(a)).close();
  });

  it("are not used after they are closed", async () => {
    const log = await sessions.open(a);
    const batches = batchesOf(one, 1);
    await appendAll(log, batches.slice(0, 2));
    const waiting = readAll(log.tail(one, { after: 6 }));
    const unread = log.tail(one, { after: 2 })[Symbol.asyncIterator]();
    await log.close();
    expect(await waiting).toEqual([]);
    await expect(unread.next()).rejects.toThrow(SessionClosedError);
    await expect(log.read(one, { after: 0 })).rejects.toThrow(SessionClosedError);
    await expect(log.append(one, 6, batches[2] ?? [])).rejects.toThrow(SessionClosedError);
  });

  it("are listed by their first words, the newest first", async () => {
    expect(await sessions.list()).toEqual([]);
    const old = await sessions.open(randomUUID());
    await appendAll(old, batchesOf(one, 1));
    await old.close();
    const later = await sessions.open(a);
    await appendAll(later, batchesOf(runId(randomUUID()), 1));
    await appendAll(later, batchesOf(two, 5));
    await later.close();
    const listed = await sessions.list();
    expect(listed.map(({ sessionId, title, runs }) => [sessionId, title, runs])).toEqual([
      [a, "Wie spät ist es?", 2],
      [old.sessionId, "Wie spät ist es?", 1],
    ]);
    expect(listed[0]?.updatedAt).toBe(batchesOf(two, 5).flat().at(-1)?.at);
  });

  it("are gone once they are removed, and removing nothing is nothing", async () => {
    const log = await sessions.open(a);
    await appendAll(log, batchesOf(one, 2));
    await log.close();
    await sessions.remove(a);
    await sessions.remove(a);
    expect(await sessions.list()).toEqual([]);
    const again = await sessions.open(a);
    expect(await again.runIds()).toEqual([]);
    await again.close();
  });

  it("refuse an id that is none", async () => {
    await expect(sessions.open("../a")).rejects.toThrow(IdRefusedError);
    await expect(sessions.remove("../a")).rejects.toThrow(IdRefusedError);
    expect(() => store.sessions({ userId: "me" })).toThrow(IdRefusedError);
  });

  it("of somebody else are not there, and are not removed", async () => {
    const log = await sessions.open(a);
    await appendAll(log, batchesOf(one, 1));
    await log.close();
    const other = store.sessions({ userId: randomUUID() });
    await expect(other.open(a)).rejects.toThrow(SessionUnknownError);
    expect(await other.list()).toEqual([]);
    await other.remove(a);
    expect((await sessions.list()).map(({ sessionId }) => sessionId)).toEqual([a]);
  });
});
