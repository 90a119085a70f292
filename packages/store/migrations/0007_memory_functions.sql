-- Remembering, recalling and forgetting. They run as the caller, so that the policy of the table decides. Their
-- bodies are bound when they are created.

-- Stores a memory or replaces the one of that key. Short memories last an hour, medium ones a week.
create function cx_remember(
  p_key text,
  p_content text,
  p_memory_type text default 'long',
  p_scope text default 'user',
  p_scope_id uuid default null,
  p_importance real default 0.5,
  p_metadata jsonb default '{}'
) returns uuid
  language sql
  set search_path = ''
  begin atomic
    insert into public.cx_agent_memory as memory
      (memory_type, scope, scope_id, key, content, importance, expires_at, metadata)
    values (
      p_memory_type, p_scope, p_scope_id, p_key, p_content, p_importance,
      case p_memory_type
        when 'short' then now() + interval '1 hour'
        when 'medium' then now() + interval '7 days'
      end,
      p_metadata
    )
    on conflict on constraint cx_agent_memory_key do update
    set memory_type = excluded.memory_type,
        content = excluded.content,
        importance = excluded.importance,
        expires_at = excluded.expires_at,
        metadata = excluded.metadata,
        updated_at = now(),
        deleted_at = null
    returning memory.id;
  end;

-- The living memory of a key, counted as used.
create function cx_recall(p_key text, p_scope text default 'user', p_scope_id uuid default null)
  returns setof public.cx_agent_memory
  language sql
  set search_path = ''
  begin atomic
    update public.cx_agent_memory
    set access_count = access_count + 1, last_accessed_at = now()
    where user_id = public.cx_user_id()
      and scope = p_scope
      and scope_id is not distinct from p_scope_id
      and key = p_key
      and deleted_at is null
      and (expires_at is null or expires_at > now())
    returning *;
  end;

-- Living memories with all the words in their key or content, the most important first.
create function cx_search_memories(p_query text, p_limit integer default 20)
  returns setof public.cx_agent_memory
  language sql stable
  set search_path = ''
  begin atomic
    select memory.*
    from public.cx_agent_memory as memory
    where memory.user_id = public.cx_user_id()
      and memory.deleted_at is null
      and (memory.expires_at is null or memory.expires_at > now())
      and not exists (
        select from regexp_split_to_table(lower(p_query), '\s+') as word
        where position(word in lower(memory.key || ' ' || memory.content)) = 0
      )
    order by memory.importance desc, memory.updated_at desc
    limit p_limit;
  end;

-- Says whether there was such a memory.
create function cx_forget(p_key text, p_scope text default 'user', p_scope_id uuid default null) returns boolean
  language sql
  set search_path = ''
  begin atomic
    with forgotten as (
      update public.cx_agent_memory
      set deleted_at = now()
      where user_id = public.cx_user_id()
        and scope = p_scope
        and scope_id is not distinct from p_scope_id
        and key = p_key
        and deleted_at is null
        and (expires_at is null or expires_at > now())
      returning id
    )
    select exists (select from forgotten);
  end;

-- For the service: memories whose time is up leave for good.
create function cx_sweep_memories() returns integer
  language plpgsql
  set search_path = ''
  as $$
  declare
    swept integer;
  begin
    delete from public.cx_agent_memory where expires_at <= now();
    get diagnostics swept = row_count;
    return swept;
  end
  $$;

do $$
declare
  name text;
begin
  foreach name in array array[
    'cx_remember(text, text, text, text, uuid, real, jsonb)',
    'cx_recall(text, text, uuid)',
    'cx_search_memories(text, integer)',
    'cx_forget(text, text, uuid)'
  ] loop
    execute format('revoke all on function public.%s from public, anon', name);
    execute format('grant execute on function public.%s to authenticated, service_role', name);
  end loop;
  revoke all on function public.cx_sweep_memories() from public, anon, authenticated;
  grant execute on function public.cx_sweep_memories() to service_role;
end
$$;
