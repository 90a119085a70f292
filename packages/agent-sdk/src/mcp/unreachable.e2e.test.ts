import { afterEach, describe, expect, it, vi } from "vitest";
import { createFakeClock } from "../system/fakeClock.js";
import type { McpConnections } from "./index.js";
import { connected, startCall, startHttpServer, stdioServer } from "./testing/mcpStage.js";

const open: (() => Promise<void>)[] = [];

afterEach(async () => {
  for (const close of open.splice(0).toReversed()) await close();
});

const kept = async (connecting: Promise<McpConnections>): Promise<McpConnections> => {
  const connections = await connecting;
  open.push(() => connections.close());
  return connections;
};
const isLost = (connections: McpConnections): Promise<void> =>
  vi.waitFor(() => expect(connections.status()[0]?.status).toBe("disconnected"), 120_000);
const textOf = async (connections: McpConnections, name: string, input = {}) =>
  (await startCall(connections, name, input).result).output;

describe("a server that cannot be had", () => {
  it("does not keep the others from working, and says why", async () => {
    const connections = await kept(
      connected({
        missing: { command: "/nowhere/at-all" },
        unset: { command: "x", env: { A: `\${MCP_TEST_UNSET}` } },
        refused: { url: "http://127.0.0.1:9/mcp" },
        test: stdioServer(),
      }),
    );
    expect(connections.status()).toMatchObject([
      { name: "missing", status: "disconnected", reason: expect.stringContaining("ENOENT") },
      { name: "unset", status: "disconnected", reason: expect.stringContaining("MCP_TEST_UNSET") },
      { name: "refused", status: "disconnected" },
      { name: "test", status: "connected" },
    ]);
    expect(await textOf(connections, "mcp__test__echo", { text: "here" })).toBe("here");
  });

  it("is not waited for longer than its time", async () => {
    const clock = createFakeClock();
    const connecting = connected({ deaf: stdioServer("--deaf") }, clock);
    await clock.untilAsleep(30_000);
    await clock.advance(30_000);
    await clock.untilAsleep(1_000);
    await clock.advance(1_000);
    const connections = await kept(connecting);
    expect(connections.status()).toMatchObject([
      { status: "disconnected", reason: "No answer came within 30 s." },
    ]);
  });

  it("is looked for three times with growing pauses, then reported", async () => {
    const clock = createFakeClock();
    const server = await startHttpServer();
    open.push(() => server.kill());
    const headers = { authorization: "Bearer test-token-1" };
    const connections = await kept(connected({ test: { url: server.url, headers } }, clock));
    await server.kill();
    await isLost(connections);
    const call = startCall(connections, "mcp__test__echo", { text: "x" });
    const failure = expect(call.result).rejects.toMatchObject({
      errorType: "mcp_connection",
      isRetryable: true,
      message: expect.stringMatching(/^The MCP server test could not be reached: .*/),
    });
    await clock.untilAsleep(500);
    await clock.advance(500);
    await clock.untilAsleep(1_000);
    await clock.advance(1_000);
    await failure;
  });

  it("does not hold a call that was cancelled while it is looked for", async () => {
    const clock = createFakeClock();
    const server = await startHttpServer();
    open.push(() => server.kill());
    const headers = { authorization: "Bearer test-token-1" };
    const connections = await kept(connected({ test: { url: server.url, headers } }, clock));
    await server.kill();
    await isLost(connections);
    const call = startCall(connections, "mcp__test__echo", { text: "x" });
    const failure = expect(call.result).rejects.toMatchObject({ errorType: "cancelled" });
    await clock.untilAsleep(500);
    call.cancel();
    await failure;
  });

  it("says so when the credentials are wrong", async () => {
    const server = await startHttpServer();
    open.push(() => server.kill());
    const connections = await kept(connected({ test: { url: server.url } }));
    expect(connections.status()).toMatchObject([
      { status: "disconnected", reason: "The MCP server test needs a login. Log in at test." },
    ]);
  });
});
