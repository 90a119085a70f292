/** The page about columns is what the catalogue of a migrated database says. `vitest -u` writes it again. */
import { afterAll, beforeAll, expect, it } from "vitest";
import { type DatabaseStage, openStage } from "./testing/stage.js";

const paper = new URL("../../../docs/reference/tables.md", import.meta.url).pathname;

const head = `# The columns of the \`cx_*\` tables and views

Every table and view of the database, every column, its type, whether it may be null, and what it holds. The page is written from the catalogue of a migrated database, whose
comments say the same to other tools, and a test compares the two. How the tables relate, who may read them and how to query them is in [database.md](../database.md); the values of
\`status\` beside the words of the other surfaces are in [vocabularies.md](vocabularies.md), the payloads in \`execution_events\` in [tool-event.md](tool-event.md).
`;

const catalogue = `
  select relname::text as relation, relkind = 'v' as is_view,
    coalesce(obj_description(pg_class.oid, 'pg_class'), '') as about,
    string_agg(
      format('| \`%s\` | %s%s | %s |', attname,
        replace(format_type(atttypid, atttypmod), 'timestamp with time zone', 'timestamptz'),
        case when attnotnull or relkind = 'v' then '' else ', null' end,
        replace(coalesce(col_description(pg_class.oid, attnum), ''), '|', '\\|')
      ), chr(10) order by attnum
    ) as columns,
    count(*) filter (where col_description(pg_class.oid, attnum) is null)::integer as unexplained
  from pg_class join pg_attribute on attrelid = pg_class.oid
  where relnamespace = 'public'::regnamespace and relkind in ('r', 'p', 'v') and relname like 'cx\\_%'
    and attnum > 0 and not attisdropped
  group by pg_class.oid, relname, relkind
  order by relkind = 'v', relname
`;

let stage: DatabaseStage;
beforeAll(async () => {
  stage = await openStage("PGlite");
});
afterAll(() => stage.close());

it("docs/reference/tables.md has every column of every table and view, with what it holds", async () => {
  const rows = await stage.service((session) => session.query(catalogue));
  expect(rows.length).toBeGreaterThan(10);
  expect(rows.filter(({ unexplained }) => unexplained !== 0)).toEqual([]);
  const sections = rows.map(({ relation, is_view, about, columns }) =>
    [
      `\n## \`${relation}\`\n`,
      `${is_view === true ? "A view. " : ""}${about}\n`,
      "| column | type | what it holds |\n|---|---|---|",
      `${columns}\n`,
    ].join("\n"),
  );
  await expect(head + sections.join("")).toMatchFileSnapshot(paper);
});
