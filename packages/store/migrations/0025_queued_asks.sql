-- A message may wait in a run that is parked, or whose node dies. How it was asked for waits here, for the node that
-- begins its run. It is for the service alone: it names how its sender is counted, which may be an address.

create table cx_queued_ask (
  conversation_id uuid not null references cx_conversation (id) on delete cascade,
  message_id text not null,
  ask json not null,
  created_at timestamptz not null default now(),
  primary key (conversation_id, message_id)
);
select cx_close_table('cx_queued_ask');

comment on table cx_queued_ask is 'How a message that waits for the end of a run was asked for: agent, variables, overrides, tools of the client.';
comment on column cx_queued_ask.conversation_id is 'The conversation in which it waits.';
comment on column cx_queued_ask.message_id is 'The message, as the log names it.';
comment on column cx_queued_ask.ask is 'How its run begins, as the server wrote it.';
comment on column cx_queued_ask.created_at is 'When it was asked for.';
