/**
 * PGlite: PostgreSQL inside this process, in a folder or in memory. It assumes that the folder belongs to this process
 * alone; see `folder/`. It has one connection, so no transaction may stay open while a model or a tool works.
 */
import { withoutUndefined } from "@callboard/run-log/values";
import { PGlite } from "@electric-sql/pglite";
import { Kysely } from "kysely";
import { databaseOfPGlite } from "../migrations/sqlSession.js";
import type { StoreTables } from "../schema.js";
import { columnParsers } from "./columnParsers.js";
import type { Database } from "./database.js";
import { createPGliteDialect } from "./pgliteDialect.js";

export interface EmbeddedOptions {
  /** The folder of PostgreSQL's files; by default in memory. */
  readonly dataFolder?: string;
  /** A prepared data folder to start with, if there is none yet. */
  readonly prepared?: Blob;
}

export interface EmbeddedDatabase extends Database {
  readonly dump: () => Promise<Blob>;
}

/** The server's defaults need 690 MB; one connection needs none of that. */
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
    ...withoutUndefined({ loadDataDir: prepared }),
  });
  const db = new Kysely<StoreTables>({ dialect: createPGliteDialect(pglite) });
  return {
    kind: "embedded",
    db,
    withScripts: (work) => work(databaseOfPGlite(pglite)),
    listen: undefined,
    // Holding kysely's one connection excludes all other statements meanwhile.
    dump: () => db.connection().execute(() => pglite.dumpDataDir("gzip")),
    async close() {
      await db.destroy();
      if (!pglite.closed) await pglite.close();
    },
  };
}
