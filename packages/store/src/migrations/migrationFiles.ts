/** The numbered SQL files of the package, in order. It reads them and never runs them. */
import { createHash } from "node:crypto";
import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

export interface Migration {
  readonly version: number;
  /** `conversations` of `0002_conversations.sql`. */
  readonly name: string;
  readonly script: string;
  readonly checksum: string;
}

/** Beside `src` and `dist`, so that both find it. */
export const migrationsFolder = fileURLToPath(new URL("../../migrations", import.meta.url));

export async function readMigrations(folder = migrationsFolder): Promise<readonly Migration[]> {
  const names = (await readdir(folder)).filter((name) => name.endsWith(".sql")).sort();
  const migrations = await Promise.all(
    names.map(async (name) => migrationOf(name, await readFile(join(folder, name), "utf8"))),
  );
  const misplaced = migrations.find(({ version }, index) => version !== index + 1);
  if (misplaced) {
    throw new Error(
      `The migrations in ${folder} must count 0001, 0002, … without a gap; ${fileNameOf(misplaced)} does not follow.`,
    );
  }
  return migrations;
}

export function fileNameOf({ version, name }: Pick<Migration, "version" | "name">): string {
  return `${String(version).padStart(4, "0")}_${name}.sql`;
}

function migrationOf(fileName: string, text: string): Migration {
  const [, digits, name] = /^(\d{4})_([a-z0-9_]+)\.sql$/.exec(fileName) ?? [];
  if (digits === undefined || name === undefined) {
    throw new Error(`"${fileName}" is not named like a migration: 0001_what_it_does.sql.`);
  }
  const script = text.replaceAll("\r\n", "\n");
  const checksum = createHash("sha256").update(script).digest("hex");
  return { version: Number(digits), name, script, checksum };
}
