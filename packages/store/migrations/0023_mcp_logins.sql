-- The logins of users at MCP servers, and logins that are under way. What is secret of them is sealed before it comes
-- here: whoever reads a row learns at which server somebody is logged in, and nothing that logs in there.

create table cx_mcp_login (
  user_id uuid not null default cx_user_id(),
  server_url text not null check (server_url <> ''),
  sealed text not null,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  primary key (user_id, server_url)
);
select cx_close_table('cx_mcp_login');
select cx_bind_to_account('cx_mcp_login');

-- A login is its user's alone. The server reads and writes it as that user, so that no query has to remember whose it is.
grant select, insert, update, delete on cx_mcp_login to authenticated;
create policy own on cx_mcp_login to authenticated
  using (user_id = (select cx_user_id()))
  with check (user_id = (select cx_user_id()));

-- The answer of a login comes from a browser that cannot say who its user is: the row says it. It is taken once.
create table cx_mcp_login_attempt (
  id uuid primary key,
  user_id uuid not null,
  server_url text not null check (server_url <> ''),
  secret_hash bytea not null check (octet_length(secret_hash) = 32),
  sealed text,
  expires_at timestamptz not null
);
select cx_close_table('cx_mcp_login_attempt');
select cx_bind_to_account('cx_mcp_login_attempt');

create index cx_mcp_login_attempt_expiring on cx_mcp_login_attempt (expires_at);

comment on table cx_mcp_login is 'The login of a user at an MCP server.';
comment on column cx_mcp_login.user_id is 'Whose login it is.';
comment on column cx_mcp_login.server_url is 'The address of the MCP server, without query and fragment.';
comment on column cx_mcp_login.sealed is 'The registered client and its tokens, encrypted and bound to this user and this address.';
comment on column cx_mcp_login.created_at is 'When the user first logged in there.';
comment on column cx_mcp_login.updated_at is 'When its tokens were last renewed.';

comment on table cx_mcp_login_attempt is 'A login at an MCP server that was begun and is not finished. It is taken once, or expires.';
comment on column cx_mcp_login_attempt.id is 'Primary key; the state of the authorization request names it.';
comment on column cx_mcp_login_attempt.user_id is 'Who logs in.';
comment on column cx_mcp_login_attempt.server_url is 'The address of the MCP server.';
comment on column cx_mcp_login_attempt.secret_hash is 'SHA-256 of the secret of the link that opens it.';
comment on column cx_mcp_login_attempt.sealed is 'What the answer is checked against, encrypted: state, code verifier, browser. Null until the user was sent to the server.';
comment on column cx_mcp_login_attempt.expires_at is 'When it ends by itself.';
