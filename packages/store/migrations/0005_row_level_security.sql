-- Who may see and change what. Every table is closed, also to its owner, and opened by a policy.
-- The conversation's own policy decides for all that belongs to it.

do $$
begin
  if to_regtype('public.permission_level') is null then
    create type public.permission_level as enum ('viewer', 'editor', 'admin');
  end if;
end
$$;

-- A grant to one user. Whether everyone may read is cx_conversation.is_public.
create table cx_permission (
  id uuid primary key default gen_random_uuid(),
  resource_type text not null check (resource_type = 'cx_conversation'),
  resource_id uuid not null references cx_conversation (id) on delete cascade,
  granted_to_user_id uuid not null,
  permission_level permission_level not null default 'viewer',
  granted_by uuid,
  expires_at timestamptz,
  created_at timestamptz not null default now(),
  constraint cx_permission_one_for_each_user unique (granted_to_user_id, resource_type, resource_id)
);

create index cx_permission_of_resource on cx_permission (resource_id, resource_type);

-- Whether a grant to the caller, or the public, reaches the level. Owning is no grant.
create function has_permission(
  p_resource_type text, p_resource_id uuid, p_required_permission public.permission_level
) returns boolean
  language sql stable security definer
  set search_path = ''
  as $$
    select exists (
      select from public.cx_permission as permission
      where permission.granted_to_user_id = auth.uid()
        and permission.resource_type = p_resource_type
        and permission.resource_id = p_resource_id
        and permission.permission_level >= p_required_permission
        and (permission.expires_at is null or permission.expires_at > now())
    ) or (p_resource_type = 'cx_conversation' and p_required_permission = 'viewer' and exists (
      select from public.cx_conversation as conversation
      where conversation.id = p_resource_id and conversation.is_public
    ))
  $$;

-- Whether the caller may do everything with a conversation: its owner, or an admin of it.
create function cx_administers(p_conversation_id uuid) returns boolean
  language sql stable security definer
  set search_path = ''
  as $$
    select exists (
      select from public.cx_conversation as conversation
      where conversation.id = p_conversation_id and conversation.user_id = auth.uid()
    ) or public.has_permission('cx_conversation', p_conversation_id, 'admin')
  $$;

-- The grants of a level for a whole query at once: a policy that asks row by row would cost each row a query.
create function cx_granted_conversations(p_required_permission public.permission_level) returns uuid[]
  language sql stable security definer
  set search_path = ''
  as $$
    select coalesce(array_agg(permission.resource_id), '{}')
    from public.cx_permission as permission
    where permission.granted_to_user_id = auth.uid()
      and permission.resource_type = 'cx_conversation'
      and permission.permission_level >= p_required_permission
      and (permission.expires_at is null or permission.expires_at > now())
  $$;

do $$
declare
  name text;
begin
  foreach name in array array[
    'cx_conversation', 'cx_message', 'cx_user_request', 'cx_tool_call', 'cx_run', 'cx_run_event', 'cx_output',
    'cx_agent_memory', 'cx_permission', 'cx_migration'
  ] loop
    execute format('alter table %I enable row level security', name);
    execute format('alter table %I force row level security', name);
    execute format('revoke all on %I from public, anon, authenticated', name);
    execute format('grant select, insert, update, delete on %I to service_role', name);
    execute format('create policy service_writes on %I to service_role using (true) with check (true)', name);
  end loop;
end
$$;

revoke update on cx_run_event from service_role;

grant select on
  cx_conversation, cx_message, cx_user_request, cx_tool_call, cx_run, cx_run_event, cx_output
  to anon, authenticated;

-- Conversations: the owner, whom they are shared with, and everyone where they are public.
create policy visible on cx_conversation for select to anon, authenticated
  using (
    user_id = (select auth.uid())
    or is_public
    or id = any ((select cx_granted_conversations('viewer'))::uuid[])
  );
create policy owner_creates on cx_conversation for insert to authenticated
  with check (user_id = (select auth.uid()));
create policy editor_changes on cx_conversation for update to authenticated
  using (
    user_id = (select auth.uid())
    or id = any ((select cx_granted_conversations('editor'))::uuid[])
  );
create policy admin_deletes on cx_conversation for delete to authenticated
  using (
    user_id = (select auth.uid())
    or id = any ((select cx_granted_conversations('admin'))::uuid[])
  );

-- What belongs to a conversation: seen by whoever sees it.
create policy visible on cx_message for select to anon, authenticated
  using (conversation_id in (select id from cx_conversation));
create policy visible on cx_user_request for select to anon, authenticated
  using (conversation_id in (select id from cx_conversation));
create policy visible on cx_tool_call for select to anon, authenticated
  using (conversation_id in (select id from cx_conversation));
create policy visible on cx_run for select to anon, authenticated
  using (conversation_id in (select id from cx_conversation));
create policy visible on cx_run_event for select to anon, authenticated
  using (run_id in (select id from cx_run));
create policy visible on cx_output for select to anon, authenticated
  using (run_id in (select id from cx_run));

-- Messages are written by the service; an editor may annotate one or take it out of sight.
create policy editor_changes on cx_message for update to authenticated
  using (conversation_id in (
    select id from cx_conversation as conversation
    where conversation.user_id = (select auth.uid())
      or conversation.id = any ((select cx_granted_conversations('editor'))::uuid[])
  ));

-- Memory is its user's alone.
create policy own on cx_agent_memory to authenticated
  using (user_id = (select auth.uid()))
  with check (user_id = (select auth.uid()));

-- Grants are made by functions; one may read those to oneself that hold.
create policy own on cx_permission for select to authenticated
  using (granted_to_user_id = (select auth.uid()) and (expires_at is null or expires_at > now()));

-- What may be changed at all. Never whose a conversation is, nor who sees it: that is for the functions.
grant insert (id, user_id, title, description, keywords, system_instruction, config, variables, overrides, status, metadata)
  on cx_conversation to authenticated;
grant update (title, description, keywords, system_instruction, config, variables, overrides, status, metadata, deleted_at)
  on cx_conversation to authenticated;
grant delete on cx_conversation to authenticated;
grant update (metadata, deleted_at) on cx_message to authenticated;
grant select, insert, update, delete on cx_agent_memory to authenticated;
grant select on cx_permission to authenticated;

-- The same once more for whoever was granted more than that: a policy sees rows, not columns.
-- Changing a conversation takes an editor; taking it away, or back, takes its owner or an admin.
create function cx_guard_conversation() returns trigger
  language plpgsql
  set search_path = ''
  as $$
  begin
    if (new.id, new.user_id, new.is_public, new.message_count, new.created_at)
      is distinct from (old.id, old.user_id, old.is_public, old.message_count, old.created_at)
    then
      raise exception 'whose a conversation is and who sees it is not changed by hand'
        using errcode = 'insufficient_privilege', hint = 'Use cx_share_conversation or cx_publish_conversation.';
    end if;
    if new.deleted_at is distinct from old.deleted_at and not public.cx_administers(old.id) then
      raise exception 'only the owner or an admin of a conversation may delete or restore it'
        using errcode = 'insufficient_privilege', hint = 'Ask its owner for the level admin.';
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
    if to_jsonb(new) - array['metadata', 'deleted_at'] <> to_jsonb(old) - array['metadata', 'deleted_at'] then
      raise exception 'what was said is not changed'
        using errcode = 'insufficient_privilege', hint = 'A message takes metadata, and deleted_at to hide it.';
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

revoke all on function
  has_permission(text, uuid, permission_level), cx_granted_conversations(permission_level), cx_administers(uuid)
  from public;
grant execute on function
  has_permission(text, uuid, permission_level), cx_granted_conversations(permission_level), cx_administers(uuid)
  to anon, authenticated, service_role;
