/**
 * A data folder that is already created and migrated, so that a first start need not wait for initdb. It is packed when
 * the package is built and is stored beside its code; without it a first start takes seconds longer, and nothing else
 * changes.
 */
import { createHash } from "node:crypto";
import { readFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { fileURLToPath } from "node:url";
import { isFileMissing } from "@callboard/run-log/values";
import { z } from "zod";
import { readMigrations } from "../migrations/migrationFiles.js";

/** Changes with the way it is made. */
const form = "without templates";

/** Its path, with a hash of its sources: one of another version is not found. */
export async function preparedFile(): Promise<string> {
  const hash = createHash("sha256")
    .update(form)
    .update(await pgliteVersion());
  for (const { checksum } of await readMigrations()) hash.update(checksum);
  const name = `prepared-${hash.digest("hex").slice(0, 16)}.tar.gz`;
  return fileURLToPath(new URL(`../../dist/${name}`, import.meta.url));
}

/** A gzipped archive of it. */
export async function preparedData(): Promise<Buffer<ArrayBuffer> | undefined> {
  try {
    return await readFile(await preparedFile());
  } catch (error) {
    if (isFileMissing(error)) return undefined;
    throw error;
  }
}

const packageSchema = z.object({ version: z.string() });

async function pgliteVersion(): Promise<string> {
  const entry = createRequire(import.meta.url).resolve("@electric-sql/pglite");
  const path = entry.slice(0, entry.lastIndexOf("dist"));
  const text = await readFile(`${path}package.json`, "utf8");
  return packageSchema.parse(JSON.parse(text)).version;
}
