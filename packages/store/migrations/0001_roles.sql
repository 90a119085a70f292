-- The three roles that policies name, who the caller is, and how every table is closed.
-- Where Supabase has the roles and auth.uid() they are used as they are. Everything else is named cx_*.
-- Roles belong to the whole server: another database may be creating them at this moment.

do $$
declare
  wanted text;
begin
  foreach wanted in array array['anon', 'authenticated', 'service_role'] loop
    if not exists (select from pg_roles where rolname = wanted) then
      begin
        execute format('create role %I nologin', wanted);
      exception
        when duplicate_object or unique_violation then null;
        when insufficient_privilege then
          raise exception 'the role "%" is missing and % may not create roles', wanted, current_user
            using hint = format(
              'An administrator can do it once: create role %I nologin; grant %I to %I;',
              wanted, wanted, current_user);
      end;
    end if;
    if not pg_has_role(current_user, wanted, 'usage') then
      begin
        execute format('grant %I to current_user', wanted);
      exception
        when duplicate_object or unique_violation then null;
        when insufficient_privilege then
          raise exception '% is not a member of the role "%"', current_user, wanted
            using hint = format('An administrator can do it once: grant %I to %I;', wanted, current_user);
      end;
    end if;
    if not has_schema_privilege(wanted, 'public', 'usage') then
      execute format('grant usage on schema public to %I', wanted);
    end if;
  end loop;
end
$$;

-- Who asks: auth.uid() where the database has it, else the subject of the token that the connection carries.
do $$
begin
  if exists (
    select from pg_proc
    where oid = to_regprocedure('auth.uid()') and prorettype = 'uuid'::regtype
  ) then
    -- Bound when it is created: a caller need not be able to look into the schema auth.
    execute $body$
      create function cx_user_id() returns uuid
        language sql stable parallel safe
        set search_path = ''
        begin atomic
          select auth.uid();
        end
    $body$;
  else
    create function cx_user_id() returns uuid
      language sql stable parallel safe
      set search_path = ''
      as $body$
        select coalesce(
          nullif(current_setting('request.jwt.claim.sub', true), ''),
          nullif(current_setting('request.jwt.claims', true), '')::jsonb ->> 'sub'
        )::uuid
      $body$;
  end if;
end
$$;

create type cx_permission_level as enum ('viewer', 'editor', 'admin');

-- Closes a table to everybody but the service: called right after the table is made, in its transaction.
create function cx_close_table(p_table regclass) returns void
  language plpgsql
  set search_path = ''
  as $$
  begin
    execute format('alter table %s enable row level security', p_table);
    execute format('alter table %s force row level security', p_table);
    execute format('revoke all on %s from public, anon, authenticated', p_table);
    execute format('grant select, insert, update, delete on %s to service_role', p_table);
    execute format('create policy service_writes on %s to service_role using (true) with check (true)', p_table);
  end
  $$;

-- A row belongs to an account and goes with it, where accounts are in the same database.
create function cx_bind_to_account(p_table regclass) returns void
  language plpgsql
  set search_path = ''
  as $$
  begin
    if pg_catalog.to_regclass('auth.users') is null then
      return;
    end if;
    execute format(
      'alter table %s add constraint %I foreign key (user_id) references auth.users (id) on delete cascade',
      p_table, (select relname from pg_catalog.pg_class where oid = p_table) || '_user_id_fkey');
  end
  $$;

revoke all on function cx_close_table(regclass), cx_bind_to_account(regclass) from public, anon, authenticated;
grant execute on function cx_close_table(regclass), cx_bind_to_account(regclass) to service_role;
revoke all on function cx_user_id() from public;
grant execute on function cx_user_id() to anon, authenticated, service_role;

select cx_close_table('cx_migration');

-- What nodes seal their messages to one another with: made by the first node that needs it, read by the service alone.
create table cx_node_secret (
  is_only boolean primary key default true check (is_only),
  secret text not null default replace(gen_random_uuid()::text || gen_random_uuid()::text, '-', ''),
  created_at timestamptz not null default now()
);
select cx_close_table('cx_node_secret');
