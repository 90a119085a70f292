-- Who may see and change what. Every table was closed when it was made; here policies open it.
-- A policy compares the caller with a column of the row first, and then looks up one conversation by its key.
-- So what a row costs does not depend on what other users have.

-- A grant to one user. Whether everyone may read is cx_conversation.is_public.
create table cx_permission (
  id uuid primary key default gen_random_uuid(),
  resource_type text not null check (resource_type = 'cx_conversation'),
  resource_id uuid not null references cx_conversation (id) on delete cascade,
  granted_to_user_id uuid not null,
  permission_level cx_permission_level not null default 'viewer',
  granted_by uuid,
  expires_at timestamptz,
  created_at timestamptz not null default now(),
  constraint cx_permission_one_for_each_user unique (granted_to_user_id, resource_type, resource_id)
);
select cx_close_table('cx_permission');

create index cx_permission_of_resource on cx_permission (resource_id, resource_type);

-- Whether a grant of cx_permission to the caller, or the public, reaches the level.
create function cx_is_granted(p_conversation_id uuid, p_level public.cx_permission_level) returns boolean
  language sql stable security definer
  set search_path = ''
  as $$
    select exists (
      select from public.cx_permission as permission
      where permission.granted_to_user_id = public.cx_user_id()
        and permission.resource_type = 'cx_conversation'
        and permission.resource_id = p_conversation_id
        and permission.permission_level >= p_level
        and (permission.expires_at is null or permission.expires_at > now())
    ) or (p_level = 'viewer' and exists (
      select from public.cx_conversation as conversation
      where conversation.id = p_conversation_id and conversation.is_public
    ))
  $$;

-- What the project's own has_permission says. It says nothing until the migration finds one and binds it here.
create function cx_project_allows(p_conversation_id uuid, p_level public.cx_permission_level) returns boolean
  language sql immutable parallel safe
  as 'select false';

-- Whether a grant to the caller, the project, or the public, reaches the level. Owning is no grant.
create function cx_has_permission(
  p_resource_type text, p_resource_id uuid, p_required_permission public.cx_permission_level
) returns boolean
  language sql stable
  set search_path = ''
  as $$
    select p_resource_type = 'cx_conversation' and (
      public.cx_is_granted(p_resource_id, p_required_permission)
      or public.cx_project_allows(p_resource_id, p_required_permission)
    )
  $$;

-- Whether the caller may do everything with a conversation: its owner, or an admin of it.
create function cx_administers(p_conversation_id uuid) returns boolean
  language sql stable security definer
  set search_path = ''
  as $$
    select exists (
      select from public.cx_conversation as conversation
      where conversation.id = p_conversation_id and conversation.user_id = public.cx_user_id()
    ) or public.cx_has_permission('cx_conversation', p_conversation_id, 'admin')
  $$;

-- The caller's grants of a level for a whole query at once: a policy that asks row by row would cost each row a query.
create function cx_granted_conversations(p_level public.cx_permission_level) returns uuid[]
  language sql stable security definer
  set search_path = ''
  as $$
    select coalesce(array_agg(permission.resource_id), '{}')
    from public.cx_permission as permission
    where permission.granted_to_user_id = public.cx_user_id()
      and permission.resource_type = 'cx_conversation'
      and permission.permission_level >= p_level
      and (permission.expires_at is null or permission.expires_at > now())
  $$;

grant select on cx_conversation, cx_message, cx_user_request, cx_tool_call, cx_run, cx_run_event to anon, authenticated;

-- Conversations: the owner, whom they are shared with, and everyone where they are public. A deleted one: nobody.
create policy visible on cx_conversation for select to anon, authenticated
  using (
    deleted_at is null and (
      user_id = (select cx_user_id())
      or is_public
      or id = any ((select cx_granted_conversations('viewer'))::uuid[])
      or cx_project_allows(id, 'viewer')
    )
  );
create policy owner_creates on cx_conversation for insert to authenticated
  with check (user_id = (select cx_user_id()));
create policy editor_changes on cx_conversation for update to authenticated
  using (
    user_id = (select cx_user_id())
    or id = any ((select cx_granted_conversations('editor'))::uuid[])
    or cx_project_allows(id, 'editor')
  );
create policy admin_deletes on cx_conversation for delete to authenticated
  using (
    user_id = (select cx_user_id())
    or id = any ((select cx_granted_conversations('admin'))::uuid[])
    or cx_project_allows(id, 'admin')
  );

-- Calls and requests: whoever made them, and whoever sees their conversation. One's own stay in sight when a
-- conversation is no longer shared with one.
create policy visible on cx_user_request for select to anon, authenticated
  using (deleted_at is null and (
    user_id = (select cx_user_id())
    or exists (select from cx_conversation as conversation where conversation.id = cx_user_request.conversation_id)
  ));
create policy visible on cx_tool_call for select to anon, authenticated
  using (deleted_at is null and (
    user_id = (select cx_user_id())
    or exists (select from cx_conversation as conversation where conversation.id = cx_tool_call.conversation_id)
  ));

-- Messages, runs and their logs: whoever sees the conversation.
create policy visible on cx_message for select to anon, authenticated
  using (deleted_at is null and exists (
    select from cx_conversation as conversation where conversation.id = cx_message.conversation_id
  ));
create policy visible on cx_run for select to anon, authenticated
  using (exists (select from cx_conversation as conversation where conversation.id = cx_run.conversation_id));
create policy visible on cx_run_event for select to anon, authenticated
  using (exists (select from cx_run as run where run.id = cx_run_event.run_id));

-- Messages are written by the service; an editor may annotate one.
create policy editor_changes on cx_message for update to authenticated
  using (exists (
    select from cx_conversation as conversation
    where conversation.id = cx_message.conversation_id and (
      conversation.user_id = (select cx_user_id())
      or conversation.id = any ((select cx_granted_conversations('editor'))::uuid[])
      or cx_project_allows(conversation.id, 'editor')
    )
  ));

-- Memory is its user's alone.
create policy own on cx_agent_memory to authenticated
  using (user_id = (select cx_user_id()))
  with check (user_id = (select cx_user_id()));

-- Grants are made by functions; one may read those to oneself that hold.
create policy own on cx_permission for select to authenticated
  using (granted_to_user_id = (select cx_user_id()) and (expires_at is null or expires_at > now()));

-- What may be changed at all. Never whose a conversation is, who sees it, nor that it is deleted: that is for functions
-- and for delete.
grant insert (id, user_id, title, description, keywords, system_instruction, config, variables, overrides, status, metadata)
  on cx_conversation to authenticated;
grant update (title, description, keywords, system_instruction, config, variables, overrides, status, metadata)
  on cx_conversation to authenticated;
grant delete on cx_conversation to authenticated;
grant update (metadata) on cx_message to authenticated;
grant select, insert, update, delete on cx_agent_memory to authenticated;
grant select on cx_permission to authenticated;
grant select on cx_output to anon, authenticated, service_role;

-- The same once more for whoever was granted more than that: a policy sees rows, not columns.
create function cx_guard_conversation() returns trigger
  language plpgsql
  set search_path = ''
  as $$
  begin
    if (new.id, new.user_id, new.is_public, new.message_count, new.created_at, new.deleted_at)
      is distinct from (old.id, old.user_id, old.is_public, old.message_count, old.created_at, old.deleted_at)
    then
      raise exception 'whose a conversation is and who sees it is not changed by hand'
        using errcode = 'insufficient_privilege', hint = 'Use cx_share_conversation, cx_publish_conversation or delete.';
    end if;
    new.updated_at := now();
    return new;
  end
  $$;

create function cx_guard_message() returns trigger
  language plpgsql
  set search_path = ''
  as $$
  begin
    if to_jsonb(new) - 'metadata' <> to_jsonb(old) - 'metadata' then
      raise exception 'what was said is not changed'
        using errcode = 'insufficient_privilege', hint = 'A message takes metadata; cx_hide_message hides it.';
    end if;
    return new;
  end
  $$;

create trigger cx_conversation_guarded
  before update on cx_conversation
  for each row when (not pg_has_role(current_user, 'service_role', 'usage'))
  execute function cx_guard_conversation();

create trigger cx_message_guarded
  before update on cx_message
  for each row when (not pg_has_role(current_user, 'service_role', 'usage'))
  execute function cx_guard_message();

-- A conversation that the service hides takes all that belongs to it out of sight, and brings it back.
create function cx_hide_with_conversation() returns trigger
  language plpgsql
  set search_path = ''
  as $$
  declare
    name text;
  begin
    foreach name in array array['cx_message', 'cx_user_request', 'cx_tool_call'] loop
      execute format(
        'update public.%I set deleted_at = $1 where conversation_id = $2 and deleted_at is not distinct from $3', name)
        using new.deleted_at, new.id, old.deleted_at;
    end loop;
    return null;
  end
  $$;

create trigger cx_conversation_hides
  after update of deleted_at on cx_conversation
  for each row when (old.deleted_at is distinct from new.deleted_at)
  execute function cx_hide_with_conversation();

do $$
declare
  name text;
begin
  foreach name in array array[
    'cx_is_granted(uuid, public.cx_permission_level)',
    'cx_project_allows(uuid, public.cx_permission_level)',
    'cx_has_permission(text, uuid, public.cx_permission_level)',
    'cx_granted_conversations(public.cx_permission_level)',
    'cx_administers(uuid)'
  ] loop
    execute format('revoke all on function public.%s from public', name);
    execute format('grant execute on function public.%s to anon, authenticated, service_role', name);
  end loop;
end
$$;
