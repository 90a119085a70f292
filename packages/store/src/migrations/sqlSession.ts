/**
 * The little that migrations need of a database: a script, a question and a transaction, on a server's
 * connection or on PGlite. It keeps no pool and opens nothing.
 */
export type SqlRow = Readonly<Record<string, unknown>>;

/** The used part of `pg` and PGlite. Written out here, so that their types are not part of ours. */
export interface SqlClient {
  query(statement: string, parameters?: unknown[]): Promise<{ readonly rows: readonly SqlRow[] }>;
}

interface EmbeddedTransaction extends SqlClient {
  exec(script: string): Promise<unknown>;
}

export interface EmbeddedEngine {
  transaction<Value>(work: (inner: EmbeddedTransaction) => Promise<Value>): Promise<Value>;
}

export interface SqlSession {
  /** Runs a script of any number of statements. */
  runScript(script: string): Promise<void>;
  query(statement: string, parameters?: readonly unknown[]): Promise<readonly SqlRow[]>;
}

export interface SqlDatabase {
  /** All of the work or nothing of it. */
  transaction<Value>(work: (session: SqlSession) => Promise<Value>): Promise<Value>;
}

/** On one connection to a server, which is the migration's alone until it is done. */
export function databaseOfClient(client: SqlClient): SqlDatabase {
  const session: SqlSession = {
    runScript: async (script) => {
      await client.query(script);
    },
    query: async (statement, parameters = []) =>
      (await client.query(statement, [...parameters])).rows,
  };
  return {
    transaction: async (work) => {
      await client.query("begin");
      try {
        const value = await work(session);
        await client.query("commit");
        return value;
      } catch (error) {
        await client.query("rollback");
        throw error;
      }
    },
  };
}

export function databaseOfPGlite(pglite: EmbeddedEngine): SqlDatabase {
  return { transaction: (work) => pglite.transaction((inner) => work(sessionOf(inner))) };
}

function sessionOf(transaction: EmbeddedTransaction): SqlSession {
  return {
    runScript: async (script) => {
      await transaction.exec(script);
    },
    query: async (statement, parameters = []) =>
      (await transaction.query(statement, [...parameters])).rows,
  };
}
