-- The cx_* tables of the older shape leave the schema public and are kept in cx_legacy, with their rows, policies and
-- triggers. Nothing that is named otherwise is touched.

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
end
$$;

-- What has been copied, so that copying again brings back nothing that was deleted since.
create table cx_legacy.adopted (
  kind text not null,
  id text not null,
  adopted_at timestamptz not null default now(),
  primary key (kind, id)
);
alter table cx_legacy.adopted enable row level security;
alter table cx_legacy.adopted force row level security;
create policy migrator_writes on cx_legacy.adopted to current_user using (true) with check (true);
