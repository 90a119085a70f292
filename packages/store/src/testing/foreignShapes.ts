/**
 * Databases that existed before Callboard: each shape is a script that creates tables, functions, policies, triggers,
 * types and views of its own. Generated, so that there are many combinations.
 */
export interface ForeignShape {
  readonly name: string;
  readonly script: string;
  /** What the project's `has_permission` says about everything; undefined if it has none that fits. */
  readonly allows: boolean | undefined;
}

const permissions = `
create type permission_level as enum ('viewer', 'editor', 'admin');
create table permissions (
  id uuid primary key default gen_random_uuid(),
  resource_type text, resource_id uuid, granted_to_user_id uuid, level permission_level
);
alter table permissions enable row level security;
create policy mine on permissions using (granted_to_user_id is not null);
`;

/** The functions named has_permission that projects were seen to have, each with what it says. */
const permissionFunctions: readonly (readonly [string, string, boolean | undefined])[] = [
  ["no has_permission", "", undefined],
  [
    "an enum level",
    `${permissions}
create function has_permission(p_resource_type text, p_resource_id uuid, p_required_permission permission_level)
  returns boolean language sql stable security definer set search_path = '' as 'select true';
create function may_read(p_id uuid) returns boolean language sql stable
  as $$ select has_permission('note', p_id, 'viewer') $$;`,
    true,
  ],
  [
    "a text level, other names and a default",
    `create function has_permission(kind text, item uuid, wanted text, strict boolean default false)
  returns boolean language plpgsql stable as $$ begin return wanted = 'viewer' and not strict; end $$;`,
    true,
  ],
  [
    "an enum without admin",
    `create type level as enum ('viewer', 'editor');
create function has_permission(text, uuid, level) returns boolean language sql as 'select true';`,
    true,
  ],
  [
    "one of another meaning",
    `create function has_permission(p_user uuid, p_name text) returns boolean language sql as 'select true';`,
    undefined,
  ],
  [
    "several",
    `create function has_permission(uuid) returns boolean language sql as 'select true';
create function has_permission(text, uuid, text) returns boolean language sql as 'select false';`,
    false,
  ],
];

/** What else a project has. */
/** A project that keeps its accounts in the same database, as Supabase does. */
export const projectWithAccounts = `create schema auth;
create table auth.users (id uuid primary key default gen_random_uuid(), email text);
create function auth.uid() returns uuid language sql stable
  as $$ select (nullif(current_setting('request.jwt.claims', true), '')::jsonb ->> 'sub')::uuid $$;
insert into auth.users (email) values ('somebody@example.org');`;

const contents: readonly (readonly [string, string])[] = [
  ["nothing else", ""],
  [
    "tables with policies and triggers",
    `create table notes (id uuid primary key default gen_random_uuid(), owner uuid, body text, changed timestamptz);
create index notes_of_owner on notes (owner);
create function touch() returns trigger language plpgsql as $$ begin new.changed := now(); return new; end $$;
create trigger touched before update on notes for each row execute function touch();
alter table notes enable row level security;
create policy own on notes to public using (owner is not null) with check (true);
create view shown as select id, body from notes;
comment on table notes is 'Notes of the project.';
grant select on notes to public;
insert into notes (owner, body) values (gen_random_uuid(), 'kept');`,
  ],
  ["its own auth schema with accounts", projectWithAccounts],
  [
    "a schema auth of another meaning, and names like ours",
    `create schema auth;
create function auth.uid() returns integer language sql as 'select 1';
create schema app;
create table app.cx_conversation (id integer primary key);
create function app.cx_has_permission(integer) returns boolean language sql as 'select true';
create domain public.short_text as text check (length(value) < 10);
create sequence public.numbers;
alter default privileges in schema public grant select on tables to public;`,
  ],
];

/** Every function beside every content: 24 shapes. */
export const foreignShapes: readonly ForeignShape[] = permissionFunctions.flatMap(
  ([functionName, functionScript, allows]) =>
    contents.map(([contentName, contentScript]) => ({
      name: `${functionName}; ${contentName}`,
      script: `${functionScript}\n${contentScript}`,
      allows,
    })),
);
