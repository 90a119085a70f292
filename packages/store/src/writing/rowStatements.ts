/**
 * Row writes as SQL: for each table one insert and one update for each set of columns that changes,
 * whatever the number of rows. Rows travel as one JSON text that PostgreSQL takes apart.
 */
import { type Columns, type RowBatch, tableNames, type WrittenTable } from "./rowBatch.js";
import type { StatementPart } from "./statementPart.js";
import { storedColumns } from "./storedColumns.js";
import { storedJson } from "./storedText.js";

/** `first` is the place of the first parameter. Each part has one. */
export function rowParts(batch: RowBatch, first: number): readonly StatementPart[] {
  const parts: StatementPart[] = [];
  const add = (textOf: (place: string) => string, rows: readonly Columns[]): void => {
    const text = textOf(`$${first + parts.length}::json`);
    parts.push({
      text: `rows_${parts.length} as (${text})`,
      parameters: [storedJson(rows.map(storedColumns))],
    });
  };
  for (const table of tableNames) {
    const { inserts, updates } = batch[table];
    const rows = [...inserts.values()];
    const [row] = rows;
    if (row) add((place) => insertText(table, Object.keys(row), place), rows);
    for (const { columns, rows: changed } of updateGroups(updates)) {
      add((place) => updateText(table, columns, place), changed);
    }
  }
  return parts;
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
function insertText(table: WrittenTable, columns: readonly string[], place: string): string {
  const names = columns.join(", ");
  return `insert into ${table} (${names})
    select ${names} from json_populate_recordset(null::${table}, ${place})`;
}

function updateText(table: WrittenTable, columns: readonly string[], place: string): string {
  const changes = columns.map((name) => `${name} = news.${name}`).join(", ");
  return `update ${table} as kept set ${changes}
    from json_populate_recordset(null::${table}, ${place}) as news where kept.id = news.id`;
}
