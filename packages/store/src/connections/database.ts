/**
 * A PostgreSQL database for the store, embedded or a server: kysely for its statements, notifications, and closing. No
 * module above this one knows which of the two it is.
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
  /** The connection was lost: notifications may have been missed until this resolves with another one. */
  readonly onLost: (error: Error) => void;
}

export interface Database {
  readonly kind: "embedded" | "server";
  readonly db: StoreDb;
  /** One connection for scripts and their transactions, for as long as the work takes. */
  withScripts<Value>(work: (scripts: SqlDatabase) => Promise<Value>): Promise<Value>;
  /** Undefined if no other process can write: an embedded database has one process. */
  readonly listen: ((options: ListenOptions) => Promise<Listening>) | undefined;
  /** Everything in one gzipped archive; undefined if the server has tools for that. */
  readonly dump: (() => Promise<Blob>) | undefined;
  close(): Promise<void>;
}
