/**
 * A PostgreSQL that the store talks to, wherever it runs: kysely for its statements, one way to be told
 * of news, one way to leave. Nothing above this room knows which of the two it is.
 */
import type { Kysely, Transaction } from "kysely";
import type { SqlDatabase } from "../migrations/sqlSession.js";
import type { StoreTables } from "../schema.js";

export type StoreDb = Kysely<StoreTables>;
export type StoreTransaction = Transaction<StoreTables>;

export interface Listening {
  stop(): Promise<void>;
}

export interface ListenOptions {
  readonly channel: string;
  readonly onPayload: (payload: string) => void;
  /** The connection was lost: news may have been missed until this resolves with another one. */
  readonly onLost: (error: Error) => void;
}

export interface Database {
  readonly kind: "embedded" | "server";
  readonly db: StoreDb;
  /** One connection for scripts and their transactions, for as long as the work takes. */
  withScripts<Value>(work: (scripts: SqlDatabase) => Promise<Value>): Promise<Value>;
  /** Undefined where nobody else can write: an embedded database has one process. */
  readonly listen: ((options: ListenOptions) => Promise<Listening>) | undefined;
  /** Everything in one gzipped archive; undefined where the server has tools for that. */
  readonly dump: (() => Promise<Blob>) | undefined;
  close(): Promise<void>;
}
