/**
 * Follows runs as they are written by other nodes, as a reader of the page would: cut off, it continues
 * from the last event that it saw. What it saw must be the log, nothing missing and nothing twice.
 */
import { systemClock } from "@callboard/agent-sdk";
import { runId as runIdOf } from "@callboard/run-log";
import { isTransientError, type Store } from "@callboard/store";

export interface Follower {
  follow(runId: string): void;
  /** Resolves with what is wrong once every run that is followed has ended. */
  faults(): Promise<readonly string[]>;
  readonly followed: number;
}

export function createFollower(store: Store): Follower {
  const following = new Map<string, Promise<string | undefined>>();

  async function followed(runId: string): Promise<string | undefined> {
    const id = runIdOf(runId);
    for (let seq = 0; ; ) {
      try {
        for await (const event of store.tail(id, { after: seq })) {
          if (event.seq !== seq + 1) return `saw ${event.seq} of run ${runId} after ${seq}`;
          seq = event.seq;
          if (event.type === "run.closed") return undefined;
        }
        return `the tail of run ${runId} ended at ${seq}, before the run`;
      } catch (error) {
        if (!isTransientError(error)) return `the tail of run ${runId} broke: ${error}`;
        // The database went away in the middle: a reader comes back.
        await systemClock.sleep(50);
      }
    }
  }

  return {
    get followed() {
      return following.size;
    },
    follow(runId) {
      if (!following.has(runId)) following.set(runId, followed(runId));
    },
    async faults() {
      const results = await Promise.all(following.values());
      return results.filter((fault) => fault !== undefined);
    },
  };
}
