-- What an agent remembers for its user: for an hour, a week or for good.

create table cx_agent_memory (
  id uuid primary key default gen_random_uuid(),
  user_id uuid not null default cx_user_id(),
  memory_type text not null default 'long' check (memory_type in ('short', 'medium', 'long')),
  scope text not null default 'user' check (scope in ('user', 'project', 'organization')),
  scope_id uuid,
  key text not null check (key <> ''),
  content text not null,
  importance real not null default 0.5 check (importance between 0 and 1),
  access_count integer not null default 0 check (access_count >= 0),
  last_accessed_at timestamptz,
  expires_at timestamptz,
  metadata jsonb not null default '{}',
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  deleted_at timestamptz,
  constraint cx_agent_memory_key unique nulls not distinct (user_id, scope, scope_id, key),
  constraint cx_agent_memory_scope check ((scope = 'user') = (scope_id is null))
);
select cx_close_table('cx_agent_memory');
select cx_bind_to_account('cx_agent_memory');

create index cx_agent_memory_expiring on cx_agent_memory (expires_at) where expires_at is not null;
