/**
 * Everything in a database that is not Callboard's, as text: definitions of tables, columns, constraints,
 * indexes, functions, policies, triggers, views, types, grants, comments, and the rows themselves.
 */
import type { SqlSession } from "../migrations/sqlSession.js";

const foreign = `
  nspname not in ('pg_catalog', 'information_schema', 'cx_legacy') and nspname !~ '^pg_(toast|temp)'`;
const notOurs = (name: string) =>
  `(${foreign} and not (nspname = 'public' and ${name} like 'cx\\_%'))`;

export async function foreignCatalogue(session: SqlSession): Promise<readonly string[]> {
  const rows = await session.query(`
    select format('schema %s %s %s', nspname, nspowner::regrole, nspacl) as line
    from pg_namespace where ${foreign}
    union all
    select format('relation %s.%s %s %s rls=%s force=%s acl=%s options=%s comment=%s', nspname, relname, relkind,
      relowner::regrole, relrowsecurity, relforcerowsecurity, relacl, reloptions, obj_description(item.oid, 'pg_class'))
    from pg_class as item join pg_namespace on pg_namespace.oid = relnamespace
    where relkind in ('r', 'p', 'v', 'm', 'S', 'i') and ${notOurs("relname")}
    union all
    select format('column %s.%s.%s %s notnull=%s default=%s acl=%s', nspname, relname, attname,
      format_type(atttypid, atttypmod), attnotnull, pg_get_expr(adbin, adrelid), attacl)
    from pg_attribute join pg_class as item on item.oid = attrelid
    join pg_namespace on pg_namespace.oid = relnamespace
    left join pg_attrdef on adrelid = attrelid and adnum = attnum
    where attnum > 0 and not attisdropped and relkind in ('r', 'p', 'v', 'm') and ${notOurs("relname")}
    union all
    select format('constraint %s.%s %s %s', nspname, relname, conname, pg_get_constraintdef(pg_constraint.oid))
    from pg_constraint join pg_class as item on item.oid = conrelid
    join pg_namespace on pg_namespace.oid = relnamespace where ${notOurs("relname")}
    union all
    select format('index %s', pg_get_indexdef(indexrelid))
    from pg_index join pg_class as item on item.oid = indrelid
    join pg_namespace on pg_namespace.oid = relnamespace where ${notOurs("relname")}
    union all
    select format('function %s owner=%s acl=%s comment=%s', pg_get_functiondef(item.oid), proowner::regrole, proacl,
      obj_description(item.oid, 'pg_proc'))
    from pg_proc as item join pg_namespace on pg_namespace.oid = pronamespace
    where prokind in ('f', 'p') and ${notOurs("proname")}
    union all
    select format('policy %s.%s %s', nspname, relname, to_jsonb(pg_policy) - 'oid' - 'polrelid')
    from pg_policy join pg_class as item on item.oid = polrelid
    join pg_namespace on pg_namespace.oid = relnamespace where ${notOurs("relname")}
    union all
    select format('trigger %s', pg_get_triggerdef(pg_trigger.oid))
    from pg_trigger join pg_class as item on item.oid = tgrelid
    join pg_namespace on pg_namespace.oid = relnamespace where not tgisinternal and ${notOurs("relname")}
    union all
    select format('view %s.%s %s', nspname, relname, pg_get_viewdef(item.oid))
    from pg_class as item join pg_namespace on pg_namespace.oid = relnamespace
    where relkind = 'v' and ${notOurs("relname")}
    union all
    select format('type %s.%s %s labels=%s base=%s', nspname, typname, typtype,
      array(select enumlabel from pg_enum where enumtypid = item.oid order by enumsortorder), typbasetype)
    from pg_type as item join pg_namespace on pg_namespace.oid = typnamespace
    where not (typname like '\\_cx\\_%') and ${notOurs("typname")}
    union all
    select format('default privileges %s', to_jsonb(pg_default_acl) - 'oid') from pg_default_acl
    union all
    select format('event trigger %s', evtname) from pg_event_trigger
    order by line
  `);
  return [...rows.map(({ line }) => String(line)), ...(await rowsOf(session))];
}

async function rowsOf(session: SqlSession): Promise<readonly string[]> {
  const tables = await session.query(`
    select format('%I.%I', nspname, relname) as name
    from pg_class as item join pg_namespace on pg_namespace.oid = relnamespace
    where relkind = 'r' and ${notOurs("relname")} order by name
  `);
  const lines: string[] = [];
  for (const { name } of tables) {
    const rows = await session.query(`select t::text as row from ${name} as t order by 1`);
    lines.push(...rows.map(({ row }) => `row ${name} ${row}`));
  }
  return lines;
}
