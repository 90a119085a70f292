/** The page about columns says what the migrated database has: each table, each column, its type, its null. */
import { readFileSync } from "node:fs";
import { afterAll, beforeAll, expect, it } from "vitest";
import { openStage, type Stage } from "./testing/stage.js";

const paper = readFileSync(new URL("../../../docs/reference/tables.md", import.meta.url), "utf8");

/** `column: type` of each row, under the table's name. */
function columnsOnPage(): Readonly<Record<string, readonly string[]>> {
  const sections = paper.split(/^## /m).slice(1);
  return Object.fromEntries(
    sections.map((section) => {
      const rows = [...section.matchAll(/^\| `(\w+)` \| ([^|]+) \|/gm)];
      return [
        /^`(\w+)`/.exec(section)?.[1] ?? "",
        rows.map(([, name, type]) => `${name}: ${type?.trim()}`),
      ];
    }),
  );
}

let stage: Stage;
beforeAll(async () => {
  stage = await openStage("PGlite");
});
afterAll(() => stage.close());

it("docs/reference/tables.md has every column of every table, as it is", async () => {
  const rows = await stage.service((session) =>
    session.query(`
      select relname::text as name, array_agg(
        format('%s: %s', attname, case format_type(atttypid, atttypmod)
          when 'timestamp with time zone' then 'timestamptz'
          else format_type(atttypid, atttypmod)
        end) || case when attnotnull then '' else ', null' end
        order by attnum
      ) as columns
      from pg_class join pg_attribute on attrelid = pg_class.oid
      where relnamespace = 'public'::regnamespace and relkind in ('r', 'p')
        and attnum > 0 and not attisdropped
      group by relname
    `),
  );
  const columns = Object.fromEntries(rows.map((row) => [row.name, row.columns]));
  expect(columnsOnPage()).toEqual(columns);
});
