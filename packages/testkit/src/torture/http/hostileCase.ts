/** Malicious requests: wrong methods, paths, headers, bodies, framings. None may hurt the server. */
import { connect } from "node:net";
import { createRandom, type Random } from "../random.js";
import type { CaseReport } from "../torturePart.js";
import { type ServerProcess, startProgram } from "./program.js";

const atOnce = 20;

export async function hostileCase(seed: number, requests: number): Promise<CaseReport> {
  const random = createRandom(seed);
  const scripted = await startProgram("scripted-server-cli", {});
  const statuses = new Map<string, number>();
  const faults: string[] = [];
  try {
    for (let sent = 0; sent < requests; sent += atOnce) {
      const batch = Array.from({ length: atOnce }, () => requestText(random, scripted));
      for (const status of await Promise.all(batch.map((text) => answerTo(scripted, text)))) {
        statuses.set(status, (statuses.get(status) ?? 0) + 1);
        if (status === "500") faults.push("a request was answered with 500");
      }
      if (!scripted.isAlive) return { failure: "the server died", figures: {} };
    }
    const health = await fetch(`${scripted.url}/healthz`);
    if (health.status !== 200) faults.push("the server is not well any more");
  } finally {
    await scripted.end();
  }
  const refused = [...statuses].filter(([status]) => status.startsWith("4"));
  return {
    failure: faults.length === 0 ? undefined : [...new Set(faults)].join("\n"),
    figures: {
      "hostile requests": requests,
      refused: refused.reduce((sum, [, count]) => sum + count, 0),
    },
  };
}

const methods = ["GET", "POST", "PUT", "PATCH", "DELETE", "OPTIONS", "HEAD", "TRACE", "FOO"];
const paths = [
  "/api/agent/execute",
  "/api/agent/warm",
  "/api/agent/runs/x",
  "/api/agent/runs/00000000-0000-4000-8000-000000000000/events?after=-1",
  "/api/agent/runs/00000000-0000-4000-8000-000000000000/cancel",
  "/api/agent/runs/00000000-0000-4000-8000-000000000000/approvals/%00",
  "/api/agent/stream?run=%ff",
  "/api/conversations?limit=1e99&before=..",
  "/api/conversations/%2e%2e%2f%2e%2e/messages",
  "/api/chat",
  "/api/ag-ui",
  "/../../etc/passwd",
  "/assets/..%2f..%2fpackage.json",
  "/?token=%00",
  "/openapi.json",
  "//evil.example/x",
];

function requestText(random: Random, server: ServerProcess): string {
  return random.int(5) === 0 ? aimedText(random, server) : wildText(random, server);
}

/** A valid request of an authorised user: only its tools are hostile. */
function aimedText(random: Random, { url, token }: ServerProcess): string {
  const body = `{"user_input":"say x","client_tools":[${toolsWith(random, "input_schema")}]}`;
  const headers = [
    `Host: ${new URL(url).host}`,
    `Authorization: Bearer ${token}`,
    "Content-Type: application/json",
    `Content-Length: ${Buffer.byteLength(body)}`,
    "Connection: close",
  ];
  return `POST /api/agent/execute HTTP/1.1\r\n${headers.join("\r\n")}\r\n\r\n${body}`;
}

function wildText(random: Random, { url, token }: ServerProcess): string {
  const { host } = new URL(url);
  const body = hostileBodyOf(random);
  const length = random.int(8) === 0 ? random.int(100_000) : Buffer.byteLength(body);
  const headers = [
    `Host: ${random.int(6) === 0 ? "evil.example" : host}`,
    random.int(3) === 0 ? "" : `Authorization: Bearer ${random.int(4) === 0 ? "x" : token}`,
    random.int(4) === 0 ? "Content-Type: text/plain" : "Content-Type: application/json",
    random.int(10) === 0 ? `Transfer-Encoding: ${random.pick(["chunked", "gzip", "x"])}` : "",
    random.int(6) === 0 ? `Origin: ${random.pick(["null", "http://evil.example", "\\u0001"])}` : "",
    random.int(6) === 0
      ? `Last-Event-ID: ${random.pick(["-1", "1.1.1", "9".repeat(400), "x"])}`
      : "",
    random.int(6) === 0 ? `Idempotency-Key: ${random.pick(["", "k".repeat(300), "k"])}` : "",
    random.int(8) === 0 ? `X-Filler: ${"y".repeat(random.int(20_000))}` : "",
    `Content-Length: ${length}`,
    "Connection: close",
  ].filter((line) => line !== "");
  const path = random.int(20) === 0 ? `/${"z".repeat(random.int(9_000))}` : random.pick(paths);
  return `${random.pick(methods)} ${path} HTTP/1.1\r\n${headers.join("\r\n")}\r\n\r\n${body}`;
}

function hostileBodyOf(random: Random): string {
  const depth = random.int(2_000);
  return random.pick([
    "",
    "{",
    "null",
    "[]",
    '{"user_input":"say x","conversation_id":"../.."}',
    '{"user_input":{"__proto__":{"polluted":true}}}',
    '{"__proto__":{"isMine":true},"user_input":[{"type":"input_image"}]}',
    `{"user_input":${"[".repeat(depth)}${"]".repeat(depth)}}`,
    `{"user_input":"${"x".repeat(random.int(50_000))}"}`,
    `{"user_input":"\\ud800","variables":{"a":1e400}}`,
    `{"id":"x","messages":[{"role":"user","parts":[{"type":"file","url":"file:///etc/passwd"}]}]}`,
    `{"threadId":"t","runId":"r","messages":[{"role":"user","content":[{"type":7}]}]}`,
    '{"output":{"a":1},"is_error":"yes"}',
    `{"threadId":"t","runId":"r","messages":[{"role":"user","content":"x"}],"tools":[${toolsWith(random, "parameters")}]}`,
    "\u0000\u0001\u0002",
  ]);
}

/** Schemas of tools that cannot be, or that would take for ever. */
const hostileSchemas = [
  '{"type":"zzz"}',
  '{"$ref":"#/nowhere"}',
  '{"$ref":"https://evil.example/schema.json"}',
  '{"$ref":"#"}',
  '{"pattern":"("}',
  '{"patternProperties":{"(":{}}}',
  '{"properties":{"a":{"pattern":"^(a+)+$"}}}',
  '{"$async":true,"required":["a"]}',
  '{"$schema":"https://evil.example/schema.json"}',
  '{"$id":"x","$defs":{"a":{"$id":"x"}}}',
  '{"properties":3}',
  '{"type":"object"}',
];

/** A tool by a name that may be ours, once or twice. */
function toolsWith(random: Random, schemaField: string): string {
  const name = random.pick(["shell", "read_file", "delegate", "mine"]);
  const tool = `{"name":"${name}","${schemaField}":${random.pick(hostileSchemas)}}`;
  return random.int(2) === 0 ? tool : `${tool},${tool}`;
}

const patienceMs = 1_500;

/** The status, or how the connection ended without one. */
function answerTo({ url }: ServerProcess, text: string): Promise<string> {
  const { port } = new URL(url);
  return new Promise((resolve) => {
    const socket = connect(Number(port), "127.0.0.1", () => socket.write(text));
    socket.setTimeout(patienceMs, () => {
      resolve("silence");
      socket.destroy();
    });
    let answer = "";
    socket.on("data", (piece) => {
      answer += piece.toString("latin1");
      const [, status] = /^HTTP\/1\.1 (\d{3})/.exec(answer) ?? [];
      if (status === undefined) return;
      resolve(status);
      socket.destroy();
    });
    socket.on("error", () => resolve("reset"));
    socket.on("close", () => resolve("closed"));
  });
}
