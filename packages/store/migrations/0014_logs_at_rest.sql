-- A run under way is kept event by event; a run that has ended is kept without the deltas of its parts. Deltas have a
-- table of their own, so that what they leave behind is a table that empties, and never a hole in the log.

-- No foreign key to cx_run: it would be looked up for every delta. An append has the run's row locked, and a run that
-- is deleted takes its deltas along by a trigger.
create table cx_run_delta (
  run_id uuid not null,
  seq bigint not null check (seq >= 1),
  event json not null,
  primary key (run_id, seq)
);
select cx_close_table('cx_run_delta');
revoke update on cx_run_delta from service_role;
grant select on cx_run_delta to anon, authenticated;
create policy visible on cx_run_delta for select to anon, authenticated
  using (exists (select from cx_run as run where run.id = cx_run_delta.run_id));

alter table cx_run_event
  add column first_delta bigint,
  add column rhythm json,
  add constraint cx_run_event_folds_what_came_before
    check ((first_delta is null) = (rhythm is null) and first_delta >= 1 and first_delta < seq);

comment on table cx_run_delta is 'A delta of a run under way: a piece of a text, of arguments or of an output. Deleted when its run ends; the closing of its part then has the text and its rhythm.';
comment on column cx_run_delta.run_id is 'Its run.';
comment on column cx_run_delta.seq is 'Its place in the log, among those of cx_run_event.';
comment on column cx_run_delta.event is 'The whole event, byte for byte as it was written.';
comment on column cx_run_event.first_delta is 'The place of the first delta that was folded into this closing; null where none was.';
comment on column cx_run_event.rhythm is 'When the folded deltas came and how long they were. With the text of the closing it gives them back.';

-- A batch follows the log without a gap, whichever of the two tables its events are in, nothing follows the end of a
-- run, and no call ends that did not begin. A run that ends comes to rest.
create or replace function cx_check_batch() returns trigger
  language plpgsql
  set search_path = ''
  as $$
  declare
    batch record;
    closing record;
  begin
    for batch in
      select run_id, min(seq) as first, max(seq) as last, count(*) as count,
        bool_or(type = 'run.closed') as ends
      from added_events group by run_id
    loop
      if batch.count <> batch.last - batch.first + 1 and batch.last - batch.first + 1 <>
        (select count(*) from public.cx_run_event where run_id = batch.run_id and seq between batch.first and batch.last)
        + (select count(*) from public.cx_run_delta where run_id = batch.run_id and seq between batch.first and batch.last)
        or batch.first > 1
          and not exists (select from public.cx_run_event where run_id = batch.run_id and seq = batch.first - 1)
          and not exists (select from public.cx_run_delta where run_id = batch.run_id and seq = batch.first - 1)
        or exists (
          select from public.cx_run_event
          where run_id = batch.run_id and type = 'run.closed' and seq < batch.last
        )
      then
        raise exception 'events % to % do not follow the log of run %', batch.first, batch.last, batch.run_id
          using errcode = 'integrity_constraint_violation',
            hint = 'Read the log on from cx_run.last_seq before appending to it.';
      end if;
      if batch.ends then
        delete from public.cx_run_delta where run_id = batch.run_id;
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

-- Deltas of the statement that ends the run were looked at with its end, and are gone by now.
create function cx_check_deltas() returns trigger
  language plpgsql
  set search_path = ''
  as $$
  declare
    batch record;
    ended bigint;
  begin
    for batch in
      select run_id, min(seq) as first, max(seq) as last, count(*) as count from added_deltas group by run_id
    loop
      ended := (select seq from public.cx_run_event where run_id = batch.run_id and type = 'run.closed');
      if ended < batch.last or ended is null and (
        batch.count <> batch.last - batch.first + 1 and batch.last - batch.first + 1 <>
        (select count(*) from public.cx_run_event where run_id = batch.run_id and seq between batch.first and batch.last)
        + (select count(*) from public.cx_run_delta where run_id = batch.run_id and seq between batch.first and batch.last)
        or not exists (select from public.cx_run_event where run_id = batch.run_id and seq = batch.first - 1)
          and not exists (select from public.cx_run_delta where run_id = batch.run_id and seq = batch.first - 1)
      )
      then
        raise exception 'deltas % to % do not follow the log of run %', batch.first, batch.last, batch.run_id
          using errcode = 'integrity_constraint_violation',
            hint = 'Read the log on from cx_run.last_seq before appending to it.';
      end if;
    end loop;
    return null;
  end
  $$;

create trigger cx_run_delta_follows
  after insert on cx_run_delta
  referencing new table as added_deltas
  for each statement execute function cx_check_deltas();

create trigger cx_run_delta_is_append_only
  before update on cx_run_delta
  for each row execute function cx_refuse_rewriting();

create function cx_delete_deltas() returns trigger
  language plpgsql
  set search_path = ''
  as $$
  begin
    delete from public.cx_run_delta where run_id in (select id from deleted_runs);
    return null;
  end
  $$;

create trigger cx_run_takes_its_deltas
  after delete on cx_run
  referencing old table as deleted_runs
  for each statement execute function cx_delete_deltas();
