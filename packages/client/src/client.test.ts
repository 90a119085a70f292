/** Typed calls: what is sent, what is answered, and refusals as typed errors. */
import { lifeNamed } from "@callboard/testkit";
import { describe, expect, it } from "vitest";
import { createClient } from "./client.js";
import { ProblemError, UnexpectedAnswerError } from "./http/problem.js";
import { createFakeServer, type Heard, problem } from "./testing/fakeServer.js";

const log = lifeNamed("read-file")?.log ?? [];

/** A client whose server answers everything with one value. */
function answering(answer: unknown, status = 200) {
  const server = createFakeServer({
    onOther: () =>
      status === 204 ? new Response(null, { status }) : Response.json(answer, { status }),
  });
  const client = createClient({ baseUrl: "http://host/prefix/", fetch: server.fetch });
  const sent = (): Pick<Heard, "method" | "path" | "body"> & { readonly query: string } => {
    const { method, path, body, query } = server.heard.at(-1) ?? { query: "" };
    return { method: method ?? "", path: path ?? "", body, query: query.toString() };
  };
  return { client, server, sent };
}

describe("runs", () => {
  it("are cancelled, approved and answered", async () => {
    const { client, sent } = answering({ status: "ok" }, 202);
    await client.cancel("r/1");
    expect(sent()).toMatchObject({
      method: "POST",
      path: "/prefix/api/agent/runs/r%2F1/cancel",
      body: {},
    });
    await client.cancel("r", { call_id: "c", reason: "why" });
    expect(sent().body).toEqual({ call_id: "c", reason: "why" });
    await client.answerApproval("r", "a b", { option_id: "allow_once" });
    expect(sent()).toMatchObject({
      path: "/prefix/api/agent/runs/r/approvals/a%20b",
      body: { option_id: "allow_once" },
    });
    expect(await client.answerCall("r", "c", { output: { x: 1 } })).toEqual({ status: "ok" });
    expect(sent().path).toBe("/prefix/api/agent/runs/r/calls/c/result");
  });

  it("are asked for and waited for", async () => {
    const answer = {
      request_id: "r",
      conversation_id: "c",
      outcome: "ok",
      output: "hello",
      usage: { input_tokens: 1 },
      tool_calls: 0,
    };
    const { client, sent } = answering(answer);
    expect(await client.ask({ user_input: "hi" })).toEqual(answer);
    expect(sent().body).toEqual({ user_input: "hi", stream: false });
  });

  it("are started without being read", async () => {
    const server = createFakeServer({
      onExecute: () => ({ runId: "run_read-file", conversationId: "conv_1" }),
    });
    server.append(...log.slice(0, 3));
    const client = createClient({ fetch: server.fetch });
    expect(await client.start({ user_input: "hi" })).toEqual({
      runId: "run_read-file",
      conversationId: "conv_1",
    });
    expect(server.openStreams).toBe(0);
  });

  it("that summarize a conversation are started once for each key", async () => {
    const server = createFakeServer({
      onExecute: () => ({ runId: "run_read-file", conversationId: "c/1" }),
    });
    server.append(...log.slice(0, 3));
    const client = createClient({ fetch: server.fetch, newId: () => "key" });
    const started = { runId: "run_read-file", conversationId: "c/1" };
    expect(await client.compact("c/1")).toEqual(started);
    expect(await client.compact("c/1", { promptId: "writer", model: "m" })).toEqual(started);
    const path = "/api/conversations/c%2F1/compact";
    expect(server.heard.map(({ method, path, body }) => ({ method, path, body }))).toEqual([
      { method: "POST", path, body: { stream: true } },
      {
        ...{ method: "POST", path },
        body: { prompt_id: "writer", config_overrides: { model: "m" }, stream: true },
      },
    ]);
  });

  it("of one tool are started as the person, once for each key", async () => {
    const server = createFakeServer({
      onExecute: () => ({ runId: "run_read-file", conversationId: "c/1" }),
    });
    server.append(...log.slice(0, 3));
    const client = createClient({ fetch: server.fetch, newId: () => "key" });
    const request = { toolName: "read_file", arguments: { path: "a.txt" } };
    const started = { runId: "run_read-file", conversationId: "c/1" };
    expect(await client.runTool("c/1", request)).toEqual(started);
    expect(await client.runTool("c/1", { ...request, promptId: "writer" })).toEqual(started);
    expect(server.heard.map(({ method, path, body }) => ({ method, path, body }))).toEqual([
      {
        method: "POST",
        path: "/api/conversations/c%2F1/calls",
        body: { tool_name: "read_file", arguments: { path: "a.txt" }, stream: true },
      },
      {
        method: "POST",
        path: "/api/conversations/c%2F1/calls",
        body: {
          tool_name: "read_file",
          arguments: { path: "a.txt" },
          prompt_id: "writer",
          stream: true,
        },
      },
    ]);
    expect(server.heard[0]?.headers.get("idempotency-key")).toBe("key");
    expect(server.openStreams).toBe(0);
  });

  it("can be warmed", async () => {
    const { client, sent } = answering({ status: "cached", prompt_id: "default" });
    expect(await client.warm()).toEqual({ status: "cached", prompt_id: "default" });
    expect(sent().body).toEqual({});
    await client.warm("writer");
    expect(sent().body).toEqual({ prompt_id: "writer" });
  });
});

describe("conversations", () => {
  const row = {
    id: "c",
    title: null,
    status: "active",
    message_count: 0,
    created_at: "2026-01-01T00:00:00Z",
    updated_at: "2026-01-01T00:00:00Z",
  };

  it("are listed in pages, created, changed and forked", async () => {
    const { client, sent } = answering({ items: [row], next: "x" });
    const { list } = client.conversations;
    expect(await list({ search: "a&b", limit: 5, before: "t" })).toEqual({
      items: [row],
      next: "x",
    });
    expect(sent()).toMatchObject({
      path: "/prefix/api/conversations",
      query: "search=a%26b&limit=5&before=t",
    });
    const one = answering(row, 201);
    const { conversations } = one.client;
    expect(await conversations.create()).toEqual(row);
    expect(await conversations.get("c")).toEqual(row);
    await conversations.change("c", { title: "Plans" });
    expect(one.sent()).toMatchObject({ method: "PATCH", body: { title: "Plans" } });
    await conversations.fork("c", 3);
    expect(one.sent()).toMatchObject({
      path: "/prefix/api/conversations/c/fork",
      body: { position: 3 },
    });
  });

  it("are deleted, shared and exported", async () => {
    const gone = answering(undefined, 204);
    await gone.client.conversations.delete("c");
    expect(gone.sent()).toMatchObject({ method: "DELETE", path: "/prefix/api/conversations/c" });
    await gone.client.conversations.unshare("c", { is_public: true });
    expect(gone.sent().body).toEqual({ is_public: true });
    const shared = answering({ items: [{ level: "viewer", is_public: true }] });
    expect(await shared.client.conversations.shares("c")).toEqual([
      { level: "viewer", is_public: true },
    ]);
    const exported = answering({ type: "run.started" });
    expect(await exported.client.conversations.export("c", { redact: false })).toBe(
      '{"type":"run.started"}',
    );
    expect(exported.sent().query).toBe("format=jsonl&redact=false");
  });
});

describe("who asks", () => {
  it("is told by a bearer token, asked for again each time, and by headers", async () => {
    let count = 0;
    const server = createFakeServer({ onOther: () => Response.json({ items: [] }) });
    const client = createClient({
      fetch: server.fetch,
      token: () => Promise.resolve(`token_${++count}`),
      headers: { "x-app": "test" },
    });
    await client.agents();
    await client.models();
    expect(server.heard.map(({ headers }) => headers.get("authorization"))).toEqual([
      "Bearer token_1",
      "Bearer token_2",
    ]);
    expect(server.heard[0]?.headers.get("x-app")).toBe("test");
  });
});

describe("refusals", () => {
  it("are problem documents as errors", async () => {
    const errors = [{ field: "user_input", message: "must be text" }];
    const server = createFakeServer({
      onOther: () => problem(422, "Send user_input.", { errors, request_id: "q" }),
    });
    const client = createClient({ fetch: server.fetch });
    const refused = await client.ask({ user_input: "" }).catch((error: unknown) => error);
    expect(refused).toBeInstanceOf(ProblemError);
    expect(refused).toMatchObject({
      message: "Refused (422): Send user_input.",
      status: 422,
      problem: { detail: "Send user_input.", request_id: "q", errors },
    });
  });

  it.each([
    [401, "", /Give the client a token/],
    [404, "<html>nope</html>", /Check the address/],
    [502, "Bad gateway", /failed without a reason/],
    [400, '{"message":"old servers say it so"}', /old servers say it so/],
  ])("%i without a document still say what to do", async (status, body, message) => {
    const server = createFakeServer({ onOther: () => new Response(body, { status }) });
    const client = createClient({ fetch: server.fetch });
    await expect(client.run("r")).rejects.toThrow(message);
  });

  it("that nobody heard say so in words of our own, and a request that was given up says nothing of a server", async () => {
    const cut: typeof fetch = async (_, init) => {
      init?.signal?.throwIfAborted();
      throw new TypeError("Failed to fetch");
    };
    const client = createClient({ fetch: cut });
    await expect(client.run("r")).rejects.toThrow(
      /^The server cannot be reached \(Failed to fetch\)\. Check the connection and the address\.$/,
    );
    const givenUp = client.run("r", { signal: AbortSignal.abort() });
    await expect(givenUp).rejects.toMatchObject({ name: "AbortError" });
  });

  it("to be understood: an answer of another shape says where it does not fit", async () => {
    const { client } = answering({ id: "r" });
    const refused = await client.run("r").catch((error: unknown) => error);
    expect(refused).toBeInstanceOf(UnexpectedAnswerError);
    expect(String(refused)).toMatch(/GET \/api\/agent\/runs\/r was answered.*conversation_id/s);
  });
});
