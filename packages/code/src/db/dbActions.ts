/** `callboard db …`: the schema and the backups of the server's database. */

import { rmSync } from "node:fs";
import { join, resolve } from "node:path";
import { callboardHome, systemClock } from "@callboard/agent-sdk";
import { sessionOutputFolder } from "@callboard/agent-sdk/serving";
import { withoutUndefined } from "@callboard/run-log/values";
import {
  adoptDatabase,
  backupFolder,
  databaseStatus,
  migrateDatabase,
  openStore,
  type Purged,
  planDatabase,
  publishTables,
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

function storePlaceOf({ env }: World): StorePlace {
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
  const { applied, pending, problems } = await databaseStatus(
    storePlaceOf(world),
    optionsOf(world),
  );
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

export async function migrateSchema(
  world: World,
  { realtime }: { readonly realtime: boolean },
): Promise<void> {
  const applied = await migrateDatabase(storePlaceOf(world), optionsOf(world));
  for (const name of applied) world.door.out.line([span("✓ ", "good"), span(name)]);
  const said =
    applied.length === 0
      ? "It is up to date."
      : `${countText(applied.length, "migration")} applied.`;
  world.door.err.line(lineOf(said, "dim"));
  if (realtime) await publish(world);
}

async function publish(world: World): Promise<void> {
  const published = await publishTables(storePlaceOf(world), optionsOf(world));
  if (published === undefined) {
    throw new UsageError(
      "--realtime needs the publication supabase_realtime, which this database does not have: use it with a Supabase project, or create the publication",
    );
  }
  for (const name of published) world.door.out.line([span("✓ ", "good"), span(name)]);
  const said = `${countText(published.length, "table")} added to the publication supabase_realtime.`;
  world.door.err.line(lineOf(said, "dim"));
}

/** SQL on standard output, so that it can be kept or read by another program; what it means beside it. */
export async function showPlan(world: World): Promise<number> {
  const { out, err } = world.door;
  const { steps, problems, foreign } = await planDatabase(storePlaceOf(world), optionsOf(world));
  for (const { name, script } of steps) {
    out.line([span(`-- ${name}`)]);
    for (const line of script.trimEnd().split("\n")) out.line([span(line)]);
    out.line([]);
  }
  for (const problem of problems) err.line([span("✗ ", "bad"), span(problem)]);
  const held = `${countText(foreign.tables.length, "table")} and ${countText(foreign.functions.length, "function")}`;
  const said =
    steps.length === 0
      ? "It is up to date."
      : `${countText(steps.length, "script")} in one transaction. The database contains ${held} that are not Callboard's; none of them is changed.`;
  err.line(lineOf(said, "dim"));
  return problems.length === 0 ? exitCodes.ok : exitCodes.failed;
}

export interface PurgeFlags {
  readonly olderThan?: string;
  readonly maxBytes?: string;
  readonly dryRun: boolean;
}

export async function purgeConversations(world: World, flags: PurgeFlags): Promise<void> {
  const { err, out } = world.door;
  const days = amountOf("--older-than", flags.olderThan);
  const maxBytes = amountOf("--max-bytes", flags.maxBytes);
  if (days === undefined && maxBytes === undefined) {
    throw new UsageError(
      "what should be deleted? Set --older-than <days>, --max-bytes <n>, or both",
    );
  }
  const store = await openStore(storePlaceOf(world), { ...optionsOf(world), migrates: false });
  const outputs = join(callboardHome(world.env), "outputs");
  try {
    const purged = await store.purge({
      now: systemClock.now(),
      isDryRun: flags.dryRun,
      ...(days === undefined ? {} : { maxAgeMs: days * 86_400_000 }),
      ...withoutUndefined({ maxBytes }),
      onDeleted(conversationIds) {
        for (const id of conversationIds) {
          rmSync(sessionOutputFolder(outputs, id), { recursive: true, force: true });
        }
      },
      onProgress: (done, condemned) =>
        err.line(lineOf(`${done.conversations} of ${condemned.conversations}`, "dim")),
    });
    out.line([span(`${flags.dryRun ? "Would delete" : "Deleted"} ${purgedText(purged)}.`)]);
  } finally {
    await store.close();
  }
}

function amountOf(flag: string, text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  const amount = Number(text);
  if (text !== "" && Number.isFinite(amount) && amount >= 0) return amount;
  throw new UsageError(`${flag} is a number, not ${JSON.stringify(text)}`);
}

function purgedText({ conversations, runs, events, bytes }: Purged): string {
  return `${countText(conversations, "conversation")}: ${countText(runs, "run")}, ${countText(events, "event")}, ${countText(bytes, "byte")}`;
}

export async function adopt(world: World): Promise<void> {
  const report = await adoptDatabase(storePlaceOf(world), optionsOf(world));
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
