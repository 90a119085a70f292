/**
 * A log store for suites that name their runs as they like: names become UUIDs on the way in and names
 * again on the way out. Nothing else is changed.
 */
import {
  conversationId,
  type LogStore,
  type RunEvent,
  type RunId,
  runId as runIdOf,
} from "@callboard/run-log";
import { nameUuid } from "../ids.js";

/** A life with UUIDs for its run and its conversation. */
export function uuidLife(log: readonly RunEvent[], seed: string): readonly RunEvent[] {
  return log.map((event) => {
    const runId = runIdOf(nameUuid(seed, event.runId));
    if (event.type !== "run.started") return { ...event, runId };
    const uuid = nameUuid(seed, `conversation ${event.conversationId}`);
    return { ...event, runId, conversationId: conversationId(uuid) };
  });
}

/** `seed` is a UUID: with another one the same names are other runs. */
export function createUuidLog(log: LogStore, seed: string): LogStore {
  const names = new Map<string, RunId>();
  const conversations = new Map<string, string>();

  function idOf(runId: RunId): RunId {
    const id = runIdOf(nameUuid(seed, runId));
    names.set(id, runId);
    return id;
  }

  function storedOf(event: RunEvent): RunEvent {
    const runId = idOf(event.runId);
    if (event.type !== "run.started") return { ...event, runId };
    const uuid = nameUuid(seed, `conversation ${event.conversationId}`);
    conversations.set(uuid, event.conversationId);
    return { ...event, runId, conversationId: conversationId(uuid) };
  }

  function namedOf(event: RunEvent): RunEvent {
    const runId = names.get(event.runId) ?? event.runId;
    if (event.type !== "run.started") return { ...event, runId };
    const name = conversations.get(event.conversationId) ?? event.conversationId;
    return { ...event, runId, conversationId: conversationId(name) };
  }

  return {
    append: (runId, expectedSeq, events) =>
      log.append(idOf(runId), expectedSeq, events.map(storedOf)),
    read: async (runId, range) => (await log.read(idOf(runId), range)).map(namedOf),
    tail(runId, range) {
      const tail = log.tail(idOf(runId), range);
      return { [Symbol.asyncIterator]: () => named(tail[Symbol.asyncIterator]()) };
    },
  };

  function named(inner: AsyncIterator<RunEvent>): AsyncIterator<RunEvent> {
    return {
      async next() {
        const result = await inner.next();
        return result.done ? result : { done: false, value: namedOf(result.value) };
      },
      async return() {
        return (await inner.return?.()) ?? { done: true, value: undefined };
      },
    };
  }
}
