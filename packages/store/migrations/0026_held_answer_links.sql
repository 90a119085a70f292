-- Between the look at a link and the answer by it some time passes. The link is held meanwhile, so that nobody is told
-- that it is revoked and sees it answer afterwards. A node that dies holds it no longer than half a minute.

alter table cx_answer_link add column held_until timestamptz;

comment on column cx_answer_link.held_until is 'Until when somebody answers by it at this moment: it is not revoked before. Null where nobody does.';

create or replace function cx_revoke_answer_link(p_run_id uuid, p_link_id uuid) returns boolean
  language plpgsql security definer
  set search_path = ''
  as $$
  begin
    perform public.cx_require_steering(p_run_id);
    update public.cx_answer_link set revoked_at = now()
    where id = p_link_id and run_id = p_run_id and revoked_at is null and used_at is null
      and (held_until is null or held_until <= clock_timestamp());
    return found;
  end
  $$;
