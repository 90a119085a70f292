/** A pipe that keeps every line, counts bytes, and fails on request. */
import type { SessionUpdate } from "../updates/sessionUpdate.js";

export interface RecordingPipe {
  write(sessionId: string, update: SessionUpdate): Promise<void>;
  /** Keeps an update that came in another message. */
  keep(sessionId: string, update: SessionUpdate): void;
  readonly lines: readonly string[];
  updatesOf(sessionId: string): readonly SessionUpdate[];
  readonly bytes: number;
}

/** `fails` is called before each write. */
export function createRecordingPipe(fails: () => boolean = () => false): RecordingPipe {
  const lines: string[] = [];
  const updates = new Map<string, SessionUpdate[]>();
  const keep = (sessionId: string, update: SessionUpdate): void => {
    const kept = updates.get(sessionId) ?? [];
    kept.push(update);
    updates.set(sessionId, kept);
  };
  return {
    keep,
    lines,
    updatesOf: (sessionId) => updates.get(sessionId) ?? [],
    get bytes() {
      return lines.reduce((sum, line) => sum + Buffer.byteLength(line) + 1, 0);
    },
    write(sessionId, update) {
      if (fails()) return Promise.reject(new Error("the pipe broke"));
      const params = { sessionId, update };
      lines.push(JSON.stringify({ jsonrpc: "2.0", method: "session/update", params }));
      keep(sessionId, update);
      return Promise.resolve();
    },
  };
}
