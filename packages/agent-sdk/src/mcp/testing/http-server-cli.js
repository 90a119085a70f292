/** The test server over streamable HTTP on 127.0.0.1; prints its port on stdout. `--port` sets it. */
import { randomUUID } from "node:crypto";
import { createServer } from "node:http";
import { StreamableHTTPServerTransport } from "@modelcontextprotocol/sdk/server/streamableHttp.js";
import { createTestServer } from "./testServer.js";

const sessions = new Map();
const port = Number(process.argv[2] ?? 0);

async function sessionOf(id) {
  if (id !== undefined) return sessions.get(id);
  const transport = new StreamableHTTPServerTransport({
    sessionIdGenerator: () => randomUUID(),
    onsessioninitialized: (sessionId) => void sessions.set(sessionId, transport),
    onsessionclosed: (sessionId) => void sessions.delete(sessionId),
  });
  await createTestServer().connect(transport);
  return transport;
}

const server = createServer(async (request, response) => {
  if (request.headers.authorization !== "Bearer test-token-1") {
    response.writeHead(401).end("no");
    return;
  }
  const transport = await sessionOf(request.headers["mcp-session-id"]);
  if (transport === undefined) {
    response.writeHead(404).end("Session not found");
    return;
  }
  await transport.handleRequest(request, response);
});

server.listen(port, "127.0.0.1", () => process.stdout.write(`${server.address().port}\n`));
