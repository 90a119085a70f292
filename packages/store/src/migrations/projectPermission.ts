/**
 * The project's own `has_permission`, if the database has one: found in the catalogue, used unchanged.
 * `cx_project_allows` is the only function that calls it; policies call that one. If the function reads its grants from
 * a table, `cx_project_candidates` returns those of the caller; otherwise it is unknown which users it lets see what.
 */
import { z } from "zod";
import type { SqlSession } from "./sqlSession.js";

const candidateSchema = z.object({
  /** Of its parameters; those after the third have defaults. */
  types: z.tuple([z.string(), z.string(), z.string()]).rest(z.string()),
  levels: z.array(z.string()).nullable(),
  /** The table that the function reads its grants from, and its column that names a user. */
  grants: z.object({ table: z.string(), user: z.string() }).nullable(),
});

type Candidate = z.infer<typeof candidateSchema>;

/**
 * The statement that makes `cx_project_allows` call the project's function, or return false if there is none. Undefined
 * if it already does so, or does not exist yet.
 */
export async function projectBinding(session: SqlSession): Promise<string | undefined> {
  const bound = await session.query(`
    select prosrc from pg_proc
    where pronamespace = 'public'::regnamespace and proname in ('cx_project_allows', 'cx_project_candidates')
    order by proname`);
  if (bound.length === 0) return undefined;
  const found = await findProjectFunction(session);
  const wanted = [bindingTo(found), candidatesOf(found)];
  const news = wanted.filter(({ body }, place) => body !== bound[place]?.prosrc);
  return news.length === 0 ? undefined : news.map(({ statement }) => statement).join("\n");
}

/** The future binding in a database that is not migrated yet. */
export async function plannedBinding(session: SqlSession): Promise<string | undefined> {
  const found = await findProjectFunction(session);
  return found && `${bindingTo(found).statement}\n${candidatesOf(found).statement}`;
}

/**
 * `has_permission(resource type, id, level)` in the schema public that gives a boolean, whatever its
 * parameters are called. Levels are a text or an enum that knows `viewer`.
 */
async function findProjectFunction(session: SqlSession): Promise<Candidate | undefined> {
  const rows = await session.query(`
    with candidate as (
      select proc.oid, proc.proargtypes::oid[] as types
      from pg_proc as proc
      where proc.pronamespace = 'public'::regnamespace
        and proc.proname = 'has_permission'
        and proc.prokind = 'f'
        and proc.prorettype = 'boolean'::regtype
        and not proc.proretset
        and proc.pronargs >= 3
        and proc.pronargs - proc.pronargdefaults <= 3
    )
    select
      array(
        select quote_ident(nspname) || '.' || quote_ident(typname)
        from unnest(types) with ordinality as argument (type, place)
        join pg_type on pg_type.oid = argument.type
        join pg_namespace on pg_namespace.oid = typnamespace
        order by place
      ) as types,
      (select array_agg(enumlabel::text order by enumsortorder) from pg_enum where enumtypid = types[2]) as levels,
      (
        select jsonb_build_object('table', quote_ident(relname), 'user', quote_ident(owner.attname))
        from pg_class
        join pg_attribute as kind on kind.attrelid = pg_class.oid and kind.attname = 'resource_type'
        join pg_attribute as resource on resource.attrelid = pg_class.oid and resource.attname = 'resource_id'
        join pg_attribute as owner on owner.attrelid = pg_class.oid and owner.atttypid = 'uuid'::regtype
          and owner.attname in ('granted_to_user_id', 'user_id', 'grantee_id', 'grantee_user_id', 'member_id')
        where relnamespace = 'public'::regnamespace and relkind in ('r', 'p') and relname not like 'cx\\_%'
          and not kind.attisdropped and not resource.attisdropped and not owner.attisdropped
          and pg_get_functiondef(candidate.oid) ~ ('\\m' || relname || '\\M')
          and has_table_privilege(pg_class.oid, 'select') and not row_security_active(pg_class.oid)
        order by owner.attname = 'granted_to_user_id' desc, relname
        limit 1
      ) as grants
    from candidate
    where (types[0] in ('text'::regtype, 'varchar'::regtype)
        or exists (select from pg_enum where enumtypid = types[0] and enumlabel = 'cx_conversation'))
      and types[1] in ('uuid'::regtype, 'text'::regtype, 'varchar'::regtype)
      and (types[2] in ('text'::regtype, 'varchar'::regtype)
        or exists (select from pg_enum where enumtypid = types[2] and enumlabel = 'viewer'))
    order by types[1] = 'uuid'::regtype desc, types[2] in ('text'::regtype, 'varchar'::regtype), oid
    limit 1
  `);
  return rows[0] && candidateSchema.parse(rows[0]);
}

function bindingTo(found: Candidate | undefined): {
  readonly body: string;
  readonly statement: string;
} {
  const head =
    "create or replace function public.cx_project_allows(p_conversation_id uuid, p_level public.cx_permission_level) returns boolean";
  if (!found) {
    const body = "select false";
    return {
      body,
      statement: `${head}\n  language sql immutable parallel safe\n  as '${body}';\n`,
    };
  }
  const [resource, id, level] = found.types;
  const unknown =
    found.levels === null
      ? ""
      : `
  if p_level::text <> all (${textArray(found.levels)}) then
    return false;
  end if;`;
  const body = `
begin
  if pg_catalog.has_function_privilege(
    pg_catalog.to_regprocedure(${literal(`public.has_permission(${found.types.join(", ")})`)}), 'execute'
  ) is not true then
    return false;
  end if;${unknown}
  return coalesce(public.has_permission(
    'cx_conversation'::${resource}, p_conversation_id::${id}, p_level::text::${level}
  ), false);
end
`;
  return {
    body,
    statement: `${head}\n  language plpgsql stable\n  set search_path = ''\n  as $body$${body}$body$;\n`,
  };
}

/** Grants without a user are checked too: they may be for a group of the caller's. */
function candidatesOf(found: Candidate | undefined): {
  readonly body: string;
  readonly statement: string;
} {
  const head = "create or replace function public.cx_project_candidates() returns uuid[]";
  const { grants } = found ?? { grants: null };
  if (grants === null) {
    const body = found ? "select null::uuid[]" : "select '{}'::uuid[]";
    const statement = `${head}\n  language sql immutable parallel safe\n  set search_path = ''\n  as ${literal(body)};\n`;
    return { body, statement };
  }
  const { table, user } = grants;
  const body = `
begin
  return (
    select coalesce(array_agg(resource_id::text::uuid), '{}') from public.${table}
    where resource_type::text = 'cx_conversation'
      and (${user} = public.cx_user_id() or ${user} is null)
      and resource_id::text ~* '^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$'
  );
exception
  -- The project changed its table since; until the next migrate it is not known which to ask about.
  when undefined_table or undefined_column or insufficient_privilege then
    return null;
end
`;
  const statement = `${head}\n  language plpgsql stable security definer\n  set search_path = ''\n  as $body$${body}$body$;\n`;
  return { body, statement };
}

function literal(text: string): string {
  return `'${text.replaceAll("'", "''")}'`;
}

function textArray(texts: readonly string[]): string {
  return `array[${texts.map(literal).join(", ")}]::text[]`;
}
