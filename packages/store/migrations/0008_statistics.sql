-- What tools and models cost, how long they take and how often they fail. Views of the caller: each counts
-- only what its reader may see. Days are of UTC. A call that has not ended counts as a call and as nothing else.

create view cx_tool_call_timing with (security_invoker = true) as
  select
    call.id,
    call.conversation_id,
    call.user_id,
    call.request_id,
    call.tool_name,
    call.tool_type,
    call.status,
    call.is_error,
    call.error_type,
    (call.created_at at time zone 'utc')::date as day,
    request.metadata ->> 'model' as model,
    call.duration_ms,
    -- From the opening of the call to its end, less its execution: its arguments, its approval, its queue.
    case when call.completed_at is not null then
      greatest(
        0,
        round(extract(epoch from call.completed_at - call.created_at) * 1000) - call.duration_ms
      )::bigint
    end as waiting_ms,
    call.retry_count,
    call.total_tokens,
    call.cost_usd
  from cx_tool_call as call
  left join cx_user_request as request on request.id = call.request_id
  where call.deleted_at is null;

create view cx_tool_statistics with (security_invoker = true) as
  select
    tool_name,
    tool_type,
    day,
    model,
    count(*) as calls,
    count(*) filter (where status = 'completed') as completed,
    count(*) filter (where is_error) as errors,
    count(*) filter (where status in ('pending', 'running')) as unfinished,
    round(
      count(*) filter (where is_error)::numeric
        / nullif(count(*) filter (where status in ('completed', 'error')), 0),
      4
    ) as error_rate,
    avg(duration_ms) filter (where status in ('completed', 'error'))::double precision as mean_duration_ms,
    percentile_cont(0.5) within group (order by duration_ms)
      filter (where status in ('completed', 'error')) as median_duration_ms,
    percentile_cont(0.95) within group (order by duration_ms)
      filter (where status in ('completed', 'error')) as p95_duration_ms,
    max(duration_ms) filter (where status in ('completed', 'error')) as longest_duration_ms,
    avg(waiting_ms)::double precision as mean_waiting_ms,
    sum(retry_count) as retries,
    sum(total_tokens) as total_tokens,
    sum(cost_usd) as cost_usd
  from cx_tool_call_timing
  group by tool_name, tool_type, day, model;

create view cx_tool_error_statistics with (security_invoker = true) as
  select tool_name, error_type, day, model, count(*) as errors
  from cx_tool_call_timing
  where is_error
  group by tool_name, error_type, day, model;

create view cx_request_statistics with (security_invoker = true) as
  select
    metadata ->> 'model' as model,
    (created_at at time zone 'utc')::date as day,
    count(*) as requests,
    count(*) filter (where status = 'completed') as completed,
    count(*) filter (where status = 'failed') as failed,
    count(*) filter (where status = 'cancelled') as cancelled,
    round(
      count(*) filter (where status = 'failed')::numeric / nullif(count(*) filter (where status <> 'pending'), 0),
      4
    ) as error_rate,
    sum(iterations) as iterations,
    sum(total_tool_calls) as tool_calls,
    sum(total_input_tokens) as input_tokens,
    sum(total_output_tokens) as output_tokens,
    sum(total_cached_tokens) as cached_tokens,
    sum(total_tokens) as total_tokens,
    sum(total_cost) as cost_usd,
    avg(total_duration_ms) filter (where status <> 'pending')::double precision as mean_duration_ms,
    percentile_cont(0.95) within group (order by total_duration_ms)
      filter (where status <> 'pending') as p95_duration_ms,
    avg(tool_duration_ms) filter (where status <> 'pending')::double precision as mean_tool_duration_ms
  from cx_user_request
  where deleted_at is null
  group by metadata ->> 'model', (created_at at time zone 'utc')::date;

do $$
declare
  name text;
begin
  foreach name in array array[
    'cx_tool_call_timing', 'cx_tool_statistics', 'cx_tool_error_statistics', 'cx_request_statistics'
  ] loop
    execute format('revoke all on %I from public, anon, authenticated', name);
    execute format('grant select on %I to authenticated, service_role', name);
  end loop;
end
$$;
