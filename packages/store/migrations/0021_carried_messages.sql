-- Messages that wait when a run ends begin another run. The row of the ended run says so until that run has begun: a
-- node that dies between the two leaves it to another.

alter table cx_run add column carry_at timestamptz;

create index cx_run_to_carry on cx_run (carry_at) where carry_at is not null and status = 'closed';

comment on column cx_run.carry_at is 'When any node may begin the run of the messages that waited at its end; until then it is for the node that ended it, or that tries it. Null where nothing is to begin.';
