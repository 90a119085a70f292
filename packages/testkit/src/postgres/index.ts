/** A real PostgreSQL for tests, torture and benchmarks: one server for a run, one database for a file. */
export { openEmbeddedStore } from "./embeddedStore.js";
export { type PostgresServer, type StopMode, startPostgres } from "./server.js";
export {
  createDatabaseOn,
  createMigratedDatabase,
  createTestDatabase,
  serverUrl,
  type TestDatabase,
} from "./testDatabase.js";
