/**
 * Converts a database of the older schema, where a tool's result was in `cx_message.content`, to the new one. The older
 * tables are moved unchanged to the schema `cx_legacy`, and copied from there; nothing is deleted. It may be stopped at
 * any point and repeated: copied rows are not copied twice.
 */
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import type { JsonObject } from "@callboard/run-log";
import { migrateIn, takeLock } from "../migrate.js";
import { migrationsFolder, readMigrations } from "../migrationFiles.js";
import { tableExists } from "../migrationStatus.js";
import type { SqlDatabase, SqlSession } from "../sqlSession.js";
import { adoptedMemories } from "./adoptedMemories.js";
import { type AdoptedRows, adoptedRows, type OlderConversation } from "./adoptedRows.js";
import {
  copyGrants,
  linkConversations,
  markAdopted,
  readOlder,
  unadoptedConversations,
  unadoptedMemories,
  unplacedRows,
  writeRows,
} from "./legacyTables.js";
import { renamedTools, type ToolNames } from "./madeCall.js";

export interface LegacyReport {
  /** Rows that this call wrote. */
  readonly conversations: number;
  readonly messages: number;
  readonly requests: number;
  readonly calls: number;
  readonly memories: number;
  readonly grants: number;
  /** Rows of conversations that do not exist: they stay in `cx_legacy` and nowhere else. */
  readonly unplaced: number;
}

export interface AdoptOptions {
  /** New names of tools by their old ones, beside those that are known. */
  readonly toolNames?: ToolNames;
}

const conversationsAtOnce = 100;

export async function adoptLegacy(
  database: SqlDatabase,
  options: AdoptOptions = {},
): Promise<LegacyReport> {
  const names = { ...renamedTools, ...options.toolNames };
  const migrations = await readMigrations();
  await database.transaction(async (session) => {
    await setAside(session);
    await migrateIn(session, migrations);
  });
  if (!(await database.transaction(hasLegacy))) return nothing;
  let report = nothing;
  for (;;) {
    const copied = await database.transaction((session) => copyConversations(session, names));
    if (copied === undefined) break;
    report = sumOf(report, copied);
  }
  return sumOf(report, await database.transaction(copyTheRest));
}

const nothing: LegacyReport = {
  conversations: 0,
  messages: 0,
  requests: 0,
  calls: 0,
  memories: 0,
  grants: 0,
  unplaced: 0,
};

function sumOf(one: LegacyReport, other: Partial<LegacyReport>): LegacyReport {
  return {
    conversations: one.conversations + (other.conversations ?? 0),
    messages: one.messages + (other.messages ?? 0),
    requests: one.requests + (other.requests ?? 0),
    calls: one.calls + (other.calls ?? 0),
    memories: one.memories + (other.memories ?? 0),
    grants: one.grants + (other.grants ?? 0),
    unplaced: one.unplaced + (other.unplaced ?? 0),
  };
}

async function setAside(session: SqlSession): Promise<void> {
  await session.query(takeLock);
  const isOurs = await tableExists(session, "cx_migration");
  if (isOurs || !(await tableExists(session, "cx_conversation"))) return;
  await session.runScript(await readFile(join(migrationsFolder, "legacy/set_aside.sql"), "utf8"));
}

async function hasLegacy(session: SqlSession): Promise<boolean> {
  return await tableExists(session, "adopted", "cx_legacy");
}

async function copyConversations(
  session: SqlSession,
  names: ToolNames,
): Promise<Partial<LegacyReport> | undefined> {
  await session.query(takeLock);
  const conversations = await unadoptedConversations(session, conversationsAtOnce);
  if (conversations.length === 0) return undefined;
  const ids = conversations.map(({ id }) => String(id));
  const older = {
    messages: await readOlder(session, "cx_message", ids),
    requests: await readOlder(session, "cx_user_request", ids),
    calls: await readOlder(session, "cx_tool_call", ids),
  };
  const rows = conversations.map((conversation) =>
    adoptedRows(conversationOf(conversation, older), names),
  );
  const written = (table: keyof AdoptedRows) =>
    writeRows(
      session,
      table,
      rows.flatMap((one) => one[table]),
    );
  const report = {
    conversations: await written("cx_conversation"),
    messages: await written("cx_message"),
    requests: await written("cx_user_request"),
    calls: await written("cx_tool_call"),
  };
  await markAdopted(session, "conversation", ids);
  return report;
}

function conversationOf(
  conversation: JsonObject,
  older: Omit<OlderConversation, "conversation">,
): OlderConversation {
  const own = (rows: readonly JsonObject[]) =>
    rows.filter((row) => row.conversation_id === conversation.id);
  return {
    conversation,
    messages: own(older.messages),
    requests: own(older.requests),
    calls: own(older.calls),
  };
}

async function copyTheRest(session: SqlSession): Promise<Partial<LegacyReport>> {
  await session.query(takeLock);
  const memories = await unadoptedMemories(session);
  const report = {
    memories: await writeRows(session, "cx_agent_memory", adoptedMemories(memories)),
    grants: await copyGrants(session),
    unplaced: await unplacedRows(session),
  };
  await linkConversations(session);
  await markAdopted(
    session,
    "memory",
    memories.map(({ id }) => String(id)),
  );
  return report;
}
