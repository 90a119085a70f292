/**
 * A simulated PostgreSQL server: one set of tables, sessions of the nodes' connections, locks that are waited
 * for, and notifications to the listeners. It takes statements one at a time and answers at once; how long a
 * statement and its answer travel, and whether they arrive, is the network's business.
 */
import { Parameters } from "./parameters.js";
import { type Row, SimDatabaseError } from "./statement.js";
import { executeOf } from "./statements.js";
import {
  BlockedError,
  createTables,
  type Notification,
  type RunRow,
  type Tables,
  type Transaction,
} from "./tables.js";

export type Answer =
  | { readonly type: "rows"; readonly rows: readonly Row[] }
  | { readonly type: "error"; readonly error: unknown };

/** One connection, as the server sees it. */
export interface Session {
  begin(): void;
  /** Gives the answer at once, or later where a lock is waited for. */
  execute(sql: string, parameters: readonly unknown[], answer: (answer: Answer) => void): void;
  commit(): void;
  rollback(): void;
  /** The connection is gone: what it had open is taken back. */
  end(): void;
}

export interface SimServer {
  readonly tables: Tables;
  /** `nodeId` is whose connection it is. */
  open(nodeId: string): Session;
}

export interface SimServerOptions {
  readonly now: () => number;
  readonly onCommit: (nodeId: string, runs: readonly RunRow[]) => void;
  readonly onNotification: (notification: Notification) => void;
  /** A statement failed as it never does in PostgreSQL: the simulation does not know it. */
  readonly onFault: (error: unknown) => void;
}

/** A statement that waits for the lock of a row. */
interface Waiting {
  readonly key: string;
  readonly retry: () => void;
}

export function createSimServer(options: SimServerOptions): SimServer {
  const { now, onCommit, onNotification, onFault } = options;
  let waiting: readonly Waiting[] = [];
  const tables = createTables({
    onCommit(nodeId, runs, notifications) {
      if (runs.length > 0) onCommit(nodeId, runs);
      for (const notification of notifications) onNotification(notification);
    },
    onUnlocked(keys) {
      const freed = waiting.filter(({ key }) => keys.has(key));
      waiting = waiting.filter(({ key }) => !keys.has(key));
      for (const { retry } of freed) queueMicrotask(retry);
    },
  });

  function open(nodeId: string): Session {
    let transaction: Transaction | undefined;
    let isOver = false;

    function answerOf(sql: string, parameters: Parameters): Answer | BlockedError {
      const current = transaction ?? tables.begin(nodeId);
      try {
        const rows = executeOf(sql)({ transaction: current, parameters, now: now() });
        if (current !== transaction) current.commit();
        return { type: "rows", rows };
      } catch (error) {
        if (current !== transaction) current.rollback();
        if (error instanceof BlockedError) return error;
        if (!(error instanceof SimDatabaseError)) onFault(error);
        return { type: "error", error };
      }
    }

    return {
      begin() {
        transaction = tables.begin(nodeId);
      },
      execute(sql, values, answer) {
        const parameters = new Parameters(values);
        const attempt = (): void => {
          if (isOver) return;
          const answered = answerOf(sql, parameters);
          if (answered instanceof BlockedError) {
            waiting = [...waiting, { key: answered.key, retry: attempt }];
          } else answer(answered);
        };
        attempt();
      },
      commit() {
        transaction?.commit();
        transaction = undefined;
      },
      rollback() {
        transaction?.rollback();
        transaction = undefined;
      },
      end() {
        isOver = true;
        transaction?.rollback();
        transaction = undefined;
      },
    };
  }

  return { tables, open };
}
