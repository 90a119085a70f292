/**
 * Row writes as SQL: for each table one insert and one update for each set of columns that changes,
 * whatever the number of rows. Rows travel as one JSON text that PostgreSQL takes apart.
 */
import { CompiledQuery } from "kysely";
import type { StoreDb } from "../connections/database.js";
import { type Columns, type RowBatch, tableNames, type WrittenTable } from "./rowBatch.js";
import { storedColumns } from "./storedColumns.js";
import { storedJson } from "./storedText.js";

export async function writeRows(db: StoreDb, batch: RowBatch): Promise<void> {
  for (const table of tableNames) {
    const { inserts, updates } = batch[table];
    const rows = [...inserts.values()];
    const [first] = rows;
    if (first) await execute(db, insertText(table, Object.keys(first)), rows);
    for (const { columns, rows: changed } of updateGroups(updates)) {
      await execute(db, updateText(table, columns), changed);
    }
  }
}

async function execute(db: StoreDb, text: string, rows: readonly Columns[]): Promise<void> {
  await db.executeQuery(CompiledQuery.raw(text, [storedJson(rows.map(storedColumns))]));
}

interface UpdateGroup {
  readonly columns: readonly string[];
  readonly rows: Columns[];
}

/** Rows that change the same columns share a statement. */
function updateGroups(updates: ReadonlyMap<string, Columns>): Iterable<UpdateGroup> {
  const groups = new Map<string, UpdateGroup>();
  for (const [id, set] of updates) {
    const columns = Object.keys(set).sort(byName);
    const key = columns.join();
    const group = groups.get(key) ?? { columns, rows: [] };
    groups.set(key, group);
    group.rows.push({ ...set, id });
  }
  return groups.values();
}

const byName = (one: string, other: string): number => (one < other ? -1 : 1);

/** Tables and columns are names of the rows projection, never anyone's text. */
function insertText(table: WrittenTable, columns: readonly string[]): string {
  const names = columns.join(", ");
  return `insert into ${table} (${names})
    select ${names} from json_populate_recordset(null::${table}, $1::json)`;
}

function updateText(table: WrittenTable, columns: readonly string[]): string {
  const changes = columns.map((name) => `${name} = news.${name}`).join(", ");
  return `update ${table} as kept set ${changes}
    from json_populate_recordset(null::${table}, $1::json) as news where kept.id = news.id`;
}
