/**
 * A PostgreSQL server by its URL: a small pool, and a connection of its own for notifications. A connection that breaks
 * while idle is replaced; one that breaks in use fails its statement, and the caller decides.
 */
import { Kysely, PostgresDialect } from "kysely";
import pg from "pg";
import { databaseOfClient } from "../migrations/sqlSession.js";
import { columnParsers } from "./columnParsers.js";
import type { Database, Listening, ListenOptions } from "./database.js";

export interface ServerOptions {
  readonly url: string;
  /** Connections at most. Default 8. */
  readonly poolSize?: number;
  readonly onIdleError: (error: Error) => void;
}

const connectTimeoutMs = 10_000;
/** A statement that takes longer has failed: a connection to a machine that is gone would never say so. */
const queryTimeoutMs = 30_000;

export function openServerDatabase(options: ServerOptions): Database {
  const config: pg.ClientConfig = {
    connectionString: options.url,
    application_name: "callboard",
    connectionTimeoutMillis: connectTimeoutMs,
    keepAlive: true,
    types: { getTypeParser },
  };
  const pool = new pg.Pool({
    ...config,
    query_timeout: queryTimeoutMs,
    max: options.poolSize ?? 8,
  });
  pool.on("error", options.onIdleError);
  // A connection may break between two statements of a transaction. The next statement fails and its caller handles
  // that; without a listener the process would end before.
  pool.on("connect", (client) => client.on("error", options.onIdleError));
  return {
    kind: "server",
    db: new Kysely({ dialect: new PostgresDialect({ pool }) }),
    async withScripts(work) {
      // A connection of its own: a migration may take longer than any other statement.
      const client = new pg.Client(config);
      client.on("error", options.onIdleError);
      await client.connect();
      try {
        return await work(databaseOfClient(client));
      } finally {
        await client.end();
      }
    },
    listen: (listening) => listen(config, listening),
    dump: undefined,
    close: () => pool.end(),
  };
}

async function listen(config: pg.ClientConfig, options: ListenOptions): Promise<Listening> {
  const client = new pg.Client(config);
  let isStopped = false;
  const lose = (error: Error): void => {
    if (isStopped) return;
    isStopped = true;
    options.onLost(error);
  };
  client.on("error", lose);
  client.on("end", () => lose(new Error("the server closed the connection")));
  client.on("notification", ({ payload }) => {
    if (payload !== undefined) options.onPayload(payload);
  });
  try {
    await client.connect();
    await client.query(`listen ${options.channel}`);
  } catch (error) {
    isStopped = true;
    await client.end();
    throw error;
  }
  return {
    async stop() {
      if (isStopped) return;
      isStopped = true;
      await client.end();
    },
  };
}

function getTypeParser(oid: number, format?: "text" | "binary"): unknown {
  return columnParsers[oid] ?? pg.types.getTypeParser(oid, format);
}
