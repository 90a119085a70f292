/** A server of the older transport: one stream of events, and requests posted to the address that it names. */
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { afterEach, beforeEach, expect, it } from "vitest";
import { connected, startCall } from "./testing/mcpStage.js";

type Message = { readonly id?: number; readonly method: string; readonly params?: object };

let spoken = "2024-11-05";
const answers: Readonly<Record<string, (params: object) => object>> = {
  initialize: () => ({
    protocolVersion: spoken,
    capabilities: { tools: {} },
    serverInfo: { name: "older", version: "1" },
  }),
  ping: () => ({}),
  "tools/list": () => ({ tools: [{ name: "echo", inputSchema: { type: "object" } }] }),
  "tools/call": (params) => ({ content: [{ type: "text", text: JSON.stringify(params) }] }),
};

let server: Server;
const tokens: (string | undefined)[] = [];
/** Ends the stream that is open. */
let endStream = (): void => undefined;
let address = "";

beforeEach(async () => {
  spoken = "2024-11-05";
  tokens.length = 0;
  let send = (_: object): void => undefined;
  server = createServer(async (request, response) => {
    tokens.push(request.headers.authorization);
    if (request.method === "GET") {
      response.writeHead(200, { "content-type": "text/event-stream" });
      response.write("event: endpoint\ndata: /messages?session=1\n\n");
      send = (message) =>
        void response.write(`event: message\ndata: ${JSON.stringify(message)}\n\n`);
      endStream = () => void response.end();
      return;
    }
    let body = "";
    for await (const piece of request) body += String(piece);
    response.writeHead(202).end();
    const { id, method, params = {} }: Message = JSON.parse(body);
    const answer = answers[method];
    if (id !== undefined && answer !== undefined)
      send({ jsonrpc: "2.0", id, result: answer(params) });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const place = server.address();
  address = `http://127.0.0.1:${isPlace(place) ? place.port : 0}/sse`;
});

afterEach(async () => {
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
});

function isPlace(place: string | AddressInfo | null): place is AddressInfo {
  return typeof place === "object" && place !== null;
}

it("lists its tools and answers calls, with the headers on every request", async () => {
  const headers = { authorization: "Bearer key" };
  const connections = await connected({ older: { type: "sse", url: address, headers } });
  expect(connections.status()).toEqual([
    { name: "older", status: "connected", tools: 1, protocolVersion: "2024-11-05" },
  ]);
  const { output } = await startCall(connections, "mcp__older__echo", { text: "hi" }).result;
  expect(JSON.stringify(output)).toContain("hi");
  expect(new Set(tokens)).toEqual(new Set(["Bearer key"]));
  await connections.close();
});

it("is found again by the next call after its stream has ended", async () => {
  const connections = await connected({ older: { type: "sse", url: address } });
  endStream();
  const reason = "The server ended its stream.";
  await expect
    .poll(() => connections.status())
    .toEqual([{ name: "older", status: "disconnected", tools: 1, reason }]);
  const { output } = await startCall(connections, "mcp__older__echo", { text: "again" }).result;
  expect(JSON.stringify(output)).toContain("again");
  await connections.close();
});

it("is not spoken to in a version that is not known", async () => {
  spoken = "1999-01-01";
  const connections = await connected({ older: { type: "sse", url: address } });
  expect(connections.status()).toEqual([
    {
      ...{ name: "older", status: "disconnected", tools: 0 },
      reason: "Server's protocol version is not supported: 1999-01-01",
    },
  ]);
  await connections.close();
});
