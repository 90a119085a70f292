-- Words to search by: of titles, messages, arguments, outputs and errors. One entry for each row that has any, kept
-- by triggers in the transaction that writes the row. Each word carries a mark of the conversation's owner, and each
-- entry a mark of its conversation. So one index finds the beginning of a word among one user's rows, and what that
-- costs does not depend on what others have. Two owners may share a mark; policies keep their rows apart.

create function cx_owner_mark(p_user_id uuid) returns text
  language sql immutable parallel safe
  set search_path = ''
  as $$ select left(md5(p_user_id::text), 8) || ':' $$;

create function cx_conversation_mark(p_conversation_id uuid) returns text
  language sql immutable parallel safe
  set search_path = ''
  as $$ select 'c' || replace(p_conversation_id::text, '-', '') $$;

-- Punctuation separates words, so that a part of a path or of a name is found too.
create function cx_words(p_text text) returns text[]
  language sql immutable parallel safe
  set search_path = ''
  as $$
    select tsvector_to_array(to_tsvector('pg_catalog.simple', translate(
      left(p_text, 100000), '!"#$%&''()*+,-./:;<=>?@[\]^_`{|}~', repeat(' ', 32)
    )))
  $$;

-- All of the words of a text, each as the beginning of a word. Null where the text has no word.
create function cx_word_query(p_text text, p_mark text) returns text
  language sql immutable parallel safe
  set search_path = ''
  as $$
    select string_agg(quote_literal(p_mark || word) || ':*', ' & ') from unnest(public.cx_words(p_text)) as word
  $$;

create table cx_search (
  source_id uuid primary key,
  conversation_id uuid not null references cx_conversation (id) on delete cascade,
  kind text not null check (kind in ('conversation', 'message', 'call')),
  words tsvector not null
);
select cx_close_table('cx_search');

create index cx_search_words on cx_search using gin (words);
create index cx_search_of_conversation on cx_search (conversation_id);

grant select on cx_search to anon, authenticated;
create policy visible on cx_search for select to anon, authenticated
  using (exists (select from cx_conversation as conversation where conversation.id = cx_search.conversation_id));

-- Writes the entries of rows: (source_id, conversation_id, kind, text). A row without words has none.
create function cx_keep_words(p_ids uuid[], p_conversation_ids uuid[], p_kind text, p_texts text[]) returns void
  language plpgsql
  set search_path = ''
  as $$
  begin
    delete from public.cx_search as entry
    using unnest(p_ids, p_texts) as source (id, body)
    where entry.source_id = source.id and coalesce(source.body, '') = '';
    insert into public.cx_search as entry (source_id, conversation_id, kind, words)
    select source.id, source.conversation_id, p_kind,
      array_to_tsvector(public.cx_conversation_mark(conversation.id) || array(
        select public.cx_owner_mark(conversation.user_id) || word from unnest(public.cx_words(source.body)) as word
      ))
    from unnest(p_ids, p_conversation_ids, p_texts) as source (id, conversation_id, body)
    join public.cx_conversation as conversation on conversation.id = source.conversation_id
    where coalesce(source.body, '') <> ''
    on conflict (source_id) do update set words = excluded.words;
  end
  $$;

create function cx_search_conversation() returns trigger
  language plpgsql security definer
  set search_path = ''
  as $$
  begin
    perform public.cx_keep_words(
      array[new.id], array[new.id], 'conversation',
      array[concat_ws(' ', new.title, new.description, array_to_string(new.keywords, ' '))]
    );
    if tg_op = 'UPDATE' and old.user_id <> new.user_id then
      update public.cx_search
      set words = array_to_tsvector(array(
        select regexp_replace(word, '^' || public.cx_owner_mark(old.user_id), public.cx_owner_mark(new.user_id))
        from unnest(tsvector_to_array(words)) as word
      ))
      where conversation_id = new.id;
    end if;
    return null;
  end
  $$;

create function cx_search_messages() returns trigger
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
    ) as said;
    return null;
  end
  $$;

-- A call is found by the strings and numbers of its arguments, never by their names, once it has ended.
create function cx_search_calls() returns trigger
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
    ) as done;
    return null;
  end
  $$;

create trigger cx_conversation_searched_new
  after insert on cx_conversation for each row execute function cx_search_conversation();
create trigger cx_conversation_searched_changed
  after update of title, description, keywords, user_id on cx_conversation
  for each row execute function cx_search_conversation();
create trigger cx_message_searched_new
  after insert on cx_message referencing new table as written_messages
  for each statement execute function cx_search_messages();
create trigger cx_message_searched_changed
  after update on cx_message referencing new table as written_messages
  for each statement execute function cx_search_messages();
create trigger cx_tool_call_searched_new
  after insert on cx_tool_call referencing new table as written_calls
  for each statement execute function cx_search_calls();
create trigger cx_tool_call_searched_changed
  after update on cx_tool_call referencing new table as written_calls
  for each statement execute function cx_search_calls();

-- The conversations of the caller, and those shared with them, that have a row with all of the words. It runs with its
-- owner's rights and asks for the caller's itself: under row-level security PostgreSQL would check every entry before it
-- looks at its words, and could not use the index.
create function cx_search_conversations(p_query text) returns setof uuid
  language sql stable security definer
  set search_path = ''
  as $$
    select distinct entry.conversation_id
    from public.cx_search as entry
    join public.cx_conversation as conversation on conversation.id = entry.conversation_id
    where conversation.deleted_at is null
      and (
        conversation.user_id = public.cx_user_id()
        or conversation.id = any (public.cx_granted_conversations('viewer'))
      )
      and entry.words @@ (
        select string_agg('(' || query || ')', ' | ')::tsquery
        from (
          select public.cx_word_query(p_query, public.cx_owner_mark(public.cx_user_id())) as query
          union all
          select public.cx_word_query(p_query, public.cx_owner_mark(granted.user_id))
            || ' & ' || public.cx_conversation_mark(granted.id)
          from public.cx_conversation as granted
          where granted.id = any (public.cx_granted_conversations('viewer'))
        ) as queries
      )
  $$;

do $$
declare
  name text;
begin
  foreach name in array array[
    'cx_owner_mark(uuid)', 'cx_conversation_mark(uuid)', 'cx_words(text)', 'cx_word_query(text, text)',
    'cx_search_conversations(text)'
  ] loop
    execute format('revoke all on function public.%s from public, anon', name);
    execute format('grant execute on function public.%s to authenticated, service_role', name);
  end loop;
  foreach name in array array[
    'cx_keep_words(uuid[], uuid[], text, text[])', 'cx_search_conversation()', 'cx_search_messages()',
    'cx_search_calls()'
  ] loop
    execute format('revoke all on function public.%s from public, anon, authenticated', name);
    execute format('grant execute on function public.%s to service_role', name);
  end loop;
end
$$;
