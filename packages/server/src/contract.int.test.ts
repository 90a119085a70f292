/** What `/openapi.json` says is what the server does: its routes, its answers, its streams. */
import { randomUUID } from "node:crypto";
import { Validator } from "@seriousme/openapi-schema-validator";
import { afterAll, beforeAll, expect, it } from "vitest";
import { type GeneratedClient, generateClient } from "./testing/generatedClient.js";
import { openPlace, type TestUser } from "./testing/place.js";
import { fieldOf, textAtPath } from "./testing/reading.js";

let opened: Awaited<ReturnType<typeof openPlace>>;
let user: TestUser;
let document: unknown;
let client: GeneratedClient;

beforeAll(async () => {
  opened = await openPlace("one node, embedded");
  user = await opened.place.newUser();
  document = await (await fetch(opened.place.url("/openapi.json"))).json();
  client = generateClient(document, opened.place.url(""), user.headers);
});
afterAll(() => opened.close());

const eventsIn = (value: unknown): readonly string[] =>
  Array.isArray(value)
    ? value.map((line) => textAtPath(line, "event") || textAtPath(line, "type"))
    : [];

it("is a valid OpenAPI document", async () => {
  expect(fieldOf(document, "openapi")).toBe("3.1.0");
  expect(await new Validator().validate(JSON.parse(JSON.stringify(document)))).toEqual({
    valid: true,
  });
});

it("has every route of the server, and no other", () => {
  const [node] = opened.place.nodes;
  const paths = fieldOf(document, "paths");
  const described = Object.entries(paths ?? {}).flatMap(([path, methods]) =>
    Object.keys(methods).map((method) => `${method.toUpperCase()} ${path}`),
  );
  const routed = (node?.app.app.routes ?? []).flatMap(({ method, path }) =>
    method === "ALL" ? [] : [`${method} ${path.replaceAll(/:(\w+)/g, "{$1}")}`],
  );
  expect(routed.length).toBeGreaterThan(30);
  expect(described.toSorted()).toEqual(routed.toSorted());
  expect(new Set(client.operations).size).toBe(client.operations.length);
});

it("names the methods of a path, and the empty part of a path whose id was left out", async () => {
  const problemAt = async (method: string, path: string) => {
    const { headers } = user;
    const response = await fetch(opened.place.url(path), { method, headers });
    return [response.status, fieldOf(await response.json(), "detail")];
  };
  expect(await problemAt("DELETE", "/api/agent/runs/r1/cancel")).toEqual([
    405,
    "DELETE is not allowed on this path. Allowed: POST.",
  ]);
  expect(await problemAt("POST", "/api/agent/runs//cancel")).toEqual([
    404,
    "There is no /api/agent/runs//cancel here: a part of the path is empty.",
  ]);
  expect(await problemAt("GET", "/api/nothing")).toEqual([404, "There is no /api/nothing here."]);
});

it("gives a client that executes, streams and reads back", async () => {
  const executed = await client.call("execute", { body: { user_input: "say hello" } });
  expect(executed).toMatchObject({ status: 200, type: "application/x-ndjson" });
  expect(eventsIn(executed.value).at(-1)).toBe("end");
  const once = await client.call("execute", {
    body: { user_input: "say hello", stream: false },
  });
  expect(once.value).toMatchObject({ outcome: "ok", output: "Rehearsal: hello" });
  const id = textAtPath(once.value, "request_id");
  const conversation = textAtPath(once.value, "conversation_id");
  const run = await client.call("getRun", { params: { id } });
  expect(run.value).toMatchObject({ id, status: "closed", outcome: "ok" });
  const prompt = await client.call("getPrompt", { params: { id } });
  expect(prompt.value).toMatchObject({
    ...{ run_id: id, turn: 1, turns: 1 },
    messages: [{ role: "user", parts: [{ type: "text", text: "say hello" }] }],
  });
  const none = await client.call("getPrompt", { params: { id }, query: { turn: "2" } });
  expect(none.status).toBe(404);
  for (const format of ["events", "log"]) {
    for (const accept of ["application/x-ndjson", "text/event-stream"]) {
      const streamed = await client.call("streamRun", {
        params: { id },
        query: { format },
        headers: { accept },
      });
      expect(streamed).toMatchObject({ status: 200, type: accept });
      expect(eventsIn(streamed.value).at(-1)).toBe(format === "log" ? "run.closed" : "end");
    }
  }
  for (const operation of ["listMessages", "listToolCalls", "listRuns"]) {
    const rows = await client.call(operation, { params: { id: conversation } });
    expect(rows).toMatchObject({ status: 200, value: { next: null } });
  }
  const exported = await client.call("exportConversation", { params: { id: conversation } });
  expect(eventsIn(exported.value).at(0)).toBe("run.started");
});

it("gives a client that runs a tool and reads rows with calls in them", async () => {
  const { value } = await client.call("createConversation", { body: { title: "Tools" } });
  const id = textAtPath(value, "id");
  const called = await client.call("runTool", {
    params: { id },
    body: { tool_name: "echo", arguments: { text: "a" }, tool_events: "both" },
  });
  expect(eventsIn(called.value)).toContain("tool_update");
  const rows = await client.call("listToolCalls", { params: { id } });
  expect(fieldOf(rows.value, "items", 0, "tool_name")).toBe("echo");
});

const sse = { accept: "text/event-stream" };

it.each([
  ["watch", (id: string) => ({ body: { conversations: [id] } })],
  ["watch", (id: string) => ({ body: { conversations: [id], format: "log" }, headers: sse })],
  ["watchByAddress", (id: string) => ({ query: { conversation: id } })],
  ["watchByAddress", (id: string) => ({ query: { conversation: id }, headers: sse })],
])("gives a client that watches many runs (%s)", async (operation, requestFor) => {
  const id = randomUUID();
  const body = { user_input: "say hello", conversation_id: id, stream: false };
  await client.call("execute", { body });
  const isEnd = (value: unknown): boolean =>
    ["end", "run.closed"].includes(eventsIn([value])[0] ?? "");
  const { value } = await client.call(operation, { ...requestFor(id), until: isEnd });
  expect(eventsIn(value)[0]).toBe("run");
});

it("gives a client that reads the streams of the AI SDK and of AG-UI, each line one of a union", async () => {
  const script = 'think of it\nsay hello\ncall echo {"text":"again"}\ncall break {}\nsay bye';
  const chat = await client.call("chat", {
    body: {
      id: randomUUID(),
      messages: [{ id: randomUUID(), role: "user", parts: [{ type: "text", text: script }] }],
    },
  });
  expect(chat).toMatchObject({ status: 200, type: "text/event-stream" });
  expect(eventsIn(chat.value)).toEqual(
    expect.arrayContaining(["start", "reasoning-delta", "text-delta", "tool-input-available"]),
  );
  expect(eventsIn(chat.value).at(-1)).toBe("finish");
  const agUi = await client.call("agUi", {
    body: {
      ...{ threadId: randomUUID(), runId: randomUUID(), state: {}, tools: [], context: [] },
      messages: [{ id: randomUUID(), role: "user", content: script }],
      forwardedProps: {},
    },
  });
  expect(agUi).toMatchObject({ status: 200, type: "text/event-stream" });
  expect(eventsIn(agUi.value)).toEqual(
    expect.arrayContaining(["RUN_STARTED", "TEXT_MESSAGE_CONTENT", "TOOL_CALL_RESULT"]),
  );
  expect(eventsIn(agUi.value).at(-1)).toBe("RUN_FINISHED");
  for (const name of ["UiMessageChunk", "AgUiEvent"]) {
    const union = fieldOf(document, "components", "schemas", name, "oneOf");
    expect(Array.isArray(union) && union.length).toBeGreaterThan(20);
  }
});

it("gives a client that reads the streams and answers of OpenAI's protocols", async () => {
  const script = 'think of it\nsay hello\ncall echo {"text":"again"}\ncall break {}\nsay bye';
  const messages = [{ role: "user", content: script }];
  const chunks = await client.call("createChatCompletion", {
    body: { model: "default", messages, stream: true },
  });
  expect(chunks).toMatchObject({ status: 200, type: "text/event-stream" });
  const last = Array.isArray(chunks.value) ? chunks.value.at(-1) : undefined;
  expect(fieldOf(last, "choices", 0, "finish_reason")).toBe("stop");
  const completed = await client.call("createChatCompletion", {
    body: { model: "default", messages },
  });
  expect(completed).toMatchObject({ status: 200, value: { object: "chat.completion" } });
  const body = { model: "default", input: script };
  const events = await client.call("createResponse", { body: { ...body, stream: true } });
  expect(eventsIn(events.value)[0]).toBe("response.created");
  expect(eventsIn(events.value).at(-1)).toBe("response.completed");
  const response = await client.call("createResponse", { body });
  expect(response).toMatchObject({ status: 200, value: { status: "completed" } });
  const models = await client.call("listOpenAiModels");
  expect(fieldOf(models.value, "data", 0, "id")).toBe("default");
  const union = fieldOf(document, "components", "schemas", "OpenAiResponseLine", "oneOf");
  expect(Array.isArray(union) && union.length).toBe(15);
});

it("gives a client that answers by a link, with the form that the document describes", async () => {
  const id = randomUUID();
  const isGiven = (value: unknown): boolean =>
    fieldOf(value, "data", "event") === "tool_progress" &&
    textAtPath(value, "data", "tool_name") === "open_tab";
  const begun = await client.call("execute", {
    body: {
      conversation_id: id,
      user_input: 'call open_tab {"url":"/x"}\nsay over',
      client_tools: [{ name: "open_tab", expires_in_seconds: null }],
    },
    until: isGiven,
  });
  const given = Array.isArray(begun.value) ? begun.value.at(-1) : undefined;
  const runs = await client.call("listRuns", { params: { id } });
  const made = await client.call("createCallAnswerLink", {
    params: {
      id: textAtPath(runs.value, "items", 0, "id"),
      call_id: textAtPath(given, "data", "call_id"),
    },
    body: {},
  });
  const key = textAtPath(made.value, "path").slice("/a/".length);
  expect(await client.call("openAnswerLink", { params: { key } })).toMatchObject({
    status: 200,
    type: "text/html",
  });
  const params = { key, answer: "answer" };
  await expect(client.call("answerByLink", { params, form: { choice: "first" } })).rejects.toThrow(
    "the form of answerByLink is not as the document says",
  );
  const answered = await client.call("answerByLink", { params, form: { text: "opened" } });
  expect(answered).toMatchObject({ status: 200, type: "text/html" });
});

it("gives a client that is told what is wrong", async () => {
  const missing = await client.call("getRun", { params: { id: randomUUID() } });
  expect(missing).toMatchObject({ status: 404, type: "application/problem+json" });
  const wrong = await client.call("changeConversation", {
    params: { id: randomUUID() },
    body: {},
  });
  expect(wrong).toMatchObject({ status: 404, type: "application/problem+json" });
});

it("gives a client that shares, forks, waits and asks about the server", async () => {
  const { value } = await client.call("createConversation", { body: { title: "Shared" } });
  const params = { id: textAtPath(value, "id") };
  await client.call("execute", {
    body: { user_input: "say hello", stream: false, conversation_id: params.id },
  });
  const body = { user_id: randomUUID(), level: "viewer" };
  expect(await client.call("share", { params, body })).toMatchObject({ status: 200 });
  const shares = await client.call("listShares", { params });
  expect(shares.value).toEqual({ items: [{ user_id: body.user_id, level: "viewer" }] });
  const whom = { user_id: body.user_id };
  expect(await client.call("unshare", { params, body: whom })).toMatchObject({ status: 204 });
  const fork = await client.call("forkConversation", { params, body: { position: 1 } });
  expect(fork).toMatchObject({ status: 201 });
  expect((await client.call("listQueue", { params })).value).toEqual([]);
  const list = await client.call("listConversations", { query: { limit: "2" } });
  expect(fieldOf(list.value, "items")).toHaveLength(2);
  for (const operation of ["listAgents", "listModels", "warm", "openApi", "health", "readiness"]) {
    expect(await client.call(operation)).toMatchObject({ status: 200 });
  }
  expect(await client.call("deleteConversation", { params })).toMatchObject({ status: 204 });
});
