/**
 * The port behind which logs are kept: memory, a file, PostgreSQL. A store keeps order and nothing
 * else; it never decides what may be appended beyond the position it is appended at.
 */
import type { RunEvent } from "./events/index.js";
import type { RunId } from "./ids.js";

/** `seq` is the last position of the log after the call, also when nothing was appended. */
export type Appended =
  | { readonly status: "appended"; readonly seq: number }
  | { readonly status: "conflict"; readonly seq: number };

/** A store of logs: append at an expected position, read from a position, follow. */
export interface LogStore {
  /**
   * Appends the batch as a whole if the log ends at `expectedSeq`, otherwise changes nothing. A caller that gets a
   * conflict is not the run's only writer: it must read the new events before it continues.
   */
  append(runId: RunId, expectedSeq: number, events: readonly RunEvent[]): Promise<Appended>;

  /** The events after a position, at most `limit`; empty for a run that is not known. */
  read(
    runId: RunId,
    range: { readonly after: number; readonly limit?: number },
  ): Promise<readonly RunEvent[]>;

  /**
   * The stored events after a position, then the appended ones, until the run closes. Leaving the loop releases it. It
   * reads at its own pace: an append never waits for it.
   */
  tail(runId: RunId, range: { readonly after: number }): AsyncIterable<RunEvent>;
}
