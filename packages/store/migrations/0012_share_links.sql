-- Links that let whoever holds one read one conversation. The id of a link is the user that its visitors read as: a
-- viewer's grant in cx_permission says what they see and until when, so that every policy counts for them too.

create table cx_share_link (
  id uuid primary key,
  conversation_id uuid not null references cx_conversation (id) on delete cascade,
  secret_hash bytea not null check (octet_length(secret_hash) = 32),
  created_at timestamptz not null default now(),
  expires_at timestamptz not null,
  revoked_at timestamptz
);
select cx_close_table('cx_share_link');

create index cx_share_link_of_conversation on cx_share_link (conversation_id, created_at);

comment on table cx_share_link is 'A link by which whoever holds its secret reads one conversation, until it ends or is revoked.';
comment on column cx_share_link.id is 'Primary key; the user of the grant that its visitors read by.';
comment on column cx_share_link.conversation_id is 'What it shows.';
comment on column cx_share_link.secret_hash is 'SHA-256 of its secret. The secret itself is kept nowhere.';
comment on column cx_share_link.created_at is 'When it was made.';
comment on column cx_share_link.expires_at is 'When it ends by itself.';
comment on column cx_share_link.revoked_at is 'When its owner revoked it; null while nobody has.';

-- The same words for a conversation that is not there and for one that is another's.
create function cx_require_ownership(p_conversation_id uuid) returns void
  language plpgsql stable security definer
  set search_path = ''
  as $$
  begin
    if not exists (
      select from public.cx_conversation as conversation
      where conversation.id = p_conversation_id
        and conversation.user_id = public.cx_user_id()
        and conversation.deleted_at is null
    ) then
      raise exception 'you have no conversation % to share', p_conversation_id
        using errcode = 'insufficient_privilege', hint = 'Its owner may share it by a link.';
    end if;
  end
  $$;

create function cx_create_share_link(
  p_conversation_id uuid, p_link_id uuid, p_secret_hash bytea, p_expires_at timestamptz
) returns void
  language plpgsql security definer
  set search_path = ''
  as $$
  begin
    perform public.cx_require_ownership(p_conversation_id);
    insert into public.cx_share_link (id, conversation_id, secret_hash, expires_at)
    values (p_link_id, p_conversation_id, p_secret_hash, p_expires_at);
    insert into public.cx_permission
      (resource_type, resource_id, granted_to_user_id, permission_level, granted_by, expires_at)
    values
      ('cx_conversation', p_conversation_id, p_link_id, 'viewer', public.cx_user_id(), p_expires_at);
  end
  $$;

-- Says whether there was such a link that was not revoked before.
create function cx_revoke_share_link(p_conversation_id uuid, p_link_id uuid) returns boolean
  language plpgsql security definer
  set search_path = ''
  as $$
  begin
    perform public.cx_require_ownership(p_conversation_id);
    update public.cx_share_link set revoked_at = now()
    where id = p_link_id and conversation_id = p_conversation_id and revoked_at is null;
    if not found then
      return false;
    end if;
    delete from public.cx_permission
    where resource_type = 'cx_conversation'
      and resource_id = p_conversation_id
      and granted_to_user_id = p_link_id;
    return true;
  end
  $$;

create function cx_share_links(p_conversation_id uuid)
  returns table (id uuid, created_at timestamptz, expires_at timestamptz, revoked_at timestamptz)
  language plpgsql stable security definer
  set search_path = ''
  as $$
  begin
    perform public.cx_require_ownership(p_conversation_id);
    return query
      select link.id, link.created_at, link.expires_at, link.revoked_at
      from public.cx_share_link as link
      where link.conversation_id = p_conversation_id
      order by link.created_at, link.id;
  end
  $$;

-- The grants of links are listed with the links.
create or replace function cx_conversation_grants(p_conversation_id uuid)
  returns table (
    user_id uuid,
    permission_level public.cx_permission_level,
    granted_by uuid,
    expires_at timestamptz,
    created_at timestamptz
  )
  language plpgsql stable security definer
  set search_path = ''
  as $$
  begin
    perform public.cx_require_sharing(p_conversation_id);
    return query
      select permission.granted_to_user_id, permission.permission_level, permission.granted_by,
        permission.expires_at, permission.created_at
      from public.cx_permission as permission
      where permission.resource_type = 'cx_conversation' and permission.resource_id = p_conversation_id
        and not exists (select from public.cx_share_link as link where link.id = permission.granted_to_user_id)
      order by permission.created_at, permission.id;
  end
  $$;

do $$
declare
  name text;
begin
  foreach name in array array[
    'cx_require_ownership(uuid)',
    'cx_create_share_link(uuid, uuid, bytea, timestamptz)',
    'cx_revoke_share_link(uuid, uuid)',
    'cx_share_links(uuid)'
  ] loop
    execute format('revoke all on function public.%s from public, anon', name);
    execute format('grant execute on function public.%s to authenticated, service_role', name);
  end loop;
end
$$;
