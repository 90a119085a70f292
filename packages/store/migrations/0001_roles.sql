-- The three roles and auth.uid() that policies speak of. Where Supabase has them they are used as they are.
-- Roles belong to the whole server: another database may be creating them in this very moment.

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
  end loop;
end
$$;

do $$
begin
  if to_regprocedure('auth.uid()') is not null then
    return;
  end if;
  create schema if not exists auth;
  create function auth.uid() returns uuid
    language sql stable parallel safe
    as $body$
      select coalesce(
        nullif(current_setting('request.jwt.claim.sub', true), ''),
        nullif(current_setting('request.jwt.claims', true), '')::jsonb ->> 'sub'
      )::uuid
    $body$;
  grant usage on schema auth to anon, authenticated, service_role;
  grant execute on function auth.uid() to anon, authenticated, service_role;
end
$$;

grant usage on schema public to anon, authenticated, service_role;
