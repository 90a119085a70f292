/** The page on the real server with a real PostgreSQL behind it, in a real browser. */
import { createMigratedDatabase } from "@callboard/testkit/postgres";
import { describeFlows } from "./testing/flows.js";
import { pageServer, stageOf } from "./testing/stage.js";

async function serverOnPostgres() {
  const database = await createMigratedDatabase();
  const server = await pageServer({ databaseUrl: database.url })();
  return {
    ...server,
    get entry() {
      return server.entry;
    },
    async close() {
      await server.close();
      await database.drop();
    },
  };
}

describeFlows(stageOf(serverOnPostgres), "stored");
