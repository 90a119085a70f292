import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { SqlRow, SqlSession } from "./migrations/sqlSession.js";
import { type DatabaseStage, openStage, stageKinds } from "./testing/stage.js";

interface Call {
  readonly tool: string;
  readonly ranMs: number;
  readonly waitedMs?: number;
  readonly errorType?: string;
  readonly isOpen?: boolean;
  readonly tokens?: number;
  readonly costUsd?: number;
  readonly at?: string;
}

describe.each(stageKinds)("statistics on %s", (kind) => {
  let stage: DatabaseStage;
  const user = { userId: randomUUID() };
  const other = { userId: randomUUID() };
  beforeAll(async () => {
    stage = await openStage(kind);
    await stage.service(async (session) => {
      await seed(session, user.userId, "rehearsal", [
        { tool: "search", ranMs: 100, waitedMs: 20, tokens: 10, costUsd: 0.25 },
        { tool: "search", ranMs: 300, tokens: 5, costUsd: 0.5 },
        { tool: "search", ranMs: 200, errorType: "timeout" },
        { tool: "search", ranMs: 0, isOpen: true },
        { tool: "read", ranMs: 7 },
        { tool: "read", ranMs: 9, at: "2026-03-02T23:59:59Z" },
      ]);
      await seed(session, other.userId, "rehearsal", [
        { tool: "search", ranMs: 9_000, errorType: "denied" },
      ]);
    });
  });
  afterAll(() => stage.close());

  const ask = (statement: string): Promise<readonly SqlRow[]> =>
    stage.as(user, (session) => session.query(statement));

  it("tell duration, waiting, cost, tokens and errors by tool, day and model", async () => {
    expect(
      await ask(
        `select tool_name, day::text, model, calls::int, completed::int, errors::int, unfinished::int,
           error_rate::float8, mean_duration_ms, median_duration_ms, p95_duration_ms, longest_duration_ms,
           mean_waiting_ms, total_tokens::int, cost_usd::float8
         from cx_tool_statistics order by tool_name, day`,
      ),
    ).toEqual([
      {
        tool_name: "read",
        day: "2026-03-01",
        model: "rehearsal",
        calls: 1,
        completed: 1,
        errors: 0,
        unfinished: 0,
        error_rate: 0,
        mean_duration_ms: 7,
        median_duration_ms: 7,
        p95_duration_ms: 7,
        longest_duration_ms: 7,
        mean_waiting_ms: 0,
        total_tokens: null,
        cost_usd: null,
      },
      {
        tool_name: "read",
        day: "2026-03-02",
        model: "rehearsal",
        calls: 1,
        completed: 1,
        errors: 0,
        unfinished: 0,
        error_rate: 0,
        mean_duration_ms: 9,
        median_duration_ms: 9,
        p95_duration_ms: 9,
        longest_duration_ms: 9,
        mean_waiting_ms: 0,
        total_tokens: null,
        cost_usd: null,
      },
      {
        tool_name: "search",
        day: "2026-03-01",
        model: "rehearsal",
        calls: 4,
        completed: 2,
        errors: 1,
        unfinished: 1,
        error_rate: 0.3333,
        mean_duration_ms: 200,
        median_duration_ms: 200,
        p95_duration_ms: 290,
        longest_duration_ms: 300,
        mean_waiting_ms: 20 / 3,
        total_tokens: 15,
        cost_usd: 0.75,
      },
    ]);
  });

  it("tell what went wrong, and how requests fared", async () => {
    expect(
      await ask("select tool_name, error_type, errors::int from cx_tool_error_statistics"),
    ).toEqual([{ tool_name: "search", error_type: "timeout", errors: 1 }]);
    expect(
      await ask(
        `select model, day::text, requests::int, completed::int, failed::int, error_rate::float8, tool_calls::int,
           input_tokens::int, cost_usd::float8, mean_duration_ms, mean_tool_duration_ms
         from cx_request_statistics`,
      ),
    ).toEqual([
      {
        model: "rehearsal",
        day: "2026-03-01",
        requests: 1,
        completed: 1,
        failed: 0,
        error_rate: 0,
        tool_calls: 6,
        input_tokens: 40,
        cost_usd: 0.5,
        mean_duration_ms: 1000,
        mean_tool_duration_ms: 600,
      },
    ]);
  });

  it("count only what their reader may see", async () => {
    const calls = "select coalesce(sum(calls), 0)::int as calls from cx_tool_statistics";
    expect(await ask(calls)).toEqual([{ calls: 6 }]);
    expect(await stage.as(other, (session) => session.query(calls))).toEqual([{ calls: 1 }]);
    expect(await stage.as("nobody", (session) => session.query(calls))).toEqual([{ calls: 0 }]);
    expect(await stage.service((session) => session.query(calls))).toEqual([{ calls: 7 }]);
    await expect(stage.as("anon", (session) => session.query(calls))).rejects.toThrow(
      "permission denied",
    );
  });
});

async function seed(
  session: SqlSession,
  userId: string,
  model: string,
  calls: readonly Call[],
): Promise<void> {
  const [conversationId, requestId] = [randomUUID(), randomUUID()];
  await session.query("insert into cx_conversation (id, user_id) values ($1, $2)", [
    conversationId,
    userId,
  ]);
  await session.query(
    `insert into cx_user_request (id, conversation_id, user_id, status, total_tool_calls, total_input_tokens,
       total_cost, total_duration_ms, tool_duration_ms, created_at, completed_at, metadata)
     values ($1, $2, $3, 'completed', $4, 40, 0.5, 1000, 600, '2026-03-01T12:00:00Z', '2026-03-01T12:00:01Z', $5)`,
    [requestId, conversationId, userId, calls.length, JSON.stringify({ model })],
  );
  for (const [index, call] of calls.entries()) {
    const { tool, ranMs, waitedMs = 0, errorType, isOpen = false } = call;
    const openedAt = Date.parse(call.at ?? "2026-03-01T12:00:00Z");
    await session.query(
      `insert into cx_tool_call (conversation_id, user_id, request_id, tool_name, call_id, status, success, is_error,
         error_type, duration_ms, total_tokens, cost_usd, created_at, completed_at)
       values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14)`,
      [
        conversationId,
        userId,
        requestId,
        tool,
        `call_${index}`,
        isOpen ? "running" : errorType === undefined ? "completed" : "error",
        isOpen ? null : errorType === undefined,
        errorType !== undefined,
        errorType ?? null,
        ranMs,
        call.tokens ?? null,
        call.costUsd ?? null,
        new Date(openedAt).toISOString(),
        isOpen ? null : new Date(openedAt + ranMs + waitedMs).toISOString(),
      ],
    );
  }
}
