/**
 * Violations in the database's own catalogue: a table that is not closed, a view with its owner's rights, a function
 * with its owner's rights and an open search path, a foreign key without an index.
 */
import type { SqlSession } from "../migrations/sqlSession.js";

export async function catalogueFaults(session: SqlSession): Promise<readonly string[]> {
  const rows = await session.query(`
    select format('table %s: row-level security is not enabled', relname) as fault
    from pg_class
    where relnamespace = 'public'::regnamespace and relkind in ('r', 'p') and not relrowsecurity
    union all
    select format('table %s: row-level security is not forced', relname)
    from pg_class
    where relnamespace = 'public'::regnamespace and relkind in ('r', 'p') and not relforcerowsecurity
    union all
    select format('table %s: the service has no policy', relname)
    from pg_class
    where relnamespace = 'public'::regnamespace and relkind in ('r', 'p') and not exists (
      select from pg_policy
      where polrelid = pg_class.oid and polcmd = '*' and 'service_role'::regrole = any (polroles)
    )
    union all
    select format('view %s: not security_invoker', relname)
    from pg_class
    where relnamespace = 'public'::regnamespace and (
      relkind = 'm' or relkind = 'v' and not coalesce(reloptions, '{}') @> array['security_invoker=true']
    )
    union all
    select format('function %s: security definer that everyone may call', oid::regprocedure)
    from pg_proc
    where pronamespace = 'public'::regnamespace and prosecdef and has_function_privilege('public', oid, 'execute')
    union all
    select format('function %s: search_path is not fixed', oid::regprocedure)
    from pg_proc
    where pronamespace = 'public'::regnamespace
      and not coalesce(proconfig, '{}') @> array['search_path=""']
      and prosrc <> 'select false'
    union all
    select format('foreign key %s on %s: no index begins with its columns', conname, conrelid::regclass)
    from pg_constraint
    where contype = 'f' and connamespace = 'public'::regnamespace and not exists (
      select from pg_index
      where indrelid = conrelid and (indkey::smallint[])[0:cardinality(conkey) - 1] = conkey
    )
    union all
    select format('policy %s on %s: no index begins with %s', polname, polrelid::regclass, attname)
    from pg_policy
    join pg_depend on pg_depend.classid = 'pg_policy'::regclass and objid = pg_policy.oid
      and refobjid = polrelid and refobjsubid > 0
    join pg_attribute on attrelid = polrelid and attnum = refobjsubid
    where not exists (
      select from pg_index where indrelid = polrelid and indkey[0] = attnum
    ) and attname not in ('is_public', 'expires_at', 'deleted_at')
    union all
    select format('table %s: no comment', relname)
    from pg_class
    where relnamespace = 'public'::regnamespace and relkind in ('r', 'p', 'v', 'm')
      and obj_description(oid, 'pg_class') is null
    union all
    select format('column %s.%s: no comment', relname, attname)
    from pg_class join pg_attribute on attrelid = pg_class.oid
    where relnamespace = 'public'::regnamespace and relkind in ('r', 'p', 'v', 'm')
      and attnum > 0 and not attisdropped and col_description(pg_class.oid, attnum) is null
    union all
    select format('%s may truncate, refer to or trigger on %s', grantee, table_name)
    from information_schema.role_table_grants
    where table_schema = 'public' and grantee in ('anon', 'authenticated', 'PUBLIC')
      and privilege_type in ('TRUNCATE', 'REFERENCES', 'TRIGGER')
    order by fault
  `);
  return rows.map(({ fault }) => String(fault));
}
