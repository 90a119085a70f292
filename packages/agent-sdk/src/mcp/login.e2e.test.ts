/** Logging in at a server by OAuth, over real HTTP: tokens are renewed once for all who wait, and a dead login says so. */
import { mkdtempSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type OAuthServer, startOAuthServer } from "@callboard/testkit";
import { createMcpHandler, McpServer } from "@modelcontextprotocol/server";
import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from "vitest";
import { z } from "zod";
import { systemClock } from "../system/systemClock.js";
import { connectMcpServers, type McpConnections } from "./index.js";
import { beginMcpLogin, finishMcpLogin, forgetMcpLogin, logInByLoopback } from "./login.js";
import { createFileLogins, type McpLogins } from "./logins.js";
import { silentLogger, startCall } from "./testing/mcpStage.js";

let server: OAuthServer;
let folder: string;
let logins: McpLogins;
let now: number;
const open: McpConnections[] = [];
const clock = { ...systemClock, now: () => now };
const env = {};

beforeAll(async () => {
  const mcp = createMcpHandler(() => {
    const guarded = new McpServer({ name: "guarded", version: "1" });
    guarded.registerTool("echo", { inputSchema: z.object({ text: z.string() }) }, ({ text }) => ({
      content: [{ type: "text", text }],
    }));
    return guarded;
  });
  server = await startOAuthServer((request) => mcp.fetch(request));
});
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "callboard-logins-"));
  logins = createFileLogins(join(folder, "mcp-logins.json"));
  now = 1_700_000_000_000;
  server.grants.length = 0;
});
afterEach(async () => {
  for (const connections of open.splice(0)) await connections.close();
  rmSync(folder, { recursive: true });
});
afterAll(() => server.close());

async function connected(): Promise<McpConnections> {
  const connections = await connectMcpServers(
    { guarded: { url: server.url } },
    {
      ...{ logger: silentLogger, clock, env, canAsk: false, logins },
      howToLogIn: (name) => `Run \`callboard mcp login ${name}\` to log in.`,
    },
  );
  open.push(connections);
  return connections;
}

/** The browser of a person who agrees to everything. */
const visit = (url: string): void => void fetch(url);

const logIn = (): Promise<void> => {
  const { signal } = new AbortController();
  return logInByLoopback("guarded", { url: server.url }, { logins, clock, env, visit, signal });
};

const echoed = (connections: McpConnections): Promise<unknown> =>
  startCall(connections, "mcp__guarded__echo", { text: "hi" }).result.then(({ output }) => output);

it("is needed, is made in a browser, and is kept where nobody else can read it", async () => {
  expect((await connected()).status()).toEqual([
    {
      ...{ name: "guarded", status: "disconnected", tools: 0 },
      reason: "The MCP server guarded needs a login. Run `callboard mcp login guarded` to log in.",
    },
  ]);
  await logIn();
  expect(server.grants).toEqual(["authorization_code"]);
  expect(statSync(join(folder, "mcp-logins.json")).mode & 0o777).toBe(0o600);
  expect(await echoed(await connected())).toBe("hi");
  expect(await forgetMcpLogin({ url: `${server.url}/?a#b` }, { logins, env })).toBe(true);
  expect(await logins.read(server.url)).toBeUndefined();
});

it("is renewed before it expires, once for all calls side by side", async () => {
  await logIn();
  const connections = await connected();
  server.grants.length = 0;
  now += 3_600_000 - 59_000;
  const all = await Promise.all([1, 2, 3, 4].map(() => echoed(connections)));
  expect(all).toEqual(["hi", "hi", "hi", "hi"]);
  expect(server.grants).toEqual(["refresh_token"]);
});

it("is renewed when the server refuses it, once for all calls side by side", async () => {
  await logIn();
  const connections = await connected();
  server.grants.length = 0;
  server.revokeAccess();
  const all = await Promise.all([1, 2, 3].map(() => echoed(connections)));
  expect(all).toEqual(["hi", "hi", "hi"]);
  expect(server.grants).toEqual(["refresh_token"]);
});

it("is not lost where another process has renewed it meanwhile", async () => {
  await logIn();
  const connections = await connected();
  const other = await logins.read(server.url);
  server.revokeAccess();
  expect(await echoed(connections)).toBe("hi");
  const renewed = await logins.read(server.url);
  // What this process read is older than what the other one has written since.
  const { read } = logins;
  let reads = 0;
  logins.read = (url) => {
    reads += 1;
    return reads === 2 ? Promise.resolve(other) : read(url);
  };
  now += 3_600_000;
  expect(await echoed(connections)).toBe("hi");
  expect(await read(server.url)).toEqual(renewed);
});

it("says how to log in again once it is revoked", async () => {
  await logIn();
  const connections = await connected();
  server.revokeAll();
  await expect(echoed(connections)).rejects.toMatchObject({
    errorType: "mcp_login",
    message:
      "The MCP server guarded no longer accepts the login. Run `callboard mcp login guarded` to log in.",
  });
  // What is dead is forgotten, and is not tried again.
  expect((await logins.read(server.url))?.tokens).toBeUndefined();
});

it("takes no answer of another login, and no refusal", async () => {
  await logIn();
  const held = await logins.read(server.url);
  server.grants.length = 0;
  const options = { logins, clock, env };
  const redirect = "http://127.0.0.1:9/callback";
  const config = { url: server.url };
  const { checks } = await beginMcpLogin("guarded", config, redirect, options);
  const answer = (fields: Record<string, string>) =>
    finishMcpLogin(config, checks, new URLSearchParams(fields), options);
  await expect(answer({ code: "x", state: "other" })).rejects.toThrow("belongs to another login");
  const refusal = { error: "access_denied", state: checks.state };
  await expect(answer(refusal)).rejects.toThrow("The login was refused (access_denied).");
  expect(server.grants).toEqual([]);
  // A login that holds is not lost to one that fails.
  expect(await logins.read(server.url)).toEqual(held);
  const program = beginMcpLogin("local", { command: "x" }, redirect, options);
  await expect(program).rejects.toThrow("it needs no login");
});
