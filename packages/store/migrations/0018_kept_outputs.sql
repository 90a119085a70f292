-- Whole outputs that are too long for the log, where every node reads them. The node that ran the call has the file; it
-- copies it here before the log says that the call ended. Parts have one size, so that a range is a few of them.

create table cx_kept_output (
  id uuid primary key default gen_random_uuid(),
  run_id uuid not null references cx_run (id) on delete cascade,
  call_id text not null,
  size bigint not null check (size >= 0),
  created_at timestamptz not null default now(),
  constraint cx_kept_output_of_call unique (run_id, call_id)
);
select cx_close_table('cx_kept_output');

create table cx_kept_output_part (
  output_id uuid not null references cx_kept_output (id) on delete cascade,
  part integer not null check (part >= 0),
  body bytea not null,
  primary key (output_id, part)
);
select cx_close_table('cx_kept_output_part');

comment on table cx_kept_output is 'The whole output of a call that was too long for the log, as the file of the node that ran the call has it.';
comment on column cx_kept_output.id is 'Primary key; the ETag of its bytes.';
comment on column cx_kept_output.run_id is 'The run of the call.';
comment on column cx_kept_output.call_id is 'The call.';
comment on column cx_kept_output.size is 'How many bytes it has.';
comment on column cx_kept_output.created_at is 'When it was kept.';

comment on table cx_kept_output_part is 'A part of a whole output. All parts but the last have 262,144 bytes.';
comment on column cx_kept_output_part.output_id is 'Its output.';
comment on column cx_kept_output_part.part is 'Its place; counts from 0.';
comment on column cx_kept_output_part.body is 'The bytes, UTF-8 as the tool wrote them.';
