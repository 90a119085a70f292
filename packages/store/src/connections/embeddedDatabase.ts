/**
 * PGlite: PostgreSQL inside this process, in a folder or in memory. It assumes that the folder is this
 * process's alone; see `folder/`. It has one connection, so nobody may hold a transaction while a model
 * or a tool works.
 */
import { PGlite } from "@electric-sql/pglite";
import { Kysely } from "kysely";
import { databaseOfPGlite } from "../migrations/sqlSession.js";
import type { StoreTables } from "../schema.js";
import { columnParsers } from "./columnParsers.js";
import type { Database } from "./database.js";
import { createPGliteDialect } from "./pgliteDialect.js";

export interface EmbeddedOptions {
  /** Where PostgreSQL keeps its files; in memory where it is left out. */
  readonly dataFolder?: string;
  /** A prepared data folder to begin with, where there is none yet. */
  readonly prepared?: Blob;
}

export interface EmbeddedDatabase extends Database {
  readonly dump: () => Promise<Blob>;
}

/** The server's defaults ask for 690 MB; one connection needs none of that. */
const startParams: readonly string[] = [
  ...PGlite.defaultStartParams,
  ...["shared_buffers=16MB", "wal_buffers=1MB", "max_connections=10"].flatMap((setting) => [
    "-c",
    setting,
  ]),
];

export async function openEmbeddedDatabase(options: EmbeddedOptions): Promise<EmbeddedDatabase> {
  const { dataFolder, prepared } = options;
  const pglite = await PGlite.create({
    dataDir: dataFolder ?? "memory://",
    startParams: [...startParams],
    parsers: { ...columnParsers },
    ...(prepared === undefined ? {} : { loadDataDir: prepared }),
  });
  const db = new Kysely<StoreTables>({ dialect: createPGliteDialect(pglite) });
  return {
    kind: "embedded",
    db,
    withScripts: (work) => work(databaseOfPGlite(pglite)),
    listen: undefined,
    // Holding kysely's one connection keeps everybody else out meanwhile.
    dump: () => db.connection().execute(() => pglite.dumpDataDir("gzip")),
    async close() {
      await db.destroy();
      if (!pglite.closed) await pglite.close();
    },
  };
}
