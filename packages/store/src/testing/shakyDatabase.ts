/** A real database behind a connection that breaks on request, before or after the commit. */
import { PGlite } from "@electric-sql/pglite";
import {
  type CompiledQuery,
  type DatabaseConnection,
  type Dialect,
  type Driver,
  Kysely,
  type QueryResult,
} from "kysely";
import { columnParsers } from "../connections/columnParsers.js";
import type { Database } from "../connections/database.js";
import { createPGliteDialect } from "../connections/pgliteDialect.js";
import { prepareData } from "../folder/prepareData.js";
import { preparedData } from "../folder/preparedData.js";
import { migrate } from "../migrations/migrate.js";
import { databaseOfPGlite } from "../migrations/sqlSession.js";
import type { StoreTables } from "../schema.js";

export interface ShakyDatabase {
  readonly database: Database;
  /** What is committed stays, but its answer never arrives. */
  breakAfterCommit(): void;
  /** Nothing arrives at all. */
  stayAway(): void;
  /** It answers, and has no room for events. */
  fill(): void;
  mend(): void;
}

export async function createShakyDatabase(): Promise<ShakyDatabase> {
  await prepareData();
  const prepared = await preparedData();
  const pglite = await PGlite.create({
    parsers: { ...columnParsers },
    ...(prepared ? { loadDataDir: new Blob([prepared]) } : {}),
  });
  const scripts = databaseOfPGlite(pglite);
  await migrate(scripts);
  let trouble: "none" | "after commit" | "away" | "full" = "none";
  const broken = (): Error => Object.assign(new Error("the line is dead"), { code: "ECONNRESET" });

  /** Once: the next thing works. */
  function breakOnce(): void {
    if (trouble !== "after commit") return;
    trouble = "none";
    throw broken();
  }

  function shaken(driver: Driver): Driver {
    const inside = new Map<DatabaseConnection, DatabaseConnection>();
    let isInTransaction = false;
    const innerOf = (connection: DatabaseConnection): DatabaseConnection => {
      const found = inside.get(connection);
      if (!found) throw new Error("this connection was not given out");
      return found;
    };
    return {
      init: () => driver.init(),
      async acquireConnection() {
        const inner = await driver.acquireConnection();
        const connection: DatabaseConnection = {
          async executeQuery<Row>(query: CompiledQuery): Promise<QueryResult<Row>> {
            if (trouble === "away") throw broken();
            if (trouble === "full" && query.sql.includes("insert into cx_run_event")) {
              const reason = 'could not extend file "base/5/16667": No space left on device';
              throw Object.assign(new Error(reason), { code: "53100" });
            }
            const result = await inner.executeQuery<Row>(query);
            if (!isInTransaction && query.sql.includes("insert into cx_run_event")) breakOnce();
            return result;
          },
          streamQuery: (query, size) => inner.streamQuery(query, size),
        };
        inside.set(connection, inner);
        return connection;
      },
      async beginTransaction(connection, settings) {
        if (trouble === "away") throw broken();
        isInTransaction = true;
        await driver.beginTransaction(innerOf(connection), settings);
      },
      async commitTransaction(connection) {
        await driver.commitTransaction(innerOf(connection));
        isInTransaction = false;
        breakOnce();
      },
      async rollbackTransaction(connection) {
        isInTransaction = false;
        await driver.rollbackTransaction(innerOf(connection));
      },
      async releaseConnection(connection) {
        await driver.releaseConnection(innerOf(connection));
        inside.delete(connection);
      },
      destroy: () => driver.destroy(),
    };
  }

  const inner = createPGliteDialect(pglite);
  const dialect: Dialect = {
    createAdapter: () => inner.createAdapter(),
    createDriver: () => shaken(inner.createDriver()),
    createIntrospector: (db) => inner.createIntrospector(db),
    createQueryCompiler: () => inner.createQueryCompiler(),
  };
  return {
    database: {
      kind: "embedded",
      db: new Kysely<StoreTables>({ dialect }),
      withScripts: (work) => work(scripts),
      listen: undefined,
      dump: undefined,
      close: () => pglite.close(),
    },
    breakAfterCommit() {
      trouble = "after commit";
    },
    stayAway() {
      trouble = "away";
    },
    fill() {
      trouble = "full";
    },
    mend() {
      trouble = "none";
    },
  };
}
