-- The events of some runs come from another program: its stream, or its file. Such a run is not closed when the node that
-- wrote it is gone: the source is read again, and whichever node reads it goes on with the run as it stands.

alter table cx_run add column source_until timestamptz;

comment on column cx_run.source_until is 'For a run whose events come from another program: until when it stays open without a writer, for its source to be read again. Null for runs of our own agents.';
