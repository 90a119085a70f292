/** What other users have: conversations with a message, a request, a run and a call, all with the same word. */
export interface Crowd {
  readonly isPublic: boolean;
  readonly conversations: number;
}

/** A script. The planner knows about the rows afterwards. */
export function crowdScript({ isPublic, conversations }: Crowd): string {
  return `
    alter table cx_conversation disable trigger user;
    alter table cx_message disable trigger user;
    with made as (
      insert into cx_conversation (user_id, title, is_public)
      select md5('user' || number % 100)::uuid, 'headlines', ${isPublic}
      from generate_series(1, ${conversations}) as number
      returning id, user_id
    ), said as (
      insert into cx_message (conversation_id, role, position, content)
      select id, 'user', 0, '[{"type":"text","text":"headlines"}]' from made
    ), requested as (
      insert into cx_user_request (id, conversation_id, user_id) select id, id, user_id from made
    ), ran as (
      insert into cx_run (id, conversation_id, user_id) select id, id, user_id from made
    ), called as (
      insert into cx_tool_call (conversation_id, user_id, request_id, tool_name, call_id)
      select id, user_id, id, 'shell', 'call_1' from made
    )
    insert into cx_search (source_id, conversation_id, kind, words)
    select id, id, 'conversation', array_to_tsvector(array[cx_conversation_mark(id), cx_owner_mark(user_id) || 'headlines'])
    from made;
    alter table cx_conversation enable trigger user;
    alter table cx_message enable trigger user;
    analyze;
  `;
}
