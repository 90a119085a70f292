/**
 * A store in memory for a test. Opening an embedded database takes several hundred milliseconds of work; emptying one takes
 * a tenth of that. So the database of a store that a test has closed is emptied and given to the next test of the worker.
 * A test that changes the schema or its rights opens one of its own instead.
 */
import type { Clock, Logger } from "@callboard/agent-sdk";
import { type Database, openStore, type Store, type StoreOptions } from "@callboard/store";

const kept = 2;
const idle: Database[] = [];

export async function openEmbeddedStore(options: StoreOptions): Promise<Store> {
  const database = idle.pop() ?? (await newDatabase());
  await empty(database);
  return await openStore({ database: lentOut(database) }, options);
}

/** Refuses every statement after it was closed, as a database that is closed does. */
function lentOut(database: Database): Database {
  let isClosed = false;
  const db = database.db.withPlugin({
    transformQuery({ node }) {
      if (isClosed) throw new Error("the database is closed");
      return node;
    },
    transformResult: async ({ result }) => result,
  });
  return {
    ...database,
    db,
    async close() {
      if (isClosed) return;
      isClosed = true;
      if (idle.length < kept) idle.push(database);
      else await database.close();
    },
  };
}

/** The database of a store without background work that is never closed. */
async function newDatabase(): Promise<Database> {
  const { database } = await openStore({ memory: true }, { clock: still, logger: silent });
  return database;
}

const still: Clock = {
  now: () => 0,
  monotonic: () => 0,
  sleep: () => new Promise(() => undefined),
};

const silent: Logger = {
  debug: () => undefined,
  info: () => undefined,
  warn: () => undefined,
  error: () => undefined,
};

/** Only tables with rows: emptying one costs ten times as much as looking into it. */
async function empty(database: Database): Promise<void> {
  await database.withScripts((scripts) =>
    scripts.transaction((session) =>
      session.runScript(`
        do $$
        declare
          wanted text;
          is_filled boolean;
        begin
          for wanted in
            select relname from pg_class
            where relnamespace = 'public'::regnamespace and relkind = 'r' and relname <> 'cx_migration'
          loop
            execute format('select exists (select from public.%I)', wanted) into is_filled;
            if is_filled then
              execute format('truncate public.%I cascade', wanted);
            end if;
          end loop;
        end
        $$;
      `),
    ),
  );
}
