-- Sharing a conversation: its owner, or an admin of it, asks; nobody writes grants by hand.

-- The same words for a conversation that is not there and for one that is another's: neither is told apart.
create function cx_require_sharing(p_conversation_id uuid) returns void
  language plpgsql stable
  set search_path = ''
  as $$
  begin
    if not public.cx_administers(p_conversation_id) then
      raise exception 'you have no conversation % to share', p_conversation_id
        using errcode = 'insufficient_privilege', hint = 'Its owner or an admin of it may share it.';
    end if;
  end
  $$;

-- Grants a level, or changes the one that is there.
create function cx_share_conversation(
  p_conversation_id uuid,
  p_user_id uuid,
  p_level public.cx_permission_level default 'viewer',
  p_expires_at timestamptz default null
) returns void
  language plpgsql security definer
  set search_path = ''
  as $$
  begin
    perform public.cx_require_sharing(p_conversation_id);
    if exists (
      select from public.cx_conversation as conversation
      where conversation.id = p_conversation_id and conversation.user_id = p_user_id
    ) then
      raise exception 'a conversation is not shared with its owner'
        using errcode = 'invalid_parameter_value', hint = 'Its owner may do everything already.';
    end if;
    insert into public.cx_permission
      (resource_type, resource_id, granted_to_user_id, permission_level, granted_by, expires_at)
    values
      ('cx_conversation', p_conversation_id, p_user_id, p_level, public.cx_user_id(), p_expires_at)
    on conflict on constraint cx_permission_one_for_each_user do update
    set permission_level = excluded.permission_level,
        granted_by = excluded.granted_by,
        expires_at = excluded.expires_at;
  end
  $$;

-- Whoever was given a grant may give it back. Says whether there was one.
create function cx_unshare_conversation(p_conversation_id uuid, p_user_id uuid) returns boolean
  language plpgsql security definer
  set search_path = ''
  as $$
  begin
    if public.cx_user_id() is distinct from p_user_id then
      perform public.cx_require_sharing(p_conversation_id);
    end if;
    delete from public.cx_permission
    where resource_type = 'cx_conversation'
      and resource_id = p_conversation_id
      and granted_to_user_id = p_user_id;
    return found;
  end
  $$;

-- The public may read, never change.
create function cx_publish_conversation(p_conversation_id uuid, p_is_public boolean default true) returns void
  language plpgsql security definer
  set search_path = ''
  as $$
  begin
    perform public.cx_require_sharing(p_conversation_id);
    update public.cx_conversation set is_public = p_is_public where id = p_conversation_id;
  end
  $$;

create function cx_conversation_grants(p_conversation_id uuid)
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
      order by permission.created_at, permission.id;
  end
  $$;

-- An editor takes a message out of sight, or brings it back. Its run's log keeps what was said.
-- Says whether there was such a message.
create function cx_hide_message(p_message_id uuid, p_is_hidden boolean default true) returns boolean
  language plpgsql security definer
  set search_path = ''
  as $$
  begin
    update public.cx_message as message
    set deleted_at = case when p_is_hidden then now() end
    from public.cx_conversation as conversation
    where message.id = p_message_id
      and conversation.id = message.conversation_id
      and conversation.deleted_at is null
      and (
        conversation.user_id = public.cx_user_id()
        or public.cx_has_permission('cx_conversation', conversation.id, 'editor')
      );
    return found;
  end
  $$;

do $$
declare
  name text;
begin
  foreach name in array array[
    'cx_require_sharing(uuid)',
    'cx_share_conversation(uuid, uuid, public.cx_permission_level, timestamptz)',
    'cx_unshare_conversation(uuid, uuid)',
    'cx_publish_conversation(uuid, boolean)',
    'cx_conversation_grants(uuid)',
    'cx_hide_message(uuid, boolean)'
  ] loop
    execute format('revoke all on function public.%s from public, anon', name);
    execute format('grant execute on function public.%s to authenticated, service_role', name);
  end loop;
end
$$;
