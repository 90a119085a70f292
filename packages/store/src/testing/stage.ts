/** A migrated database for a test, on a server or embedded, entered as the service or as any user. */
import {
  createMigratedDatabase,
  createTestDatabase,
  type TestDatabase,
} from "@callboard/testkit/postgres";
import { PGlite } from "@electric-sql/pglite";
import pg from "pg";
import { preparedData } from "../folder/preparedData.js";
import { migrate } from "../migrations/migrate.js";
import {
  databaseOfClient,
  databaseOfPGlite,
  type SqlDatabase,
  type SqlSession,
} from "../migrations/sqlSession.js";

/** Who asks: a user by id, somebody who did not sign in, or somebody whose token names nobody. */
export type Caller = { readonly userId: string } | "anon" | "nobody";

type Work<Value> = (session: SqlSession) => Promise<Value>;

export interface DatabaseStage {
  readonly database: SqlDatabase;
  /** In a transaction as the role that owns the tables, which is no superuser on a server. */
  service<Value>(work: Work<Value>): Promise<Value>;
  /** In a transaction under the caller's policies. */
  as<Value>(caller: Caller, work: Work<Value>): Promise<Value>;
  close(): Promise<void>;
}

export type StageKind = "PostgreSQL" | "PGlite";

export const stageKinds: readonly StageKind[] = ["PostgreSQL", "PGlite"];

export async function openStage(kind: StageKind): Promise<DatabaseStage> {
  const opened =
    kind === "PostgreSQL" ? await enter(await createMigratedDatabase()) : await openEmbedded();
  await migrate(opened.database);
  return {
    ...opened,
    service: (work) => opened.database.transaction(work),
    as: (caller, work) =>
      opened.database.transaction(async (session) => {
        const claims = typeof caller === "string" ? {} : { sub: caller.userId };
        await session.query(
          "select set_config('role', $1, true), set_config('request.jwt.claims', $2, true)",
          [caller === "anon" ? "anon" : "authenticated", JSON.stringify(claims)],
        );
        return await work(session);
      }),
  };
}

/** A database of its own, with nothing in it that the opener did not put there. */
export interface Opened {
  readonly database: SqlDatabase;
  close(): Promise<void>;
}

export async function openServer(): Promise<Opened> {
  return await enter(await createTestDatabase());
}

async function enter(test: TestDatabase): Promise<Opened> {
  const client = new pg.Client({ connectionString: test.url });
  await client.connect();
  return {
    database: databaseOfClient(client),
    close: async () => {
      await client.end();
      await test.drop();
    },
  };
}

export async function openEmbedded(): Promise<Opened> {
  const prepared = await preparedData();
  const pglite = await PGlite.create(prepared ? { loadDataDir: new Blob([prepared]) } : {});
  return { database: databaseOfPGlite(pglite), close: () => pglite.close() };
}
