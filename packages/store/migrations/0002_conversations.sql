-- What people read: conversations, messages, requests and tool calls. Written by the service as a run goes.

create table cx_conversation (
  id uuid primary key default gen_random_uuid(),
  user_id uuid not null default cx_user_id(),
  title text,
  description text,
  keywords text[],
  system_instruction text,
  config jsonb not null default '{}',
  variables jsonb not null default '{}',
  overrides jsonb not null default '{}',
  status text not null default 'active' check (status in ('active', 'completed', 'archived', 'error')),
  is_public boolean not null default false,
  message_count integer not null default 0 check (message_count >= 0),
  last_model_id text,
  forked_from_id uuid references cx_conversation (id) on delete set null,
  forked_at_position integer check (forked_at_position >= 0),
  parent_conversation_id uuid references cx_conversation (id) on delete set null,
  metadata jsonb not null default '{}',
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  deleted_at timestamptz
);
select cx_close_table('cx_conversation');
select cx_bind_to_account('cx_conversation');

create index cx_conversation_of_user on cx_conversation (user_id, updated_at desc);
create index cx_conversation_public on cx_conversation (updated_at desc) where is_public;
create index cx_conversation_oldest on cx_conversation (updated_at);
create index cx_conversation_forks on cx_conversation (forked_from_id) where forked_from_id is not null;
create index cx_conversation_children on cx_conversation (parent_conversation_id)
  where parent_conversation_id is not null;

-- Positions count from 0 and are never handed out twice. The result of a tool is in cx_tool_call.output alone.
create table cx_message (
  id uuid primary key default gen_random_uuid(),
  conversation_id uuid not null references cx_conversation (id) on delete cascade,
  role text not null check (role in ('user', 'assistant', 'system', 'tool', 'output')),
  position integer not null check (position >= 0),
  status text not null default 'active' check (
    status in ('reserved', 'streaming', 'active', 'edited', 'partial', 'failed', 'condensed', 'summary', 'deleted')
  ),
  content jsonb not null default '[]' check (jsonb_typeof(content) = 'array'),
  metadata jsonb not null default '{}',
  created_at timestamptz not null default now(),
  deleted_at timestamptz,
  constraint cx_message_position unique (conversation_id, position),
  constraint cx_message_tool_is_empty check (role <> 'tool' or content = '[]')
);
select cx_close_table('cx_message');

-- One for each request to an agent; its id is the run's id and the X-Request-ID of HTTP.
create table cx_user_request (
  id uuid primary key,
  conversation_id uuid not null references cx_conversation (id) on delete cascade,
  user_id uuid not null,
  status text not null default 'pending' check (status in ('pending', 'completed', 'failed', 'cancelled')),
  iterations integer not null default 0 check (iterations >= 0),
  total_input_tokens bigint not null default 0 check (total_input_tokens >= 0),
  total_output_tokens bigint not null default 0 check (total_output_tokens >= 0),
  total_cached_tokens bigint not null default 0 check (total_cached_tokens >= 0),
  total_tokens bigint not null default 0 check (total_tokens >= 0),
  total_cost numeric check (total_cost >= 0),
  total_tool_calls integer not null default 0 check (total_tool_calls >= 0),
  total_duration_ms bigint not null default 0 check (total_duration_ms >= 0),
  tool_duration_ms bigint not null default 0 check (tool_duration_ms >= 0),
  trigger_message_position integer,
  result_start_position integer,
  result_end_position integer,
  finish_reason text,
  error text,
  created_at timestamptz not null default now(),
  completed_at timestamptz,
  metadata jsonb not null default '{}',
  deleted_at timestamptz,
  constraint cx_user_request_ends check ((status = 'pending') = (completed_at is null))
);
select cx_close_table('cx_user_request');
select cx_bind_to_account('cx_user_request');

create index cx_user_request_of_conversation on cx_user_request (conversation_id, created_at);
create index cx_user_request_of_user on cx_user_request (user_id, created_at);

create table cx_tool_call (
  id uuid primary key default gen_random_uuid(),
  conversation_id uuid not null references cx_conversation (id) on delete cascade,
  message_id uuid references cx_message (id) on delete set null,
  user_id uuid not null,
  request_id uuid references cx_user_request (id) on delete cascade,
  tool_name text not null,
  tool_type text not null default 'local' check (tool_type in ('local', 'external_mcp', 'agent')),
  call_id text not null,
  status text not null default 'pending' check (status in ('pending', 'running', 'completed', 'error')),
  arguments jsonb not null default '{}',
  success boolean,
  output text,
  output_type text not null default 'text' check (output_type in ('text', 'json')),
  is_error boolean not null default false,
  error_type text,
  error_message text,
  duration_ms integer not null default 0 check (duration_ms >= 0),
  started_at timestamptz,
  completed_at timestamptz,
  input_tokens integer check (input_tokens >= 0),
  output_tokens integer check (output_tokens >= 0),
  total_tokens integer check (total_tokens >= 0),
  cost_usd numeric check (cost_usd >= 0),
  iteration integer not null default 0 check (iteration >= 0),
  retry_count integer not null default 0 check (retry_count >= 0),
  execution_events jsonb not null default '[]' check (jsonb_typeof(execution_events) = 'array'),
  parent_call_id uuid references cx_tool_call (id) on delete cascade,
  persist_key text,
  file_path text,
  metadata jsonb not null default '{}',
  created_at timestamptz not null default now(),
  deleted_at timestamptz,
  constraint cx_tool_call_of_request unique (request_id, call_id),
  constraint cx_tool_call_outcome check (
    case status
      when 'completed' then success is true and not is_error and completed_at is not null
      when 'error' then success is false and is_error and completed_at is not null and error_type is not null
      else success is null and not is_error and completed_at is null
    end
  )
);
select cx_close_table('cx_tool_call');
select cx_bind_to_account('cx_tool_call');

create index cx_tool_call_of_conversation on cx_tool_call (conversation_id, created_at);
create index cx_tool_call_of_message on cx_tool_call (message_id);
create index cx_tool_call_of_user on cx_tool_call (user_id, created_at);
create index cx_tool_call_of_parent on cx_tool_call (parent_call_id) where parent_call_id is not null;
create index cx_tool_call_by_call_id on cx_tool_call (call_id);
create index cx_tool_call_by_tool on cx_tool_call (tool_name, created_at);
create index cx_tool_call_failed on cx_tool_call (tool_name, created_at) where is_error;
create index cx_tool_call_by_persist_key on cx_tool_call (persist_key) where persist_key is not null;

create function cx_count_messages() returns trigger
  language plpgsql
  set search_path = ''
  as $$
  begin
    update public.cx_conversation as conversation
    set message_count = conversation.message_count + added.count,
        updated_at = greatest(conversation.updated_at, added.latest)
    from (
      select conversation_id, count(*) as count, max(created_at) as latest
      from added_messages
      group by conversation_id
    ) as added
    where conversation.id = added.conversation_id;
    return null;
  end
  $$;

create trigger cx_message_counted
  after insert on cx_message
  referencing new table as added_messages
  for each statement execute function cx_count_messages();
