/** A user with one row in every table that users have rows in, and a run that has ended. */
import { randomUUID } from "node:crypto";
import type { SqlSession } from "../migrations/sqlSession.js";

export interface Tenant {
  readonly userId: string;
  readonly conversationId: string;
  readonly messageId: string;
  readonly toolMessageId: string;
  readonly runId: string;
  readonly callRowId: string;
  readonly memoryId: string;
  readonly outputId: string;
}

export async function seedTenant(
  session: SqlSession,
  userId: string = randomUUID(),
): Promise<Tenant> {
  const tenant: Tenant = {
    userId,
    conversationId: randomUUID(),
    messageId: randomUUID(),
    toolMessageId: randomUUID(),
    runId: randomUUID(),
    callRowId: randomUUID(),
    memoryId: randomUUID(),
    outputId: randomUUID(),
  };
  const { conversationId, messageId, toolMessageId, runId, callRowId, memoryId, outputId } = tenant;
  const call = JSON.stringify([
    { type: "tool_call", id: "call_1", name: "get_news_headlines", arguments: {} },
  ]);
  await session.query(
    "insert into cx_conversation (id, user_id, title) values ($1, $2, 'The news')",
    [conversationId, userId],
  );
  await session.query(
    `insert into cx_message (id, conversation_id, role, position, content)
     values ($1, $3, 'assistant', 0, $4), ($2, $3, 'tool', 1, '[]')`,
    [messageId, toolMessageId, conversationId, call],
  );
  await session.query(
    "insert into cx_user_request (id, conversation_id, user_id, status, completed_at) values ($1, $2, $3, 'completed', now())",
    [runId, conversationId, userId],
  );
  await session.query(
    `insert into cx_tool_call
       (id, conversation_id, message_id, user_id, request_id, tool_name, call_id, status, success, output, persist_key, completed_at)
     values ($1, $2, $3, $4, $5, 'get_news_headlines', 'call_1', 'completed', true, 'headlines', $6, now())`,
    [callRowId, conversationId, toolMessageId, userId, runId, `${runId}/call_1`],
  );
  await session.query(
    `insert into cx_run (id, conversation_id, user_id, last_seq, status, closed_at)
     values ($1, $2, $3, 4, 'closed', now())`,
    [runId, conversationId, userId],
  );
  await session.query(
    `insert into cx_run_event (run_id, seq, at, type, call_id, event)
     values ($1, 1, now(), 'run.started', null, '{"type":"run.started"}'),
       ($1, 2, now(), 'call.opened', 'call_1', '{"type":"call.opened"}'),
       ($1, 3, now(), 'call.closed', 'call_1', '{"type":"call.closed","output":"all of it"}'),
       ($1, 4, now(), 'run.closed', null, '{"type":"run.closed"}')`,
    [runId],
  );
  // A run that has ended has no delta. Rights must not depend on that.
  await session.query("alter table cx_run_delta disable trigger cx_run_delta_follows");
  await session.query(
    `insert into cx_run_delta (run_id, seq, event) values ($1, 9, '{"type":"text.delta"}')`,
    [runId],
  );
  await session.query("alter table cx_run_delta enable trigger cx_run_delta_follows");
  await session.query(
    "insert into cx_kept_output (id, run_id, call_id, size) values ($1, $2, 'call_1', 3)",
    [outputId, runId],
  );
  await session.query(
    "insert into cx_kept_output_part (output_id, part, body) values ($1, 0, 'all')",
    [outputId],
  );
  await session.query(
    `insert into cx_queued_ask (conversation_id, message_id, ask) values ($1, 'waits', '{"a":1}')`,
    [conversationId],
  );
  await session.query(
    "insert into cx_agent_memory (id, user_id, key, content) values ($1, $2, 'colour', 'blue')",
    [memoryId, userId],
  );
  await session.query(
    "insert into cx_mcp_login (user_id, server_url, sealed) values ($1, 'https://tickets.example', 'x')",
    [userId],
  );
  await session.query(
    `insert into cx_mcp_login_attempt (id, user_id, server_url, secret_hash, sealed, expires_at)
     values (gen_random_uuid(), $1, 'https://tickets.example', sha256('x'), 'x', now() + interval '1 hour')`,
    [userId],
  );
  return tenant;
}
