/** A node's database: the store's own statements, sent over the simulated network to the simulated server. */
import type { Database, StoreDb } from "@callboard/store";
import {
  type CompiledQuery,
  type DatabaseConnection,
  type Driver,
  Kysely,
  PostgresAdapter,
  PostgresIntrospector,
  PostgresQueryCompiler,
  type QueryResult,
} from "kysely";
import type { Answer } from "./database/simServer.js";
import type { Line, Link } from "./network.js";

export function createSimDatabase(link: Link): Database {
  const db: StoreDb = new Kysely({
    dialect: {
      createAdapter: () => new PostgresAdapter(),
      createDriver: () => createDriver(link),
      createIntrospector: (kysely) => new PostgresIntrospector(kysely),
      createQueryCompiler: () => new PostgresQueryCompiler(),
    },
  });
  return {
    kind: "server",
    db,
    withScripts: () => Promise.reject(new Error("the simulated database runs no scripts")),
    async listen(options) {
      const stop = await link.listen(options);
      return { stop: async () => stop() };
    },
    dump: undefined,
    close: () => db.destroy(),
  };
}

function createDriver(link: Link): Driver {
  const lines = new WeakMap<DatabaseConnection, Line>();
  const lineOf = (connection: DatabaseConnection): Line => {
    const line = lines.get(connection);
    if (!line) throw new Error("this connection was not given out");
    return line;
  };
  const done: Answer = { type: "rows", rows: [] };
  return {
    async init() {},
    async acquireConnection() {
      const line = link.open();
      const connection: DatabaseConnection = {
        async executeQuery<Result>(query: CompiledQuery): Promise<QueryResult<Result>> {
          const answer = await line.ask((tell) =>
            line.session.execute(query.sql, query.parameters, tell),
          );
          if (answer.type === "error") throw answer.error;
          // The rows are what the statement says that they are, as with any driver.
          const rows: Result[] = Reflect.get(answer, String("rows"));
          return { rows };
        },
        streamQuery() {
          throw new Error("the simulated database gives the rows of a query at once");
        },
      };
      lines.set(connection, line);
      return connection;
    },
    async releaseConnection(connection) {
      lineOf(connection).close();
    },
    // It travels with the first statement.
    async beginTransaction(connection) {
      lineOf(connection).session.begin();
    },
    async commitTransaction(connection) {
      const { session, ask } = lineOf(connection);
      await ask((tell) => {
        session.commit();
        tell(done);
      });
    },
    async rollbackTransaction(connection) {
      const { session, ask } = lineOf(connection);
      await ask((tell) => {
        session.rollback();
        tell(done);
      });
    },
    async destroy() {},
  };
}
