/** The export of spans against a collector that is a real HTTP server. The time is the test's own. */
import { createServer, type Server } from "node:http";
import {
  callId,
  conversationId,
  createRecorder,
  messageId,
  type RunEvent,
  runId,
  type Timed,
} from "@callboard/run-log";
import { createFakeClock } from "@callboard/testkit";
import { afterEach, describe, expect, it } from "vitest";
import { createRedactor } from "../redaction/redaction.js";
import { createMemorySessionStore } from "../sessions/memorySessionStore.js";
import type { Logger } from "../types/logger.js";
import { collectorFrom, createSpanExport } from "./spanExport.js";
import { spanIdOf, traceIdOf } from "./traceContext.js";
import { withSpanExport } from "./tracedSessions.js";

const secret = "the-eagle-has-landed";
const start = 1_700_000_000_000;

/** A run with one answer and one call that fails; its content and its error hold a secret. */
function eventsOf(run: string): readonly RunEvent[] {
  let at = start;
  const recorder = createRecorder(() => at);
  const message = messageId("m1");
  const call = callId("c1");
  const intents: readonly Timed[] = [
    {
      type: "startRun",
      runId: runId(run),
      conversationId: conversationId("conversation"),
      model: "gpt-x",
      agent: "shop",
    },
    { type: "openMessage", messageId: message, role: "assistant" },
    { type: "openCall", callId: call, messageId: message, toolName: "search", toolType: "local" },
    { type: "closeInput", callId: call, text: '{"query":"private words"}' },
    { type: "startCall", callId: call },
    {
      type: "closeCall",
      callId: call,
      outcome: "error",
      errorType: "failed",
      message: `no: ${secret}`,
    },
    { type: "closeMessage", messageId: message, finishReason: "tool_calls" },
    { type: "closeRun", outcome: "ok" },
  ];
  return intents.flatMap((intent) => {
    const decision = recorder.propose(intent);
    at += 1;
    if (decision.status === "refused") throw new Error(decision.refusal.message);
    return decision.events;
  });
}

interface Request {
  readonly url: string | undefined;
  readonly type: string | undefined;
  readonly key: string | string[] | undefined;
  readonly body: string;
}

const servers: Server[] = [];
afterEach(() => {
  for (const server of servers.splice(0)) server.close().closeAllConnections();
});

/** Answers with these statuses, one after the other, then with 200. */
async function collectorWith(statuses: readonly number[], answer = "{}") {
  const requests: Request[] = [];
  const server = createServer((request, response) => {
    let body = "";
    request.setEncoding("utf8");
    request.on("data", (piece: string) => {
      body += piece;
    });
    request.on("end", () => {
      const { url, headers } = request;
      requests.push({ url, type: headers["content-type"], key: headers["x-key"], body });
      response.writeHead(statuses[requests.length - 1] ?? 200, {
        "content-type": "application/json",
      });
      response.end(answer);
    });
  });
  servers.push(server);
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  const port = typeof address === "object" ? address?.port : undefined;
  return { requests, endpoint: `http://127.0.0.1:${port}` };
}

function exportTo(endpoint: string) {
  const clock = createFakeClock();
  const warnings: { readonly message: string; readonly fields: unknown }[] = [];
  const silent = () => undefined;
  const logger: Logger = {
    debug: silent,
    info: silent,
    warn: (message, fields) => warnings.push({ message, fields }),
    error: (message, fields) => warnings.push({ message, fields }),
  };
  const env = {
    OTEL_EXPORTER_OTLP_ENDPOINT: endpoint,
    OTEL_EXPORTER_OTLP_HEADERS: "x-key=a%20b",
  };
  const collector = collectorFrom(env);
  if (!collector) throw new Error("the environment names no collector");
  const redactor = createRedactor({ values: [secret] });
  const options = { collector, version: "1.2.3", redactor, clock, logger };
  return { spans: createSpanExport(options), options, clock, warnings };
}

const text = (key: string, stringValue: string) => ({ key, value: { stringValue } });

describe("the export of spans", () => {
  it("sends a run as one trace, without its content", async () => {
    const { requests, endpoint } = await collectorWith([]);
    const { spans, warnings } = exportTo(`${endpoint}/`);
    spans.observe(eventsOf("r1"));
    await spans.close();
    expect(warnings).toEqual([]);
    expect(requests).toHaveLength(1);
    const [request] = requests;
    expect(request).toMatchObject({ url: "/v1/traces", type: "application/json", key: "a b" });
    expect(request?.body).not.toContain("private words");
    expect(request?.body).not.toContain(secret);
    const traceId = traceIdOf({ runId: "r1" });
    const run = spanIdOf("r1", "run");
    expect(traceId).toMatch(/^[0-9a-f]{32}$/);
    expect(run).toMatch(/^[0-9a-f]{16}$/);
    expect(JSON.parse(request?.body ?? "")).toMatchObject({
      resourceSpans: [
        {
          resource: { attributes: [text("service.name", "callboard")] },
          scopeSpans: [
            {
              scope: { name: "callboard", version: "1.2.3" },
              spans: [
                {
                  traceId,
                  spanId: spanIdOf("r1", "opened c1"),
                  parentSpanId: spanIdOf("r1", "call c1"),
                  name: "search opened",
                  flags: 0x101,
                  startTimeUnixNano: "1700000000002000000",
                  endTimeUnixNano: "1700000000002000000",
                  events: [{ name: "call.opened", timeUnixNano: "1700000000002000000" }],
                },
                {
                  traceId,
                  spanId: spanIdOf("r1", "call c1"),
                  parentSpanId: run,
                  name: "execute_tool search",
                  kind: 1,
                  startTimeUnixNano: "1700000000004000000",
                  endTimeUnixNano: "1700000000005000000",
                  status: { code: 2 },
                },
                {
                  traceId,
                  parentSpanId: run,
                  name: "chat gpt-x",
                  kind: 3,
                  attributes: [
                    text("gen_ai.operation.name", "chat"),
                    text("gen_ai.request.model", "gpt-x"),
                    {
                      key: "gen_ai.response.finish_reasons",
                      value: { arrayValue: { values: [{ stringValue: "tool_calls" }] } },
                    },
                  ],
                },
                { traceId, spanId: run, name: "invoke_agent shop", status: { code: 1 } },
              ],
            },
          ],
        },
      ],
    });
  });

  it("tells of a call when it opens, and not only when it has ended", async () => {
    const { requests, endpoint } = await collectorWith([]);
    const { spans, clock } = exportTo(endpoint);
    const events = eventsOf("r1");
    const opened = events.findIndex(({ type }) => type === "call.opened");
    spans.observe(events.slice(0, opened + 1));
    await clock.untilAsleep(5_000);
    await clock.advance(5_000);
    await spans.close();
    expect(requests.map(({ body }) => body.match(/"name":"[^"]*"/g))).toEqual([
      ['"name":"callboard"', '"name":"search opened"', '"name":"call.opened"'],
    ]);
  });

  it("joins the trace of whoever asked for the run", async () => {
    const { requests, endpoint } = await collectorWith([]);
    const { spans } = exportTo(endpoint);
    const traceparent = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01";
    spans.observe(
      eventsOf("r1").map((event) =>
        event.type === "run.started" ? { ...event, traceparent } : event,
      ),
    );
    await spans.close();
    const body = requests[0]?.body ?? "";
    expect(new Set(body.match(/"traceId":"[^"]*"/g))).toEqual(
      new Set(['"traceId":"0af7651916cd43dd8448eb211c80319c"']),
    );
    expect(body.match(/"parentSpanId":"b7ad6b7169203331","flags":769/g)).toHaveLength(1);
  });

  it("waits for more spans, and sends those of several runs together", async () => {
    const { requests, endpoint } = await collectorWith([]);
    const { spans, clock } = exportTo(endpoint);
    spans.observe(eventsOf("r1"));
    spans.observe(eventsOf("r2"));
    await clock.untilAsleep(5_000);
    expect(requests).toEqual([]);
    await clock.advance(5_000);
    await spans.close();
    expect(requests).toHaveLength(1);
    expect(requests[0]?.body.match(/"spanId"/g)).toHaveLength(8);
  });

  it("tries again where the collector is busy", async () => {
    const { requests, endpoint } = await collectorWith([503]);
    const { spans, clock, warnings } = exportTo(endpoint);
    spans.observe(eventsOf("r1"));
    await clock.untilAsleep(5_000);
    const again = clock.untilAsleep(1_000);
    await clock.advance(5_000);
    await again;
    await clock.advance(1_000);
    await spans.close();
    expect(requests).toHaveLength(2);
    expect(requests[1]?.body).toBe(requests[0]?.body);
    expect(warnings).toEqual([]);
  });

  it("drops what the collector refuses, says so and sends the next", async () => {
    const { requests, endpoint } = await collectorWith([400]);
    const { spans, clock, warnings } = exportTo(endpoint);
    spans.observe(eventsOf("r1"));
    await clock.untilAsleep(5_000);
    await clock.advance(5_000);
    await expect.poll(() => warnings).toHaveLength(1);
    expect(warnings).toEqual([
      {
        message: "Sending spans failed.",
        fields: { spans: 4, url: `${endpoint}/v1/traces`, problem: "HTTP 400" },
      },
    ]);
    spans.observe(eventsOf("r2"));
    await spans.close();
    expect(requests).toHaveLength(2);
  });

  it("says what the collector took only in part", async () => {
    const answer = '{"partialSuccess":{"rejectedSpans":"2","errorMessage":"too old"}}';
    const { endpoint } = await collectorWith([], answer);
    const { spans, warnings } = exportTo(endpoint);
    spans.observe(eventsOf("r1"));
    await spans.close();
    expect(warnings).toEqual([
      { message: "The collector refused some spans.", fields: { problem: answer } },
    ]);
  });

  it("never throws at a run, whatever the collector does", async () => {
    const { spans, warnings } = exportTo("http://127.0.0.1:1");
    spans.observe(eventsOf("r1"));
    await spans.close();
    expect(warnings).toMatchObject([{ message: "Sending spans failed.", fields: { spans: 4 } }]);
  });
});

describe("a store that exports spans", () => {
  it("sends those of a session before it is closed, and keeps its events", async () => {
    const { requests, endpoint } = await collectorWith([]);
    const { options, warnings } = exportTo(endpoint);
    const { clock } = options;
    const store = withSpanExport(createMemorySessionStore({ clock }), options);
    const log = await store.open("s");
    const events = eventsOf("r1");
    for (const event of events) await log.append(event.runId, event.seq - 1, [event]);
    expect(await log.read(runId("r1"), { after: 0 })).toHaveLength(events.length);
    await log.close();
    expect(requests.flatMap(({ body }) => body.match(/"spanId"/g) ?? [])).toHaveLength(4);
    expect(warnings).toEqual([]);
  });

  it("sends nothing of what the store refused", async () => {
    const { requests, endpoint } = await collectorWith([]);
    const { options } = exportTo(endpoint);
    const store = withSpanExport(createMemorySessionStore({ clock: options.clock }), options);
    const log = await store.open("s");
    expect(await log.append(runId("r1"), 7, eventsOf("r1"))).toMatchObject({ status: "conflict" });
    await log.close();
    expect(requests).toEqual([]);
  });
});

describe("the environment of the export", () => {
  it("names no collector by default", () => {
    expect(collectorFrom({ OTEL_EXPORTER_OTLP_ENDPOINT: "" })).toBeUndefined();
  });

  it.each([
    [{ OTEL_EXPORTER_OTLP_ENDPOINT: "collector:4318" }, /is an http or https address/],
    [
      { OTEL_EXPORTER_OTLP_ENDPOINT: "http://c", OTEL_EXPORTER_OTLP_HEADERS: "secretword" },
      /^OTEL_EXPORTER_OTLP_HEADERS is a list of name=value(?!.*secretword)/,
    ],
  ])("that is wrong is refused: %j", (env, message) => {
    expect(() => collectorFrom(env)).toThrow(message);
  });
});
