-- Which conversations the project's own has_permission may share with the caller, so that lists and searches need not
-- ask it about what others have. The migration binds both to the table that the function reads its grants from.

-- Ids to ask about; null where no such table is known. None until the migration finds a has_permission.
create function cx_project_candidates() returns uuid[]
  language sql immutable parallel safe
  set search_path = ''
  as 'select ''{}''::uuid[]';

-- Those among them that has_permission lets the caller see, asked with the caller's own rights. Null where it is not
-- known which to ask about.
create function cx_project_conversations() returns uuid[]
  language sql stable
  set search_path = ''
  as $$
    select case when candidates.ids is not null then coalesce((
      select array_agg(id) from unnest(candidates.ids) as id where public.cx_project_allows(id, 'viewer')
    ), '{}') end
    from (select public.cx_project_candidates() as ids) as candidates
  $$;

do $$
declare
  name text;
begin
  foreach name in array array['cx_project_candidates()', 'cx_project_conversations()'] loop
    execute format('revoke all on function public.%s from public, anon', name);
    execute format('grant execute on function public.%s to authenticated, service_role', name);
  end loop;
end
$$;
