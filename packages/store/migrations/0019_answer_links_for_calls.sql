-- An answer link answers an approval, or gives the result of a call that somebody outside executes: a question of the
-- model to a person, or a tool of a client.

alter table cx_answer_link
  alter column approval_id drop not null,
  add column call_id text,
  add constraint cx_answer_link_has_one_question check ((approval_id is null) <> (call_id is null));

comment on column cx_answer_link.approval_id is 'The approval that it answers; null where it gives the result of a call.';
comment on column cx_answer_link.call_id is 'The call whose result it gives; null where it answers an approval.';

drop function cx_create_answer_link(uuid, text, uuid, bytea, timestamptz);
drop function cx_answer_links(uuid, text);

create function cx_create_answer_link(
  p_run_id uuid, p_approval_id text, p_call_id text, p_link_id uuid, p_secret_hash bytea, p_expires_at timestamptz
) returns void
  language plpgsql security definer
  set search_path = ''
  as $$
  begin
    perform public.cx_require_steering(p_run_id);
    insert into public.cx_answer_link (id, run_id, approval_id, call_id, user_id, secret_hash, expires_at)
    values (p_link_id, p_run_id, p_approval_id, p_call_id, public.cx_user_id(), p_secret_hash, p_expires_at);
  end
  $$;

create function cx_answer_links(p_run_id uuid, p_approval_id text, p_call_id text)
  returns table (
    id uuid, created_at timestamptz, expires_at timestamptz, used_at timestamptz, revoked_at timestamptz
  )
  language plpgsql stable security definer
  set search_path = ''
  as $$
  begin
    perform public.cx_require_steering(p_run_id);
    return query
      select link.id, link.created_at, link.expires_at, link.used_at, link.revoked_at
      from public.cx_answer_link as link
      where link.run_id = p_run_id
        and link.approval_id is not distinct from p_approval_id
        and link.call_id is not distinct from p_call_id
      order by link.created_at, link.id;
  end
  $$;

do $$
declare
  name text;
begin
  foreach name in array array[
    'cx_create_answer_link(uuid, text, text, uuid, bytea, timestamptz)',
    'cx_answer_links(uuid, text, text)'
  ] loop
    execute format('revoke all on function public.%s from public, anon', name);
    execute format('grant execute on function public.%s to authenticated, service_role', name);
  end loop;
end
$$;
