/** `callboard db …`: the schema and the backups of the server's database. */
import { join, resolve } from "node:path";
import { callboardHome, systemClock } from "@callboard/agent-sdk";
import {
  adoptDatabase,
  backupFolder,
  databaseStatus,
  migrateDatabase,
  restoreFolder,
  type StorePlace,
} from "@callboard/store";
import { lineOf, span } from "../door/spans.js";
import { exactText } from "../door/terminalText.js";
import { exitCodes } from "../headless/exitCodes.js";
import { createLineLogger } from "../run/lineLogger.js";
import { UsageError } from "../usageError.js";
import { countText } from "../view/quantities.js";
import type { World } from "../world.js";

function placeOf({ env }: World): StorePlace {
  return env.DATABASE_URL ? { url: env.DATABASE_URL } : { folder: folderOf(env) };
}

function folderOf(env: World["env"]): string {
  return join(callboardHome(env), "database");
}

function embeddedFolderOf({ env }: World): string {
  if (env.DATABASE_URL) {
    throw new UsageError("DATABASE_URL names a server: use its own pg_dump and pg_restore");
  }
  return folderOf(env);
}

function optionsOf({ door }: World) {
  return { clock: systemClock, logger: createLineLogger(door.err.line) };
}

export async function showStatus(
  world: World,
  { json }: { readonly json: boolean },
): Promise<number> {
  const { out } = world.door;
  const { applied, pending, problems } = await databaseStatus(placeOf(world), optionsOf(world));
  const isCurrent = pending.length === 0 && problems.length === 0;
  if (json) {
    const due = pending.map(({ version, name }) => ({ version, name }));
    out.json({ applied, pending: due, problems });
  } else {
    for (const { version, name, appliedAt } of applied) {
      const when = appliedAt.toISOString().slice(0, 16).replace("T", " ");
      out.line([span("✓ ", "good"), span(`${version} ${name}`), span(`  applied ${when}`, "dim")]);
    }
    for (const { version, name } of pending) {
      out.line([span("◔ ", "warn"), span(`${version} ${name}`), span("  due", "dim")]);
    }
    for (const problem of problems) out.line([span("✗ ", "bad"), span(problem)]);
  }
  return isCurrent ? exitCodes.ok : exitCodes.failed;
}

export async function migrateSchema(world: World): Promise<void> {
  const applied = await migrateDatabase(placeOf(world), optionsOf(world));
  for (const name of applied) world.door.out.line([span("✓ ", "good"), span(name)]);
  const said =
    applied.length === 0
      ? "It is up to date."
      : `${countText(applied.length, "migration")} applied.`;
  world.door.err.line(lineOf(said, "dim"));
}

export async function adopt(world: World): Promise<void> {
  const report = await adoptDatabase(placeOf(world), optionsOf(world));
  for (const [name, count] of Object.entries(report)) {
    world.door.out.line([span(`${name} `, "accent"), span(String(count))]);
  }
}

export async function backup(world: World, file: string): Promise<void> {
  const path = resolve(world.cwd, file);
  const size = await backupFolder({
    folder: embeddedFolderOf(world),
    file: path,
    clock: systemClock,
  });
  world.door.err.line(lineOf(`Wrote ${exactText(path)}, ${countText(size, "byte")}.`, "dim"));
}

export async function restore(world: World, file: string): Promise<void> {
  const path = resolve(world.cwd, file);
  const folder = embeddedFolderOf(world);
  const { setAside } = await restoreFolder({ folder, file: path, clock: systemClock });
  const aside =
    setAside === undefined ? "" : ` What was there before is in ${exactText(setAside)}.`;
  world.door.err.line(lineOf(`Restored ${exactText(folder)}.${aside}`, "dim"));
}
