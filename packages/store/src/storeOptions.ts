/** Where a store is, and what it is made from. */
import type { Clock, Logger } from "@callboard/agent-sdk";
import type { Retention } from "./administration/purge.js";
import type { Database } from "./connections/database.js";
import type { NotificationSource } from "./live/notificationSource.js";
import type { Sealing } from "./live/sealing.js";

export type StorePlace =
  /** A PostgreSQL server: `postgres://…`, as in DATABASE_URL. */
  | { readonly url: string }
  /** PostgreSQL inside this process, in a folder that is its alone. */
  | { readonly folder: string }
  /** The same in memory: gone when the store is closed. */
  | { readonly memory: true };

/** A database that the caller has opened and migrated; it is closed with the store. */
export interface OpenedPlace {
  readonly database: Database;
}

export interface StoreOptions {
  readonly clock: Clock;
  readonly logger: Logger;
  /** Names this process to the others; never two at once with the same. Default a random one. */
  readonly nodeId?: string;
  /** For how long a silent node keeps its runs. Default 30 s. */
  readonly leaseMs?: number;
  /** For how long a server that went away is waited for in the middle of a run. Default 20 s. */
  readonly databaseRetryMs?: number;
  /** How often followed runs of other nodes are polled, in case a notification is lost. Default 5 s. */
  readonly pollMs?: number;
  /** Hears of other nodes before PostgreSQL's notifications do, and instead of them while it can. */
  readonly notificationSource?: (sealing: Sealing) => NotificationSource;
  /** Connections to a server at most. Default 8. */
  readonly poolSize?: number;
  /**
   * Whether an older schema is migrated: true always, false never, `"alone"` if the database contains nothing but
   * Callboard's tables. Default `"alone"`.
   */
  readonly migrates?: boolean | "alone";
  /** Automatic deletion, when the store opens and every hour. Default none. */
  readonly retention?: Retention;
}
