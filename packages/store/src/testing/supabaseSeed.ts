/** A conversation with two parallel calls, written through supabase-js with the secret key. */
import { randomUUID } from "node:crypto";
import type { SupabaseClient } from "@supabase/supabase-js";

export interface SeededConversation {
  readonly conversationId: string;
}

export async function seedConversation(
  service: SupabaseClient,
  userId: string,
): Promise<SeededConversation> {
  const conversationId = randomUUID();
  const requestId = randomUUID();
  const toolMessages = [randomUUID(), randomUUID()];
  const parentCall = randomUUID();
  const insert = async (table: string, rows: readonly object[]): Promise<void> => {
    const { error } = await service.from(table).insert(rows);
    if (error) throw new Error(`${table}: ${error.message}`);
  };
  const of = { conversation_id: conversationId };
  await insert("cx_conversation", [{ id: conversationId, user_id: userId, title: "The news" }]);
  await insert("cx_message", [
    { ...of, ...said("user", 0), content: [{ type: "text", text: "Get me the news" }] },
    {
      ...of,
      ...said("assistant", 1),
      content: [
        { type: "tool_call", id: "call_a", name: "get_news_headlines", arguments: { n: 3 } },
        { type: "tool_call", id: "call_b", name: "web_search", arguments: {} },
      ],
    },
    { ...of, ...said("tool", 2), id: toolMessages[0], content: [] },
    { ...of, ...said("tool", 3), id: toolMessages[1], content: [] },
  ]);
  await insert("cx_user_request", [
    {
      ...of,
      id: requestId,
      user_id: userId,
      status: "completed",
      completed_at: "2026-03-01T12:00:09Z",
      metadata: { model: "rehearsal" },
    },
  ]);
  const call = {
    ...of,
    user_id: userId,
    request_id: requestId,
    status: "completed",
    success: true,
    completed_at: "2026-03-01T12:00:05Z",
  };
  await insert("cx_tool_call", [
    {
      ...call,
      id: parentCall,
      message_id: toolMessages[0],
      tool_name: "get_news_headlines",
      call_id: "call_a",
      output: "headlines",
      created_at: "2026-03-01T12:00:01Z",
      parent_call_id: null,
    },
    {
      ...call,
      id: randomUUID(),
      message_id: toolMessages[1],
      tool_name: "web_search",
      call_id: "call_b",
      output: "results",
      created_at: "2026-03-01T12:00:02Z",
      parent_call_id: parentCall,
    },
  ]);
  return { conversationId };
}

function said(role: string, position: number) {
  return { id: randomUUID(), role, position };
}
