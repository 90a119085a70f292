-- The tables of the older shape leave the schema public and are kept, untouched, in cx_legacy.

create schema cx_legacy;
revoke all on schema cx_legacy from public;

do $$
declare
  older text;
begin
  for older in
    select tablename from pg_tables where schemaname = 'public' and tablename like 'cx\_%'
  loop
    execute format('alter table public.%I set schema cx_legacy', older);
  end loop;
  for older in
    select oid::regprocedure::text from pg_proc
    where pronamespace = 'public'::regnamespace and proname = 'has_permission'
  loop
    execute format('alter function %s set schema cx_legacy', older);
  end loop;
end
$$;

-- What has been copied, so that copying again brings back nothing that was deleted since.
create table cx_legacy.adopted (
  kind text not null,
  id text not null,
  adopted_at timestamptz not null default now(),
  primary key (kind, id)
);
