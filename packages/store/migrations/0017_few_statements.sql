-- What the service does in one statement each: beginning a run, and writing a batch all of it or nothing.

-- Begins a run under the lock of its conversation, which is made where it is new: of two nodes that begin one in the
-- same conversation at once, one is told that the conversation moved. `p_runs_before` is how many runs it must have.
create function cx_begin_run(
  p_run_id uuid, p_conversation_id uuid, p_user_id uuid, p_model text, p_at timestamptz, p_runs_before bigint,
  p_owner text, p_epoch bigint, p_lease_seconds float8, p_is_resumable boolean, p_is_told boolean
) returns text
  language plpgsql
  set search_path = ''
  as $$
  declare
    is_deleted boolean;
  begin
    insert into public.cx_conversation (id, user_id, last_model_id, created_at, updated_at)
    values (p_conversation_id, p_user_id, p_model, p_at, p_at)
    on conflict (id) do nothing;
    select deleted_at is not null into is_deleted
    from public.cx_conversation where id = p_conversation_id for update;
    if is_deleted is distinct from false then
      return 'unknown';
    end if;
    if (select count(*) from public.cx_run where conversation_id = p_conversation_id) <> p_runs_before then
      return 'moved';
    end if;
    insert into public.cx_run (id, conversation_id, user_id, owner, epoch, lease_until, is_resumable, is_told, created_at)
    values (
      p_run_id, p_conversation_id, p_user_id, p_owner, p_epoch,
      clock_timestamp() + make_interval(secs => p_lease_seconds), p_is_resumable, p_is_told, clock_timestamp()
    )
    on conflict (id) do nothing;
    return case when found then 'begun' else 'taken' end;
  end
  $$;

-- Takes a statement back whose runs may not all move: not the writer's, or not at the place that was expected.
create function cx_require_moved(p_expected bigint, p_moved bigint) returns void
  language plpgsql volatile
  set search_path = ''
  as $$
  begin
    if p_moved <> p_expected then
      raise exception '% of % runs could not move', p_expected - p_moved, p_expected using errcode = 'CX001';
    end if;
  end
  $$;

revoke all on function
  cx_begin_run(uuid, uuid, uuid, text, timestamptz, bigint, text, bigint, float8, boolean, boolean), cx_require_moved(bigint, bigint)
from public, anon, authenticated;
grant execute on function
  cx_begin_run(uuid, uuid, uuid, text, timestamptz, bigint, text, bigint, float8, boolean, boolean), cx_require_moved(bigint, bigint)
to service_role;
