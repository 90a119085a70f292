-- Somebody outside is told when a run waits for a person or has ended. The run itself says how far that was told, so that
-- it survives every process, and one node at a time tells of it.

alter table cx_run
  add column is_told boolean not null default false,
  add column told_seq bigint not null default 0,
  add column tell_at timestamptz,
  add column tell_attempts integer not null default 0,
  add constraint cx_run_tells_where_told check (tell_at is null or is_told);

create index cx_run_to_tell on cx_run (tell_at) where tell_at is not null;

comment on column cx_run.is_told is 'Whether somebody outside is told when it waits for a person or has ended.';
comment on column cx_run.told_seq is 'Up to which event that was told.';
comment on column cx_run.tell_at is 'When it is told next: at once, after a failed attempt, or when the node that tells of it now was too slow. Null where nothing is to be told.';
comment on column cx_run.tell_attempts is 'How often it was tried since it last came to wait or ended.';

-- In the statement that parks or closes the run, so that neither is without the other.
create function cx_note_turn() returns trigger
  language plpgsql
  set search_path = ''
  as $$
  begin
    new.tell_at := clock_timestamp();
    new.tell_attempts := 0;
    return new;
  end
  $$;
revoke all on function cx_note_turn() from public, anon, authenticated;

create trigger cx_run_note_turn
  before update of status, parked_at on cx_run
  for each row
  when (
    new.is_told
    and (new.status = 'closed' and old.status <> 'closed' or new.parked_at is not null and old.parked_at is null)
  )
  execute function cx_note_turn();
