/** The older shape as it was found: columns that came and went, and hardly a constraint. */
export const olderSchema = `
create type permission_level as enum ('viewer', 'editor', 'admin');
create table permissions (
  id uuid primary key,
  resource_type text,
  resource_id uuid,
  granted_to_user_id uuid,
  granted_to_organization_id uuid,
  is_public boolean,
  permission_level permission_level
);
create function has_permission(p_resource_type text, p_resource_id uuid, p_required_permission permission_level)
  returns boolean language sql as 'select true';
create table cx_conversation (
  id uuid primary key,
  user_id uuid,
  title text,
  config jsonb default '{}',
  status text default 'active',
  message_count smallint default 0,
  forked_from_id uuid,
  forked_at_position smallint,
  ai_model_id uuid,
  organization_id uuid,
  metadata jsonb default '{}',
  created_at timestamptz default '2026-01-01T00:00:00Z',
  deleted_at timestamptz
);
create table cx_message (
  id uuid primary key,
  conversation_id uuid,
  role text,
  position smallint,
  status text default 'active',
  content jsonb,
  metadata jsonb default '{}',
  created_at timestamptz,
  deleted_at timestamptz
);
create table cx_user_request (
  id uuid primary key,
  conversation_id uuid,
  user_id uuid,
  status text,
  trigger_message_position smallint,
  result_end_position smallint,
  created_at timestamptz default '2026-01-01T00:00:00Z',
  completed_at timestamptz
);
create table cx_tool_call (
  id uuid primary key,
  conversation_id uuid,
  message_id uuid,
  user_id uuid,
  organization_id uuid,
  call_id text,
  tool_name text,
  tool_type text,
  status text,
  arguments jsonb default '{}',
  success boolean,
  output text,
  created_at timestamptz default '2026-01-01T00:00:00Z'
);
create table cx_agent_memory (
  id uuid primary key,
  user_id uuid,
  memory_type text,
  scope text,
  scope_id uuid,
  key text,
  content text,
  created_at timestamptz default '2026-01-01T00:00:00Z'
);
create policy open on cx_conversation using (has_permission('cx_conversation', id, 'viewer'));
`;
