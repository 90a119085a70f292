/** What a database contains that is not Callboard's. It only reads the catalogue. */
import type { SqlSession } from "./sqlSession.js";

export interface ForeignContents {
  /** With their schemas, in order. */
  readonly tables: readonly string[];
  readonly functions: readonly string[];
}

/** Tables, views and functions of every schema but PostgreSQL's own, without those that extensions brought. */
export async function readForeignContents(session: SqlSession): Promise<ForeignContents> {
  const isForeign = (name: string, catalogue: string): string => `
    nspname not in ('pg_catalog', 'information_schema', 'cx_legacy')
    and nspname !~ '^pg_(toast|temp)'
    and not (nspname = 'public' and ${name} like 'cx\\_%')
    and not exists (
      select from pg_depend
      where classid = '${catalogue}'::regclass and objid = item.oid and deptype = 'e'
    )`;
  const tables = await session.query(`
    select format('%I.%I', nspname, relname) as name
    from pg_class as item join pg_namespace on pg_namespace.oid = relnamespace
    where relkind in ('r', 'p', 'v', 'm', 'f') and ${isForeign("relname", "pg_class")}
    order by name
  `);
  const functions = await session.query(`
    select format('%I.%I', nspname, proname) as name
    from pg_proc as item join pg_namespace on pg_namespace.oid = pronamespace
    where ${isForeign("proname", "pg_proc")}
    order by name
  `);
  return {
    tables: tables.map(({ name }) => String(name)),
    functions: functions.map(({ name }) => String(name)),
  };
}

export function isAlone({ tables, functions }: ForeignContents): boolean {
  return tables.length === 0 && functions.length === 0;
}
