/** Users of a server log in at an MCP server by OAuth, each for themselves, on two nodes that share a database. */
import { randomUUID } from "node:crypto";
import { type OAuthServer, startOAuthServer } from "@callboard/testkit";
import { afterAll, beforeAll, expect, it, vi } from "vitest";
import { z } from "zod";
import { createTestUser, openPlace, type TestPlace, type TestUser } from "./testing/place.js";
import { fieldOf, textAtPath, valuesOf } from "./testing/reading.js";

let oauth: OAuthServer;
let opened: Awaited<ReturnType<typeof openPlace>>;
let place: TestPlace;
const publicUrl = "http://callboard.test";

const requestSchema = z.looseObject({ id: z.unknown().optional(), method: z.string() });

/** As much of an MCP server as a call needs: one tool, which says whose token came. */
async function guarded(request: Request): Promise<Response> {
  if (request.method !== "POST") return new Response("", { status: 405 });
  const { id, method } = requestSchema.parse(await request.json());
  const result = (value: object): Response => Response.json({ jsonrpc: "2.0", id, result: value });
  switch (method) {
    case "initialize":
      return result({
        protocolVersion: "2025-06-18",
        capabilities: { tools: {} },
        serverInfo: { name: "tickets", version: "1" },
      });
    case "tools/list":
      return result({ tools: [{ name: "whoami", inputSchema: { type: "object" } }] });
    case "tools/call":
      return result({
        content: [{ type: "text", text: request.headers.get("authorization") ?? "nobody" }],
      });
    default:
      return id === undefined
        ? new Response(null, { status: 202 })
        : Response.json({ jsonrpc: "2.0", id, error: { code: -32601, message: "unknown" } });
  }
}

beforeAll(async () => {
  oauth = await startOAuthServer(guarded);
  const tickets = { url: oauth.url };
  const agent = { mcpServers: { tickets }, approval: { allow: ["mcp__tickets__*"] } };
  opened = await openPlace("two nodes, PostgreSQL", {
    publicUrl,
    agents: { default: { ...agent, asksUser: true } },
  });
  place = opened.place;
});
afterAll(async () => {
  await opened.close();
  await oauth.close();
});

const loginSchema = z.object({ url: z.string(), expires_at: z.string() });

/** What a browser gets at an address of the server, wherever the next node listens. */
const visit = (address: string, headers: Record<string, string> = {}): Promise<Response> =>
  fetch(place.url(address.replace(publicUrl, "")), { redirect: "manual", headers });

async function begun(user: TestUser): Promise<string> {
  const response = await place.ask(user, "POST", "/api/mcp/logins", { url: oauth.url });
  expect(response.status).toBe(201);
  return loginSchema.parse(await response.json()).url;
}

interface Sent {
  /** Where the MCP server sends the browser back to. */
  readonly back: string;
  readonly cookie: string;
}

/** The browser of a person who agrees to everything, up to the answer. */
async function sentBack(link: string): Promise<Sent> {
  const going = await visit(`${link}/go`);
  expect(going.status).toBe(303);
  const authorized = await fetch(going.headers.get("location") ?? "", { redirect: "manual" });
  return {
    back: authorized.headers.get("location") ?? "",
    cookie: going.headers.get("set-cookie")?.split(";")[0] ?? "",
  };
}

async function logIn(user: TestUser): Promise<void> {
  const { back, cookie } = await sentBack(await begun(user));
  expect((await visit(back, { cookie })).status).toBe(200);
}

const listed = async (user: TestUser) =>
  fieldOf(await (await place.ask(user, "GET", "/api/mcp/servers")).json(), "items");

const server = (isLoggedIn: boolean) => ({
  ...{ name: "tickets", url: oauth.url, agents: ["default"], is_logged_in: isLoggedIn },
});

it("are logged in each for themselves, and log out", async () => {
  const [ada, bob] = [await createTestUser(), await createTestUser()];
  await logIn(ada);
  expect([await listed(ada), await listed(bob)]).toEqual([[server(true)], [server(false)]]);
  const loggedOut = await place.ask(ada, "DELETE", "/api/mcp/logins", { url: oauth.url });
  expect([loggedOut.status, await listed(ada)]).toEqual([204, [server(false)]]);
  const again = await place.ask(ada, "DELETE", "/api/mcp/logins", { url: oauth.url });
  expect(again.status).toBe(404);
});

it("see whose agents will use which server before they go there", async () => {
  const ada = await createTestUser();
  const page = await (await visit(await begun(ada))).text();
  expect(page).toContain(
    `the account ${ada.userId} at ${publicUrl} will use the MCP server tickets`,
  );
  expect(page).toContain(oauth.url);
});

it("finish a login once, in the browser in which they started it", async () => {
  const ada = await createTestUser();
  const link = await begun(ada);
  const { back } = await sentBack(link);
  // Somebody else was sent the address of the answer, or the link of the server's page.
  expect((await visit(back)).status).toBe(403);
  expect([(await visit(back)).status, await listed(ada)]).toEqual([410, [server(false)]]);
  const { back: good, cookie } = await sentBack(await begun(ada));
  const other = { cookie: `${cookie.slice(0, -3)}abc` };
  expect((await visit(good.replace(/state=[^&]+/, "state=x"), { cookie })).status).toBe(410);
  expect((await visit(good, { cookie })).status).toBe(200);
  expect([(await visit(good, other)).status, (await visit(good, { cookie })).status]).toEqual([
    410, 410,
  ]);
  const refused = await sentBack(await begun(ada));
  const denied = `/mcp/callback?error=access_denied&state=${new URL(refused.back).searchParams.get("state")}`;
  const failed = await visit(denied, { cookie: refused.cookie });
  expect([failed.status, await failed.text()]).toEqual([
    400,
    expect.stringContaining("The login was refused (access_denied). Nothing was changed."),
  ]);
  // The login of before still holds.
  expect(await listed(ada)).toEqual([server(true)]);
});

it("are told where to start when nobody knows who they are, or which server they mean", async () => {
  const ada = await createTestUser();
  const page = `/mcp/login?url=${encodeURIComponent(oauth.url)}`;
  expect((await visit(page)).status).toBe(401);
  expect((await visit(page, ada.headers)).status).toBe(200);
  expect((await visit("/mcp/login/unknown")).status).toBe(410);
  const elsewhere = { url: "https://elsewhere.example/mcp" };
  const unknown = await place.ask(ada, "POST", "/api/mcp/logins", elsewhere);
  expect(unknown.status).toBe(404);
});

const runSchema = z.object({
  status: z.enum(["open", "closed"]),
  pending_calls: z.array(z.looseObject({ call_id: z.string(), arguments: z.unknown() })),
});

/** A node keeps the connection, and with it the list of tools, from one message to the next. */
const said = (user: TestUser, message: object, node = 0): Promise<Response> =>
  fetch(`${place.nodes[node]?.url}/api/agent/execute`, {
    method: "POST",
    headers: { ...user.headers, "content-type": "application/json" },
    body: JSON.stringify(message),
  });

/** Sends a message, logs in when the run asks for it, and gives how its calls ended. */
async function answeredByLogin(user: TestUser, message: object): Promise<readonly unknown[]> {
  const started = await said(user, message);
  const runId = started.headers.get("x-request-id") ?? "";
  const values = valuesOf(started);
  const question = await vi.waitFor(async () => {
    const run = await place.ask(user, "GET", `/api/agent/runs/${runId}`);
    const [asked] = runSchema.parse(await run.json()).pending_calls;
    if (asked === undefined) throw new Error("nothing is asked yet");
    return asked;
  }, 120_000);
  expect(question.arguments).toEqual({
    question:
      "The MCP server tickets needs your login. Open the link, log in there, and answer then.",
    url: `${publicUrl}/mcp/login?url=${encodeURIComponent(oauth.url)}`,
    choices: ["I have logged in"],
  });
  await logIn(user);
  const path = `/api/agent/runs/${runId}/calls/${question.call_id}/result`;
  expect((await place.ask(user, "POST", path, { output: "I have logged in" })).status).toBe(200);
  return endsIn(await values);
}

/** The calls that ended, but for questions: their tools and results. */
function endsIn(values: readonly unknown[]): readonly (readonly string[])[] {
  return values.flatMap((value) => {
    const name = textAtPath(value, "data", "tool_name");
    const isEnd = ["tool_completed", "tool_error"].includes(textAtPath(value, "data", "event"));
    return isEnd && name !== "ask_user"
      ? [[name, textAtPath(value, "data", "data", "result")]]
      : [];
  });
}

it("have expired logins renewed on any node, each their own, once for all nodes", async () => {
  const [ada, bob] = [await createTestUser(), await createTestUser()];
  await logIn(ada);
  await logIn(bob);
  /** The token with which the call of this user came to the MCP server. */
  const tokenOf = async (user: TestUser, node: number): Promise<string> => {
    const message = { user_input: "call mcp__tickets__whoami {}\nsay over" };
    const [[name, token = ""] = []] = endsIn(await valuesOf(await said(user, message, node)));
    expect([name, token]).toEqual([
      "mcp__tickets__whoami",
      expect.stringMatching(/^Bearer access-/),
    ]);
    return token;
  };
  const before = [await tokenOf(ada, 0), await tokenOf(bob, 0)];
  oauth.revokeAccess();
  oauth.grants.length = 0;
  const after = [await tokenOf(ada, 1), await tokenOf(bob, 0)];
  expect(new Set([...before, ...after]).size).toBe(4);
  expect(oauth.grants).toEqual(["refresh_token", "refresh_token"]);
  // The other node has the old token of the first user, and uses the new one.
  expect(await tokenOf(ada, 0)).toBe(after[0]);
  expect(oauth.grants).toHaveLength(2);
});

it("are asked to log in by the call that needs it, which is then made", async () => {
  const ada = await createTestUser();
  const conversation_id = randomUUID();
  const first = { conversation_id, user_input: "call mcp__tickets__log_in {}\nsay over" };
  expect(await answeredByLogin(ada, first)).toEqual([
    [
      "mcp__tickets__log_in",
      "Logged in at tickets. From the next message on these tools of it can be called: whoami.",
    ],
  ]);
  oauth.revokeAll();
  const next = { conversation_id, user_input: "call mcp__tickets__whoami {}\nsay over" };
  expect(await answeredByLogin(ada, next)).toEqual([
    ["mcp__tickets__whoami", expect.stringMatching(/^Bearer access-/)],
  ]);
});
