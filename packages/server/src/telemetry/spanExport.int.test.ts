/** A server whose environment names a collector sends it the spans of its runs, at the latest when it closes. */
import { mkdtemp, rm } from "node:fs/promises";
import { createServer } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it } from "vitest";
import { createTestUser, openPlace } from "../testing/place.js";

it("sends the spans of a run that was asked for over HTTP", async () => {
  const bodies: string[] = [];
  const collector = createServer((request, response) => {
    let body = "";
    request.setEncoding("utf8");
    request.on("data", (piece: string) => {
      body += piece;
    });
    request.on("end", () => {
      bodies.push(body);
      response.writeHead(200, { "content-type": "application/json" }).end("{}");
    });
  });
  await new Promise<void>((resolve) => collector.listen(0, "127.0.0.1", resolve));
  const address = collector.address();
  const port = typeof address === "object" ? address?.port : undefined;
  const home = await mkdtemp(join(tmpdir(), "callboard-spans-"));
  const env = { CALLBOARD_HOME: home, OTEL_EXPORTER_OTLP_ENDPOINT: `http://127.0.0.1:${port}` };
  const { place, close } = await openPlace("one node, embedded", { env });
  const user_input = 'call echo {"text":"private words"}\nsay done';
  const body = { user_input, stream: false };
  const traceparent = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01";
  const user = await createTestUser();
  const path = "/api/agent/execute";
  const response = await place.ask(user, "POST", path, body, { traceparent });
  expect(await response.json()).toMatchObject({ outcome: "ok", tool_calls: 1 });
  await close();
  await rm(home, { recursive: true, force: true });
  collector.close().closeAllConnections();
  const names = bodies.join("").match(/"name":"(?:invoke_agent|chat|execute_tool)[^"]*"/g) ?? [];
  expect(names.map((name) => name.slice(8, -1).split(" ")[0]).toSorted()).toEqual([
    "chat",
    "chat",
    "execute_tool",
    "invoke_agent",
  ]);
  expect(bodies.join("")).not.toContain("private words");
  expect(new Set(bodies.join("").match(/"traceId":"[^"]*"/g))).toEqual(
    new Set(['"traceId":"0af7651916cd43dd8448eb211c80319c"']),
  );
  expect(bodies.join("").match(/"parentSpanId":"b7ad6b7169203331"/g)).toHaveLength(1);
});
