-- A project may grant whatever is new in its schema to the roles of its API, as Supabase does. What was granted so and is
-- not needed is taken back: writing to the view of outputs, and the functions that only triggers call.
revoke all on cx_output from public, anon, authenticated;
grant select on cx_output to anon, authenticated;

do $$
declare
  trigger_function regprocedure;
begin
  for trigger_function in
    select oid from pg_catalog.pg_proc
    where pronamespace = 'public'::regnamespace and proname like 'cx\_%' and prorettype = 'trigger'::regtype
  loop
    execute format('revoke all on function %s from public, anon, authenticated', trigger_function);
  end loop;
end
$$;
