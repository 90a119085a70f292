/**
 * The tables of a simulated PostgreSQL at READ COMMITTED: what a transaction wrote is seen by others once it
 * commits, a row that it wrote is locked until then, and a notification is sent with the commit. Rows are
 * values: a write replaces it.
 */

export interface StoredEvent {
  readonly seq: number;
  readonly type: string;
  readonly callId: string | null;
  /** The whole event as it was written. */
  readonly event: string;
  readonly firstDelta: number | null;
  readonly rhythm: string | null;
}

export interface RunRow {
  readonly id: string;
  readonly conversationId: string;
  readonly userId: string;
  readonly owner: string | null;
  readonly epoch: number;
  readonly leaseUntil: number | null;
  readonly lastSeq: number;
  readonly status: "open" | "closed";
  readonly isResumable: boolean;
  readonly cancelRequestedAt: number | null;
  readonly createdAt: number;
  readonly parkedAt: number | null;
  readonly waitsUntil: number | null;
  readonly carryAt: number | null;
  readonly events: readonly StoredEvent[];
  readonly deltas: readonly Pick<StoredEvent, "seq" | "event">[];
  /** Those that were written with the end: nothing keeps them but the rhythm of their closings. */
  readonly endDeltas: readonly Pick<StoredEvent, "seq" | "event">[];
}

export interface ConversationRow {
  readonly id: string;
  readonly userId: string;
  readonly config: Readonly<Record<string, unknown>>;
  readonly variables: Readonly<Record<string, unknown>>;
  readonly overrides: Readonly<Record<string, unknown>>;
  /** By message id. */
  readonly positions: ReadonlyMap<string, number>;
}

/** A statement waits for the lock of a row. */
export class BlockedError extends Error {
  override readonly name = "BlockedError";
  readonly key: string;

  constructor(key: string) {
    super(`${key} is locked`);
    this.key = key;
  }
}

export interface Notification {
  readonly channel: string;
  readonly payload: string;
}

export interface Transaction {
  run(id: string): RunRow | undefined;
  runs(): Iterable<RunRow>;
  conversation(id: string): ConversationRow | undefined;
  isLocked(key: string): boolean;
  /** Throws a BlockedError where another transaction has it. */
  lock(key: string): void;
  putRun(row: RunRow): void;
  putConversation(row: ConversationRow): void;
  notify(notification: Notification): void;
  commit(): void;
  rollback(): void;
}

export interface Tables {
  begin(nodeId: string): Transaction;
  /** What is committed. */
  readonly runs: ReadonlyMap<string, RunRow>;
  readonly conversations: ReadonlyMap<string, ConversationRow>;
}

export interface TableObserver {
  onCommit(nodeId: string, runs: readonly RunRow[], notifications: readonly Notification[]): void;
  /** These locks were released: the waiting statements try again. */
  onUnlocked(keys: ReadonlySet<string>): void;
}

export const runKey = (id: string): string => `run ${id}`;
export const conversationKey = (id: string): string => `conversation ${id}`;

export function createTables({ onCommit, onUnlocked }: TableObserver): Tables {
  const runs = new Map<string, RunRow>();
  const conversations = new Map<string, ConversationRow>();
  const locks = new Map<string, object>();

  function begin(nodeId: string): Transaction {
    const self = {};
    const ownRuns = new Map<string, RunRow>();
    const ownConversations = new Map<string, ConversationRow>();
    const notifications: Notification[] = [];

    function unlock(): void {
      const keys = new Set([...locks].flatMap(([key, holder]) => (holder === self ? [key] : [])));
      for (const key of keys) locks.delete(key);
      if (keys.size > 0) onUnlocked(keys);
    }

    const isLocked = (key: string): boolean => {
      const holder = locks.get(key);
      return holder !== undefined && holder !== self;
    };
    function lock(key: string): void {
      if (isLocked(key)) throw new BlockedError(key);
      locks.set(key, self);
    }

    return {
      run: (id) => ownRuns.get(id) ?? runs.get(id),
      *runs() {
        for (const [id, run] of runs) yield ownRuns.get(id) ?? run;
        for (const [id, run] of ownRuns) if (!runs.has(id)) yield run;
      },
      conversation: (id) => ownConversations.get(id) ?? conversations.get(id),
      isLocked,
      lock,
      putRun(row) {
        lock(runKey(row.id));
        ownRuns.set(row.id, row);
      },
      putConversation(row) {
        lock(conversationKey(row.id));
        ownConversations.set(row.id, row);
      },
      notify: (notification) => void notifications.push(notification),
      commit() {
        for (const [id, row] of ownRuns) runs.set(id, row);
        for (const [id, row] of ownConversations) conversations.set(id, row);
        unlock();
        onCommit(nodeId, [...ownRuns.values()], notifications);
      },
      rollback() {
        ownRuns.clear();
        ownConversations.clear();
        unlock();
      },
    };
  }

  return { begin, runs, conversations };
}
