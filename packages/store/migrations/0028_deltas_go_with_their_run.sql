-- A user who deletes a conversation deletes its runs by a foreign key. Up to PostgreSQL 17 the trigger that then deletes
-- their deltas runs as that user, who may not write to the log; from 18 on as the owner of the tables.
alter function cx_delete_deltas() security definer;
revoke all on function cx_delete_deltas() from public, anon, authenticated;
