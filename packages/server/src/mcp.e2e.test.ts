/** A real MCP server behind a configured agent: one process for all runs, found again when it dies, ended with the node. */
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { systemClock } from "@callboard/agent-sdk";
import { createRehearsalModel } from "@callboard/agent-sdk/testing";
import { builtProgram } from "@callboard/testkit";
import { openEmbeddedStore } from "@callboard/testkit/postgres";
import { expect, it } from "vitest";
import { startServer } from "./startServer.js";
import { quietLogger } from "./testing/place.js";
import { fieldOf, textAtPath } from "./testing/reading.js";

const program = builtProgram("packages/agent-sdk/src/mcp/testing/stdio-server-cli.js");

it("MCP servers are shared by runs, found again, and ended with the node", async () => {
  const home = await mkdtemp(join(tmpdir(), "callboard-mcp-"));
  const server = await startServer({
    port: 0,
    home,
    env: { CALLBOARD_HOME: home },
    logger: quietLogger,
    store: await openEmbeddedStore({ clock: systemClock, logger: quietLogger }),
    agents: {
      default: {
        tools: [],
        model: createRehearsalModel({ clock: systemClock }),
        approval: { allow: ["mcp__test__*"] },
        mcpServers: { test: { command: process.execPath, args: [...program] } },
      },
    },
  });
  const ask = async (path: string, body: object): Promise<Response> => {
    const headers = { authorization: `Bearer ${server.token}`, "content-type": "application/json" };
    const sent = JSON.stringify({ ...body, stream: false });
    return fetch(`${server.url}${path}`, { method: "POST", headers, body: sent });
  };
  const begun = await ask("/api/agent/execute", { user_input: "call mcp__test__process {}" });
  const id = begun.headers.get("x-conversation-id");
  const ran = async (tool: string): Promise<string> => {
    const answer = await ask(`/api/conversations/${id}/calls`, { tool_name: `mcp__test__${tool}` });
    return textAtPath(await answer.json(), "output");
  };
  const client_tools = [{ name: "mine" }, { name: "mcp__test__process" }];
  const taken = await ask("/api/agent/execute", { user_input: "say no", client_tools });
  expect([taken.status, fieldOf(await taken.json(), "errors", 0, "field")]).toEqual([
    422,
    "client_tools.1",
  ]);
  const first = await ran("process");
  expect(first).toMatch(/^\d+$/);
  expect(await ran("process")).toBe(first);
  await ran("die");
  const second = await ran("process");
  expect(second).toMatch(/^\d+$/);
  expect(second).not.toBe(first);
  await server.close();
  expect(() => process.kill(Number(second), 0)).toThrow("ESRCH");
  await rm(home, { recursive: true, force: true });
});
