/** Streams of other agents, sent over HTTP: in parts, again, by somebody else, and in wrong forms. */
import { randomUUID } from "node:crypto";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type RunningServer, startServer } from "../startServer.js";
import { createTestUser, quietLogger, secret, type TestUser } from "../testing/place.js";
import { fieldOf, textAtPath } from "../testing/reading.js";

let home: string;
let server: RunningServer;

const started = (): Promise<RunningServer> =>
  startServer({ home, port: 0, env: {}, logger: quietLogger, auth: { secret } });

beforeAll(async () => {
  home = await mkdtemp(join(tmpdir(), "callboard-intake-"));
  server = await started();
});

afterAll(async () => {
  await server.close();
  await rm(home, { recursive: true, force: true });
});

const lines = [
  { type: "system", subtype: "init", session_id: "s1", model: "claude-x" },
  {
    type: "assistant",
    session_id: "s1",
    parent_tool_use_id: null,
    message: { id: "m1", content: [{ type: "tool_use", id: "t1", name: "Read", input: { p: 1 } }] },
  },
  {
    type: "user",
    session_id: "s1",
    parent_tool_use_id: null,
    message: { content: [{ type: "tool_result", tool_use_id: "t1", content: "read" }] },
  },
  { type: "result", subtype: "success", is_error: false, session_id: "s1" },
].map((line) => JSON.stringify(line));

async function send(
  user: TestUser,
  query: string,
  part: readonly string[],
  dialect = "claudeCode",
) {
  const response = await fetch(`${server.url}/api/intake/${dialect}?${query}`, {
    method: "POST",
    headers: { ...user.headers, "content-type": "application/x-ndjson" },
    body: part.map((line) => `${line}\n`).join(""),
  });
  const body: unknown = await response.json();
  return { status: response.status, body };
}

const usage = { inputTokens: 1, outputTokens: 1 };
async function callsOf(user: TestUser, conversation: string): Promise<readonly unknown[]> {
  const path = `/api/conversations/${conversation}/tool-calls`;
  const response = await fetch(`${server.url}${path}`, { headers: user.headers });
  const items = fieldOf(await response.json(), "items");
  return Array.isArray(items) ? items : [];
}

function conversationIn(body: unknown): string {
  const sessions = fieldOf(body, "sessions");
  return Array.isArray(sessions) ? textAtPath(sessions[0], "conversation_id") : "";
}

describe("a stream", () => {
  test("is taken in parts, and what is sent again adds nothing", async () => {
    const user = await createTestUser();
    const stream = `stream=${randomUUID()}`;
    const first = await send(user, stream, lines.slice(0, 2));
    expect(first).toMatchObject({ status: 200, body: { lines: 2, findings: [] } });
    const again = await send(user, `${stream}&from=1`, lines.slice(1, 3));
    expect(again).toMatchObject({ status: 200, body: { lines: 3, findings: [] } });
    const last = await send(user, `${stream}&from=3&end=true`, lines.slice(3));
    expect(last.body).toMatchObject({
      lines: 4,
      sessions: [{ session: "s1", calls: 1, closed_by_us: 0, findings: 0 }],
    });
    const calls = await callsOf(user, conversationIn(last.body));
    expect(calls).toMatchObject([{ tool_name: "Read", status: "completed" }]);
  });

  test("that a server stops in the middle of continues with the next one, sent from its start", async () => {
    const user = await createTestUser();
    const stream = `stream=${randomUUID()}`;
    await send(user, stream, lines.slice(0, 2));
    await server.close();
    server = await started();
    const hole = await send(user, `${stream}&from=2&end=true`, lines.slice(2));
    expect(hole).toMatchObject({
      status: 409,
      body: { detail: "The stream is at line 0: send it from there, with from=0." },
    });
    const { body } = await send(user, `${stream}&end=true`, lines);
    expect(body).toMatchObject({
      lines: 4,
      sessions: [{ session: "s1", calls: 1, closed_by_us: 0, findings: 0 }],
    });
    const calls = await callsOf(user, conversationIn(body));
    expect(calls).toMatchObject([{ tool_name: "Read", status: "completed", output: "read" }]);
  });

  test("whose text is sent again says it once", async () => {
    const user = await createTestUser();
    const stream = `stream=${randomUUID()}`;
    const content = [{ type: "text", text: "I said it once." }];
    const said = { type: "assistant", session_id: "s2", message: { id: "m1", content } };
    const init = { type: "system", subtype: "init", session_id: "s2", model: "claude-x" };
    const [first, text] = [JSON.stringify(init), JSON.stringify(said)];
    await send(user, stream, [first, text]);
    const last = await send(user, `${stream}&from=1&end=true`, [text]);
    const path = `/api/conversations/${conversationIn(last.body)}/messages`;
    const rows = await (await fetch(`${server.url}${path}`, { headers: user.headers })).text();
    expect(rows.split("I said it once.")).toHaveLength(2);
  });

  test("counts in the figures of its day and model, with the time to the first token", async () => {
    const user = await createTestUser();
    const now = Date.now();
    const events = [320, 480].flatMap((firstToken, index) => {
      const runId = `${user.userId}-${index}`;
      const [asked, answer] = [`u-${runId}`, `a-${runId}`];
      return [
        { type: "run.started", at: now - 50, conversationId: `c-${user.userId}`, model: "timed" },
        { type: "message.opened", at: now - 50, messageId: asked, role: "user" },
        { type: "message.closed", at: now, messageId: asked },
        { type: "message.opened", at: now + firstToken, messageId: answer, role: "assistant" },
        { type: "message.closed", at: now + 900, messageId: answer, finishReason: "stop" },
        { type: "run.closed", at: now + 900, outcome: "ok", calls: 0, usage },
      ].map((event, at) => JSON.stringify({ v: 1, runId, seq: at + 1, ...event }));
    });
    const { body } = await send(user, `stream=${randomUUID()}&end=true`, events, "log");
    expect(body).toMatchObject({ findings: [] });
    const answer = await fetch(`${server.url}/api/figures`, { headers: user.headers });
    const times = { requests: 2, first_token_p50_ms: 400, first_token_p95_ms: 472 };
    expect(await answer.json()).toMatchObject({
      models: [{ model: "timed", ...times }],
      days: [times],
    });
  });

  test("that has a hole is refused, and says from where to send it", async () => {
    const user = await createTestUser();
    const answer = await send(user, "stream=holey&from=7", lines);
    expect(answer).toMatchObject({
      status: 409,
      body: { type: "urn:callboard:problem:stream-hole" },
    });
  });

  test("is its sender's alone, also where two send the same", async () => {
    const [one, other] = [await createTestUser(), await createTestUser()];
    const mine = conversationIn((await send(one, "stream=same&end=true", lines)).body);
    const theirs = conversationIn((await send(other, "stream=same&end=true", lines)).body);
    expect(mine).not.toBe(theirs);
    const path = `/api/conversations/${mine}`;
    const seen = await fetch(`${server.url}${path}`, { headers: other.headers });
    expect(seen.status).toBe(404);
  });

  test("that stops is ended, and the calls that it left open are closed", async () => {
    const user = await createTestUser();
    const { body } = await send(user, "stream=cut&end=true", lines.slice(0, 2));
    expect(body).toMatchObject({
      sessions: [{ calls: 1, closed_by_us: 1 }],
      findings: [{ line: 2, code: "leftOpen" }],
    });
    const calls = await callsOf(user, conversationIn(body));
    expect(calls).toMatchObject([{ tool_name: "Read", status: "error" }]);
  });

  test("of lines that are no JSON is answered with findings", async () => {
    const user = await createTestUser();
    const { status, body } = await send(user, "stream=odd", ["{", "[]", ...lines]);
    expect(status).toBe(200);
    expect(body).toMatchObject({
      findings: [
        { line: 1, code: "malformedLine" },
        { line: 2, code: "malformedLine" },
      ],
    });
  });

  test("without a known dialect, a name or a caller is refused", async () => {
    const user = await createTestUser();
    expect(await send(user, "stream=a", lines, "klingon")).toMatchObject({ status: 404 });
    expect((await send(user, "", lines)).status).toBe(422);
    expect((await send({ userId: "", headers: {} }, "stream=a", lines)).status).toBe(401);
  });
});

test("OpenTelemetry traces are taken over the protocol of a collector", async () => {
  const user = await createTestUser();
  const attribute = (key: string, stringValue: string) => ({ key, value: { stringValue } });
  const span = (spanId: string, from: number, to: number, fields: object) => ({
    traceId: "5b8efff798038103d269b633813fc60c",
    spanId,
    startTimeUnixNano: `${from}000000`,
    endTimeUnixNano: `${to}000000`,
    ...fields,
  });
  const spans = [
    span("aaaaaaaaaaaaaaaa", 20, 30, {
      parentSpanId: "bbbbbbbbbbbbbbbb",
      name: "execute_tool search",
      attributes: [
        attribute("gen_ai.operation.name", "execute_tool"),
        attribute("gen_ai.tool.name", "search"),
        attribute("gen_ai.tool.call.id", "call_1"),
      ],
    }),
    span("bbbbbbbbbbbbbbbb", 10, 40, {
      name: "invoke_agent shop",
      attributes: [attribute("gen_ai.operation.name", "invoke_agent")],
    }),
  ];
  const response = await fetch(`${server.url}/v1/traces`, {
    method: "POST",
    headers: { ...user.headers, "content-type": "application/json" },
    body: JSON.stringify({ resourceSpans: [{ resource: {}, scopeSpans: [{ spans }] }] }),
  });
  expect([response.status, await response.json()]).toEqual([200, { partialSuccess: {} }]);
  const listed = await fetch(`${server.url}/api/conversations`, { headers: user.headers });
  const items = fieldOf(await listed.json(), "items");
  const conversation = Array.isArray(items) ? textAtPath(items[0], "id") : "";
  expect(await callsOf(user, conversation)).toMatchObject([
    { tool_name: "search", call_id: "call_1", status: "completed" },
  ]);
});
