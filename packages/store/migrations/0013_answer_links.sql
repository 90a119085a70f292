-- Links by which whoever holds one answers one question of one run, once. A link acts for the user who made it, and
-- only while that user may still tell the run what to do.

create table cx_answer_link (
  id uuid primary key,
  run_id uuid not null references cx_run (id) on delete cascade,
  approval_id text not null,
  user_id uuid not null,
  secret_hash bytea not null check (octet_length(secret_hash) = 32),
  created_at timestamptz not null default now(),
  expires_at timestamptz not null,
  used_at timestamptz,
  revoked_at timestamptz
);
select cx_close_table('cx_answer_link');

create index cx_answer_link_of_question on cx_answer_link (run_id, approval_id, created_at);

comment on table cx_answer_link is 'A link by which whoever holds its secret answers one question, once, until it ends or is revoked.';
comment on column cx_answer_link.id is 'Primary key; the answer in the log names it.';
comment on column cx_answer_link.run_id is 'The run that asks.';
comment on column cx_answer_link.approval_id is 'The one question of that run that it answers.';
comment on column cx_answer_link.user_id is 'Who made it, and for whom it answers.';
comment on column cx_answer_link.secret_hash is 'SHA-256 of its secret. The secret itself is kept nowhere.';
comment on column cx_answer_link.created_at is 'When it was made.';
comment on column cx_answer_link.expires_at is 'When it ends by itself.';
comment on column cx_answer_link.used_at is 'When an answer was given by it; null while none was.';
comment on column cx_answer_link.revoked_at is 'When it was revoked; null while nobody has.';

-- The same words for a run that is not there and for one that the caller may only read, or not even that.
create function cx_require_steering(p_run_id uuid) returns void
  language plpgsql stable security definer
  set search_path = ''
  as $$
  begin
    if not exists (
      select from public.cx_run as run
      join public.cx_conversation as conversation on conversation.id = run.conversation_id
      where run.id = p_run_id
        and conversation.deleted_at is null
        and (
          run.user_id = public.cx_user_id()
          or conversation.user_id = public.cx_user_id()
          or public.cx_has_permission('cx_conversation', conversation.id, 'editor')
        )
    ) then
      raise exception 'you have no run % to answer for', p_run_id
        using errcode = 'insufficient_privilege',
          hint = 'Whoever asked for a run, or may edit its conversation, makes and revokes its links.';
    end if;
  end
  $$;

create function cx_create_answer_link(
  p_run_id uuid, p_approval_id text, p_link_id uuid, p_secret_hash bytea, p_expires_at timestamptz
) returns void
  language plpgsql security definer
  set search_path = ''
  as $$
  begin
    perform public.cx_require_steering(p_run_id);
    insert into public.cx_answer_link (id, run_id, approval_id, user_id, secret_hash, expires_at)
    values (p_link_id, p_run_id, p_approval_id, public.cx_user_id(), p_secret_hash, p_expires_at);
  end
  $$;

-- Says whether there was such a link that was neither used nor revoked before.
create function cx_revoke_answer_link(p_run_id uuid, p_link_id uuid) returns boolean
  language plpgsql security definer
  set search_path = ''
  as $$
  begin
    perform public.cx_require_steering(p_run_id);
    update public.cx_answer_link set revoked_at = now()
    where id = p_link_id and run_id = p_run_id and revoked_at is null and used_at is null;
    return found;
  end
  $$;

create function cx_answer_links(p_run_id uuid, p_approval_id text)
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
      where link.run_id = p_run_id and link.approval_id = p_approval_id
      order by link.created_at, link.id;
  end
  $$;

do $$
declare
  name text;
begin
  foreach name in array array[
    'cx_require_steering(uuid)',
    'cx_create_answer_link(uuid, text, uuid, bytea, timestamptz)',
    'cx_revoke_answer_link(uuid, uuid)',
    'cx_answer_links(uuid, text)'
  ] loop
    execute format('revoke all on function public.%s from public, anon', name);
    execute format('grant execute on function public.%s to authenticated, service_role', name);
  end loop;
end
$$;
