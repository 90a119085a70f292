/** Rows that are read lose nothing of what the server wrote. */

import { messageRowSchema, toolCallRowSchema } from "@callboard/run-log/http";
import {
  createProjector,
  createRowsProjection,
  type RowWrite,
} from "@callboard/run-log/projections";
import { lives } from "@callboard/testkit";
import { expect, it } from "vitest";

it.each(lives)("every row of $name is read as it was written", ({ log }) => {
  const options = { rowId: (table: string, key: string) => `${table}:${key}` };
  const projector = createProjector(createRowsProjection(options));
  const rows = new Map<string, { readonly table: string; readonly row: object }>();
  const put = (write: RowWrite): void => {
    if (write.write === "insert") rows.set(write.row.id, { table: write.table, row: write.row });
    else {
      const known = rows.get(write.id);
      rows.set(write.id, { table: write.table, row: { ...known?.row, ...write.set } });
    }
  };
  for (const event of log) for (const write of projector.push(event)) put(write);
  expect(rows.size).toBeGreaterThan(1);
  for (const { table, row } of rows.values()) {
    if (table === "cx_user_request") continue;
    const schema = table === "cx_message" ? messageRowSchema : toolCallRowSchema;
    expect(schema.parse(row)).toStrictEqual(row);
  }
});
