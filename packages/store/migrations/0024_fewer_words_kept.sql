-- Keeping the words of a row costs a mark for the row, not for each of its words, and nothing where a statement wrote no
-- row that has words.
create or replace function cx_keep_words(p_ids uuid[], p_conversation_ids uuid[], p_kind text, p_texts text[]) returns void
  language plpgsql
  set search_path = ''
  as $$
  begin
    if exists (select from unnest(p_texts) as body where coalesce(body, '') = '') then
      delete from public.cx_search as entry
      using unnest(p_ids, p_texts) as source (id, body)
      where entry.source_id = source.id and coalesce(source.body, '') = '';
    end if;
    insert into public.cx_search as entry (source_id, conversation_id, kind, words)
    select source.id, source.conversation_id, p_kind,
      array_to_tsvector(public.cx_conversation_mark(conversation.id) || array(
        select owner.mark || word from unnest(public.cx_words(source.body)) as word
      ))
    from unnest(p_ids, p_conversation_ids, p_texts) as source (id, conversation_id, body)
    join public.cx_conversation as conversation on conversation.id = source.conversation_id
    -- Not a part of the query around it: that would ask for the mark again for every word.
    cross join lateral (select public.cx_owner_mark(conversation.user_id) as mark offset 0) as owner
    where coalesce(source.body, '') <> ''
    on conflict (source_id) do update set words = excluded.words;
  end
  $$;

create or replace function cx_search_messages() returns trigger
  language plpgsql security definer
  set search_path = ''
  as $$
  begin
    perform public.cx_keep_words(array_agg(said.id), array_agg(said.conversation_id), 'message', array_agg(said.body))
    from (
      select message.id, message.conversation_id, case when message.deleted_at is null then (
        select string_agg(part ->> 'text', ' ') from jsonb_array_elements(message.content) as part
        where part ->> 'type' = 'text'
      ) end as body
      from written_messages as message
      where message.content <> '[]'
    ) as said
    having count(*) > 0;
    return null;
  end
  $$;

create or replace function cx_search_calls() returns trigger
  language plpgsql security definer
  set search_path = ''
  as $$
  begin
    perform public.cx_keep_words(array_agg(done.id), array_agg(done.conversation_id), 'call', array_agg(done.body))
    from (
      select call.id, call.conversation_id, case when call.deleted_at is null then concat_ws(' ',
        call.tool_name,
        (
          select string_agg(value #>> '{}', ' ') from jsonb_path_query(call.arguments, 'strict $.**') as value
          where jsonb_typeof(value) in ('string', 'number')
        ),
        call.error_message,
        call.output
      ) end as body
      from written_calls as call
      where call.status in ('completed', 'error')
    ) as done
    having count(*) > 0;
    return null;
  end
  $$;
