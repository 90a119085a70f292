-- The log: the truth that every other table is a projection of. One writer for each run, by lease.

-- `epoch` grows with every claim; an append names the epoch it was claimed with, so that an owner who slept
-- through its lease writes nothing more. `last_seq` is handed out under this row's lock.
create table cx_run (
  id uuid primary key references cx_user_request (id) on delete cascade deferrable initially deferred,
  conversation_id uuid not null references cx_conversation (id) on delete cascade,
  user_id uuid not null,
  owner text,
  epoch bigint not null default 0 check (epoch >= 0),
  lease_until timestamptz,
  last_seq bigint not null default 0 check (last_seq >= 0),
  stored_bytes bigint not null default 0 check (stored_bytes >= 0),
  status text not null default 'open' check (status in ('open', 'closed')),
  is_resumable boolean not null default false,
  cancel_requested_at timestamptz,
  created_at timestamptz not null default now(),
  closed_at timestamptz,
  constraint cx_run_lease check ((owner is null) = (lease_until is null)),
  constraint cx_run_ends check ((status = 'closed') = (closed_at is not null)),
  constraint cx_run_closed_is_free check (status = 'open' or owner is null)
);
select cx_close_table('cx_run');

create index cx_run_of_conversation on cx_run (conversation_id, created_at);
create index cx_run_of_user on cx_run (user_id, created_at);
create index cx_run_open on cx_run (lease_until) where status = 'open';

-- `event` is json, not jsonb: its bytes come back as they went in, with the order of keys and escaped U+0000.
create table cx_run_event (
  run_id uuid not null references cx_run (id) on delete cascade,
  seq bigint not null check (seq >= 1),
  at timestamptz not null,
  type text not null,
  call_id text,
  event json not null,
  primary key (run_id, seq),
  constraint cx_run_event_names_its_call check ((type like 'call.%') = (call_id is not null))
);
select cx_close_table('cx_run_event');
revoke update on cx_run_event from service_role;

create unique index cx_run_event_one_start on cx_run_event (run_id) where type = 'run.started';
create unique index cx_run_event_one_end on cx_run_event (run_id) where type = 'run.closed';
create unique index cx_run_event_one_opening on cx_run_event (run_id, call_id) where type = 'call.opened';
create unique index cx_run_event_one_closing on cx_run_event (run_id, call_id) where type = 'call.closed';

-- A batch follows the log without a gap, nothing follows the end of a run, and no call ends that did not begin.
-- Loops, because each question must be one look into an index, whatever the planner believes of the whole table.
create function cx_check_batch() returns trigger
  language plpgsql
  set search_path = ''
  as $$
  declare
    batch record;
    closing record;
  begin
    for batch in
      select run_id, min(seq) as first, max(seq) as last, count(*) as count from added_events group by run_id
    loop
      if batch.count <> batch.last - batch.first + 1
        or batch.first > 1 and not exists (
          select from public.cx_run_event where run_id = batch.run_id and seq = batch.first - 1
        )
        or exists (
          select from public.cx_run_event
          where run_id = batch.run_id and type = 'run.closed' and seq < batch.last
        )
      then
        raise exception 'events % to % do not follow the log of run %', batch.first, batch.last, batch.run_id
          using errcode = 'integrity_constraint_violation',
            hint = 'Read the log on from cx_run.last_seq before appending to it.';
      end if;
    end loop;
    for closing in
      select run_id, call_id, seq from added_events where type = 'call.closed'
    loop
      if not exists (
        select from public.cx_run_event
        where run_id = closing.run_id and call_id = closing.call_id and type = 'call.opened' and seq < closing.seq
      ) then
        raise exception 'call % of run % ends without having begun', closing.call_id, closing.run_id
          using errcode = 'integrity_constraint_violation',
            hint = 'Append its call.opened before its call.closed.';
      end if;
    end loop;
    return null;
  end
  $$;

create trigger cx_run_event_follows
  after insert on cx_run_event
  referencing new table as added_events
  for each statement execute function cx_check_batch();

-- The whole of an output whose row holds only its head and tail, under the call's persist_key. It is read from the
-- log, which has it already. U+0000 and half surrogates, which text cannot hold, are U+FFFD here.
create view cx_output with (security_invoker = true) as
  select
    call.persist_key,
    closing.run_id,
    closing.call_id,
    regexp_replace(closing.event::text, '(?<!\\)((?:\\\\)*)\\u(?:0000|d[89a-f][0-9a-f]{2})', '\1\\ufffd', 'g')::json ->> 'output' as body,
    closing.at as created_at
  from cx_tool_call as call
  join cx_run_event as closing
    on closing.run_id = call.request_id and closing.call_id = call.call_id and closing.type = 'call.closed'
  where call.persist_key = call.request_id::text || '/' || call.call_id and call.deleted_at is null;

create function cx_refuse_rewriting() returns trigger
  language plpgsql
  set search_path = ''
  as $$
  begin
    raise exception 'the log of run % is append-only', old.run_id
      using errcode = 'integrity_constraint_violation', hint = 'Append an event that says what changed.';
  end
  $$;

create trigger cx_run_event_is_append_only
  before update on cx_run_event
  for each row execute function cx_refuse_rewriting();
