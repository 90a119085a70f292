/**
 * PGlite for kysely. It has one connection, which is given to one user after the other; its holder may have a
 * transaction open, and all others wait. It opens and closes nothing.
 */
import type { PGlite } from "@electric-sql/pglite";
import {
  type CompiledQuery,
  type DatabaseConnection,
  type Dialect,
  type Driver,
  PostgresAdapter,
  PostgresIntrospector,
  PostgresQueryCompiler,
  type QueryResult,
} from "kysely";
import { createMutex } from "./mutex.js";

export function createPGliteDialect(pglite: PGlite): Dialect {
  return {
    createAdapter: () => new PostgresAdapter(),
    createDriver: () => createPGliteDriver(pglite),
    createIntrospector: (db) => new PostgresIntrospector(db),
    createQueryCompiler: () => new PostgresQueryCompiler(),
  };
}

function createPGliteDriver(pglite: PGlite): Driver {
  const mutex = createMutex();
  let leave = (): void => {};
  const connection: DatabaseConnection = {
    async executeQuery<Row>({ sql, parameters }: CompiledQuery): Promise<QueryResult<Row>> {
      const { rows, affectedRows } = await pglite.query<Row>(sql, [...parameters]);
      return affectedRows === undefined
        ? { rows }
        : { rows, numAffectedRows: BigInt(affectedRows) };
    },
    streamQuery() {
      throw new Error("PGlite gives the rows of a query at once: read them in pages.");
    },
  };
  return {
    init: () => pglite.waitReady,
    async acquireConnection() {
      leave = await mutex.enter();
      return connection;
    },
    async releaseConnection() {
      leave();
    },
    async beginTransaction() {
      await pglite.exec("begin");
    },
    async commitTransaction() {
      await pglite.exec("commit");
    },
    async rollbackTransaction() {
      await pglite.exec("rollback");
    },
    async destroy() {},
  };
}
