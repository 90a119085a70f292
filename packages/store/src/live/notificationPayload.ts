/**
 * The messages between nodes about a commit: which runs moved, to which position, and which run must be cancelled. Both
 * ends of that wire. Payloads are encrypted and authenticated, and contain their sender: a node ignores its own.
 */
import type { Sealing } from "./sealing.js";

export const notificationChannel = "callboard_news";

/** PostgreSQL takes at most 8,000 bytes in one notification; sealing makes four out of three. */
const maxBytes = 5_800;

export type Moved = readonly [runId: string, lastSeq: number];

export interface NotificationPayloads {
  /** For the notifications about a commit. */
  moved(runs: readonly Moved[]): readonly string[];
  cancel(runId: string): string;
  /** Undefined for what no node has sealed, and for this node's own. */
  read(payload: string): News | undefined;
}

export interface News {
  readonly moved: readonly Moved[];
  readonly cancelled: readonly string[];
}

export function createNotificationPayloads(nodeId: string, sealing: Sealing): NotificationPayloads {
  const sealed = (entries: string): string => sealing.seal(`${nodeId} ${entries}`);
  return {
    moved(runs) {
      const payloads: string[] = [];
      let entries = "";
      for (const [runId, lastSeq] of runs) {
        const entry = `${runId}:${lastSeq}`;
        if (entries.length + entry.length + 1 > maxBytes) {
          payloads.push(sealed(entries));
          entries = "";
        }
        entries += entries === "" ? entry : ` ${entry}`;
      }
      if (entries !== "") payloads.push(sealed(entries));
      return payloads;
    },
    cancel: (runId) => sealed(`${runId}:cancel`),
    read(payload) {
      const [from, ...entries] = sealing.open(payload)?.split(" ") ?? [];
      if (from === undefined || from === nodeId) return undefined;
      const parsed = entries.map((entry) => /^([0-9a-f-]{36}):(?:(\d+)|cancel)$/.exec(entry) ?? []);
      return {
        moved: parsed.flatMap(([, runId, lastSeq]) =>
          runId === undefined || lastSeq === undefined ? [] : [[runId, Number(lastSeq)] as const],
        ),
        cancelled: parsed.flatMap(([, runId, lastSeq]) =>
          runId === undefined || lastSeq !== undefined ? [] : [runId],
        ),
      };
    },
  };
}
