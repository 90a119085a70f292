/** What other users send: each kind once tried to freeze, fill, confuse or read something that is not theirs. */
import { createHmac, randomUUID } from "node:crypto";
import type { Random } from "../random.js";

/** A run under way that is not the stranger's. */
export interface Victim {
  readonly runId: string;
  readonly conversationId: string;
  readonly key: string;
}

export interface HostileRequest {
  readonly method?: string;
  readonly path: string;
  readonly body?: object | string;
  readonly headers?: Readonly<Record<string, string>>;
  /** After how long the stranger leaves. */
  readonly readMs?: number;
}

export interface HostileKind {
  readonly name: string;
  readonly make: (random: Random, victim: Victim) => HostileRequest;
}

const execute = "/api/agent/execute";

/** A request with a tool of the client that the script calls. */
function withTool(input_schema: unknown, args: unknown = {}): HostileRequest {
  const user_input = `call mine ${JSON.stringify(args)}\nsay done`;
  const client_tools = [{ name: "mine", input_schema, expires_in_seconds: 1 }];
  return { path: execute, body: { user_input, client_tools }, readMs: 3_000 };
}

/** The check of a value that does not fit doubles at each level. */
function bomb(levels: number): object {
  const defs: Record<string, object> = { [`d${levels}`]: { type: "string" } };
  for (let level = 0; level < levels; level += 1) {
    const next = { $ref: `#/$defs/d${level + 1}` };
    defs[`d${level}`] = { anyOf: [next, next] };
  }
  return { type: "object", properties: { a: { $ref: "#/$defs/d0" } }, $defs: defs };
}

function wide(count: number): object {
  const names = Array.from({ length: count }, (_, index) => `p${index}`);
  return {
    type: "object",
    properties: Object.fromEntries(names.map((name) => [name, { type: "string" }])),
  };
}

function bearer(claims: object, alg = "HS256"): HostileRequest {
  const encoded = (value: object): string =>
    Buffer.from(JSON.stringify(value)).toString("base64url");
  const signed = `${encoded({ alg, typ: "JWT" })}.${encoded(claims)}`;
  const signature = createHmac("sha256", "another key").update(signed).digest("base64url");
  const headers = { authorization: `Bearer ${signed}.${alg === "none" ? "" : signature}` };
  return { method: "GET", path: "/api/conversations", headers };
}

const said = (text: string) => [
  { id: "one", role: "user", content: text, parts: [{ type: "text", text }] },
];
const nested = (depth: number): string => "[".repeat(depth) + "]".repeat(depth);
const later = 4_000_000_000;

export const hostileKinds: readonly HostileKind[] = [
  { name: "a schema that doubles 26 times", make: () => withTool(bomb(26), { a: 1 }) },
  { name: "a schema that doubles 60 times", make: () => withTool(bomb(60), { a: 1 }) },
  { name: "a schema of 130 KB", make: () => withTool(wide(4_000)) },
  { name: "a schema of 1 MB", make: () => withTool(wide(30_000)) },
  {
    name: "64 tools of 100 properties",
    make: () => ({
      path: execute,
      body: {
        user_input: "say x",
        client_tools: Array.from({ length: 64 }, (_, index) => ({
          name: `t${index}`,
          input_schema: wide(100),
        })),
      },
    }),
  },
  {
    name: "a pattern that never ends",
    make: () =>
      withTool({ properties: { a: { pattern: "^(a+)+$" } } }, { a: `${"a".repeat(40)}!` }),
  },
  { name: "a schema that refers to itself", make: () => withTool({ $ref: "#" }, { a: 1 }) },
  { name: "a schema that is none", make: () => withTool({ type: "zzz" }) },
  {
    name: "a schema from elsewhere",
    make: () => withTool({ $ref: "https://evil.example/x.json" }),
  },
  {
    name: "an enum of 10,000",
    make: () => withTool({ enum: Array.from({ length: 10_000 }, (_, n) => n) }),
  },
  {
    name: "a tool by the name of the server's",
    make: () => ({
      path: execute,
      body: { user_input: "say x", client_tools: [{ name: "work" }] },
    }),
  },
  {
    name: "tools that wait for a day",
    make: () => ({
      path: execute,
      body: {
        user_input: "call mine {}",
        client_tools: [{ name: "mine", expires_in_seconds: 86_400 }],
      },
      readMs: 200,
    }),
  },
  {
    name: "7 MB of text",
    make: () => ({ path: execute, body: { user_input: "x".repeat(7_000_000) }, readMs: 3_000 }),
  },
  {
    name: "9 MB of text",
    make: () => ({ path: execute, body: { user_input: "x".repeat(9_000_000) } }),
  },
  {
    name: "a million numbers",
    make: (_, { runId }) => ({
      path: `/api/agent/runs/${runId}/calls/c/result`,
      body: `{"output":[${"1,".repeat(1_000_000)}1]}`,
    }),
  },
  {
    name: "brackets without end",
    make: () => ({ path: execute, body: `{"user_input":${nested(100_000)}}` }),
  },
  { name: "half a body", make: () => ({ path: execute, body: '{"user_input":"say' }) },
  {
    name: "a body that is no JSON by its type",
    make: () => ({ path: execute, body: "<x/>", headers: { "content-type": "text/xml" } }),
  },
  {
    name: "half surrogates and prototypes",
    make: () => ({
      path: execute,
      body: '{"user_input":"say \\ud800","variables":{"__proto__":{"a":1}}}',
    }),
  },
  { name: "NUL in a title", make: () => ({ path: "/api/conversations", body: { title: "a\0b" } }) },
  {
    name: "NUL in a search",
    make: () => ({ method: "GET", path: "/api/conversations?search=%00" }),
  },
  {
    name: "a search of wildcards",
    make: () => ({ method: "GET", path: `/api/conversations?search=${"%25_".repeat(40)}` }),
  },
  {
    name: "a mark of nowhere",
    make: () => ({ method: "GET", path: "/api/conversations?before=x.y" }),
  },
  {
    name: "another's run id",
    make: (_, { runId }) => ({
      path: "/api/ag-ui",
      body: { threadId: randomUUID(), runId, messages: said("say mine") },
      readMs: 3_000,
    }),
  },
  {
    name: "another's conversation",
    make: (_, { conversationId }) => ({
      path: execute,
      body: { conversation_id: conversationId, user_input: "say mine" },
    }),
  },
  {
    name: "another's chat",
    make: (_, { conversationId }) => ({
      path: "/api/chat",
      body: { id: conversationId, messages: said("say mine") },
    }),
  },
  {
    name: "another's key",
    make: (_, { key }) => ({
      path: execute,
      body: { user_input: "say mine", stream: false },
      headers: { "idempotency-key": key },
    }),
  },
  {
    name: "cancelling another's run",
    make: (_, { runId }) => ({ path: `/api/agent/runs/${runId}/cancel`, body: {} }),
  },
  {
    name: "answering for another",
    make: (_, { runId }) => ({
      path: `/api/agent/runs/${runId}/approvals/a`,
      body: { option_id: "allow_once" },
    }),
  },
  {
    name: "reading another's run",
    make: (_, { runId }) => ({ method: "GET", path: `/api/agent/runs/${runId}/events` }),
  },
  {
    name: "copying another's conversation",
    make: (_, { conversationId }) => ({
      path: `/api/conversations/${conversationId}/fork`,
      body: { position: 0 },
    }),
  },
  {
    name: "deleting another's conversation",
    make: (_, { conversationId }) => ({
      method: "DELETE",
      path: `/api/conversations/${conversationId}`,
    }),
  },
  {
    name: "sharing another's conversation",
    make: (_, { conversationId }) => ({
      path: `/api/conversations/${conversationId}/shares`,
      body: { is_public: true, level: "viewer" },
    }),
  },
  { name: "a token of another key", make: () => bearer({ sub: randomUUID(), exp: later }) },
  {
    name: "a token without a signature",
    make: () => bearer({ sub: randomUUID(), exp: later }, "none"),
  },
  { name: "a token of a list", make: () => bearer({ sub: [randomUUID()], exp: later }) },
  {
    name: "no token",
    make: () => ({ method: "GET", path: "/api/agents", headers: { authorization: "" } }),
  },
  {
    name: "headers of 16 KB",
    make: () => ({
      method: "GET",
      path: "/api/agents",
      headers: { "x-filler": "y".repeat(16_000) },
    }),
  },
  {
    name: "a run that is left at once",
    make: () => ({
      path: execute,
      body: { user_input: 'call work {"ms":200}', on_disconnect: "cancel" },
      readMs: 50,
    }),
  },
  {
    name: "a thousand runs on one stream",
    make: () => ({
      method: "GET",
      path: `/api/agent/stream?mine=true&${Array.from({ length: 500 }, () => `run=${randomUUID()}:0`).join("&")}`,
      readMs: 200,
    }),
  },
  {
    name: "a stream that nobody reads",
    make: () => ({ method: "GET", path: "/api/agent/stream?mine=true", readMs: 100 }),
  },
  {
    name: "a path out of here",
    make: () => ({ method: "GET", path: "/assets/..%2f..%2fpackage.json" }),
  },
];
