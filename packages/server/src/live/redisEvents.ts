/**
 * The newest events of runs in Redis: a stream for each run with our `seq` as entry id, which expires, and a channel on
 * which its last position is published. It is a copy: a reader that finds a gap queries PostgreSQL. Entries are
 * authenticated: another writer to this Redis cannot show anything to readers.
 */
import { parseEventLine, type RunEvent } from "@callboard/run-log";
import type { Sealing } from "@callboard/store";
import type { RedisConnection } from "./redis.js";

export interface RedisEvents {
  /** Copies what PostgreSQL has stored and publishes its position. */
  publish(runId: string, events: readonly RunEvent[]): Promise<void>;
  /** Tells that a run is this far, without a copy. */
  hint(runId: string, lastSeq: number): Promise<void>;
  /** The events after a position without a gap; empty if they are not here. */
  read(runId: string, after: number): Promise<readonly RunEvent[]>;
  /** Calls back with the last position, each time it is published. */
  follow(runId: string, onMoved: (lastSeq: number) => void): Promise<() => Promise<void>>;
}

const keptSeconds = 3_600;
const keptEvents = 10_000;
const pageEvents = 500;

export function createRedisEvents(
  { commands, listen }: RedisConnection,
  sealing: Sealing,
): RedisEvents {
  const keyOf = (runId: string): string => `callboard:{run:${runId}}:events`;
  const channelOf = (runId: string): string => `callboard:{run:${runId}}:moved`;

  async function hint(runId: string, lastSeq: number): Promise<void> {
    await commands.publish(channelOf(runId), sealing.seal(`${runId} ${lastSeq}`));
  }

  return {
    hint,
    async publish(runId, events) {
      const last = events.at(-1);
      if (!last) return;
      const key = keyOf(runId);
      const pipeline = commands.pipeline();
      for (const event of events) {
        const id = `${event.seq}-1`;
        pipeline.xadd(
          key,
          "MAXLEN",
          "~",
          keptEvents,
          id,
          "event",
          sealing.seal(JSON.stringify(event)),
        );
      }
      pipeline.expire(key, keptSeconds);
      await pipeline.exec();
      await hint(runId, last.seq);
    },
    async read(runId, after) {
      const entries = await commands.xrange(keyOf(runId), `(${after}-1`, "+", "COUNT", pageEvents);
      const events: RunEvent[] = [];
      for (const [, fields] of entries) {
        const parsed = parseEventLine(sealing.open(fields[1] ?? "") ?? "");
        if (parsed.status === "malformed") break;
        const { event } = parsed;
        if (event.runId !== runId || event.seq !== after + events.length + 1) break;
        events.push(event);
      }
      return events;
    },
    follow: (runId, onMoved) =>
      listen(channelOf(runId), (text) => {
        const [told, lastSeq] = sealing.open(text)?.split(" ") ?? [];
        if (told === runId) onMoved(Number(lastSeq));
      }),
  };
}
