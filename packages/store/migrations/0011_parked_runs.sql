-- A run that only waits for somebody is parked: no node owns it and none looks at it before its answer comes or the
-- first of its questions expires.

alter table cx_run
  add column parked_at timestamptz,
  add column waits_until timestamptz,
  add constraint cx_run_parked_is_free check (parked_at is null or status = 'open' and owner is null),
  add constraint cx_run_waits_while_parked check (waits_until is null or parked_at is not null);

drop index cx_run_open;
create index cx_run_open on cx_run (lease_until) where status = 'open' and parked_at is null;
create index cx_run_due on cx_run (waits_until) where waits_until is not null;
create index cx_run_parked_cancelled on cx_run (id) where parked_at is not null and cancel_requested_at is not null;

comment on column cx_run.parked_at is 'Since when it waits for somebody and no node has it; null while one has.';
comment on column cx_run.waits_until is 'When the first of its questions expires; null where none does.';
