/**
 * Logins of users at the MCP servers of the agents: listed, started, finished, removed. The answer of a login comes from
 * a browser that sends no token of ours. So it is bound to the attempt by `state`, and to the browser that was sent to
 * the server by a cookie: no user can finish a login that another user started.
 */

import { createHash, randomBytes } from "node:crypto";
import {
  beginLoginAtMcpServer,
  finishLoginAtMcpServer,
  loginKey,
  logOutAtMcpServer,
  type McpLogins,
} from "@callboard/agent-sdk/mcp";
import {
  madeMcpLoginSchema,
  mcpLoginRequestSchema,
  mcpServersSchema,
} from "@callboard/run-log/http";
import { messageOfError } from "@callboard/run-log/values";
import type { LoginAttempt, LoginAttempts } from "@callboard/store";
import { z } from "zod";
import type { Caller } from "../auth/caller.js";
import { isSameSecret } from "../auth/localToken.js";
import { HttpProblem, notFound } from "../http/problem.js";
import { callerRoute, json, publicRoute, type Route } from "../http/route.js";
import type { ServerParts } from "../parts.js";
import { type LoginServer, loginServersOf } from "../runs/loginServers.js";
import { linkPage, messagePage } from "./answerPage.js";

/** Where logins are kept and come back to. */
export interface McpLoginDesk {
  readonly loginsOf: (userId: string) => McpLogins;
  readonly attempts: LoginAttempts;
  /** The address of this server as browsers reach it. */
  readonly publicUrl: string;
}

/** The login page for a server of this address. It contains no secret and may be logged. */
export const loginPageOf = (publicUrl: string, address: string): string =>
  `${publicUrl}/mcp/login?url=${encodeURIComponent(address)}`;

/** How long a person has from the link to the end of the login. */
const attemptMs = 600_000;

export function mcpLoginRoutes(
  parts: ServerParts,
  desk: McpLoginDesk | undefined,
): readonly Route[] {
  const { directory, env, clock, logger, redactor } = parts;
  const html = { description: "A page.", mediaTypes: ["text/html"] };
  const servers = (): readonly LoginServer[] => loginServersOf(directory, env, logger);

  function serverAt(url: string): LoginServer {
    const key = URL.canParse(url) ? loginKey(url) : undefined;
    const found = servers().find((server) => loginKey(server.url) === key);
    if (!found) throw notFound(`MCP server at ${url.slice(0, 200)} that wants a login`);
    return found;
  }

  function openDesk(): McpLoginDesk {
    if (desk) return desk;
    const detail =
      "This server does not know its own address, so no login can come back to it. Set CALLBOARD_PUBLIC_URL.";
    throw new HttpProblem(409, "no-public-url", detail);
  }

  async function begun(caller: Caller, url: string): Promise<{ key: string; expiresAt: number }> {
    if (caller.proof === "fingerprint" || caller.proof === "shareLink") {
      const detail = "Guests and visitors have no logins at MCP servers: sign in first.";
      throw new HttpProblem(403, "not-signed-in", detail);
    }
    const { attempts } = openDesk();
    const now = clock.now();
    const attempt = { userId: caller.userId, serverUrl: serverAt(url).url };
    const expiresAt = now + attemptMs;
    return { key: await attempts.begin(attempt, { now, expiresAt }), expiresAt };
  }

  function consentPage(key: string, { userId, serverUrl }: Omit<LoginAttempt, "id">): Response {
    const { name } = serverAt(serverUrl);
    return linkPage(
      `Log in at ${name}`,
      [
        `The agents of the account ${userId} at ${openDesk().publicUrl} will use the MCP server ${name} (${serverUrl}) in your name.`,
        "Continue only if this is your account and you asked for this login.",
      ],
      { href: `/mcp/login/${key}/go`, words: `Log in at ${name}` },
    );
  }

  async function sent({ attempts, publicUrl }: McpLoginDesk, key: string): Promise<Response> {
    const attempt = await attempts.open(key, clock.now());
    if (!attempt) return overPage();
    const { name, config } = serverAt(attempt.serverUrl);
    const state = `${attempt.id}.${randomBytes(32).toString("base64url")}`;
    const redirectUrl = `${publicUrl}/mcp/callback`;
    const { url, checks } = await beginLoginAtMcpServer(
      { name, config, redirectUrl, state },
      { clock, env },
    );
    const browser = randomBytes(32).toString("base64url");
    const isKept = await attempts.keep(attempt, { ...checks, browser: hashOf(browser) });
    if (!isKept) return overPage();
    const secure = publicUrl.startsWith("https:") ? "; Secure" : "";
    const cookie = `${cookieName(attempt.id)}=${browser}; HttpOnly; SameSite=Lax; Path=/mcp/callback; Max-Age=${attemptMs / 1_000}${secure}`;
    const headers = { location: url, "set-cookie": cookie, "cache-control": "no-store" };
    return new Response(null, { status: 303, headers });
  }

  async function finished(
    { attempts, loginsOf }: McpLoginDesk,
    request: Request,
    answer: URLSearchParams,
  ): Promise<Response> {
    const id = answer.get("state")?.split(".")[0] ?? "";
    const attempt = await attempts.take(id, clock.now());
    if (!attempt) return overPage();
    const { browser } = browserSchema.parse(attempt.checks);
    const given = cookieIn(request, cookieName(id));
    if (given === undefined || !isSameSecret(hashOf(given), browser)) {
      const words = "This browser did not start the login. Nothing was changed: start again.";
      return messagePage(403, "Not your login", words);
    }
    const { name, config } = serverAt(attempt.serverUrl);
    const logins = loginsOf(attempt.userId);
    await finishLoginAtMcpServer(config, attempt.checks, answer, { logins, clock, env });
    return messagePage(
      200,
      "You are logged in",
      `You are logged in at ${name}. Go back to Callboard.`,
    );
  }

  /** The failure of an untrusted server is reported to the person who uses it. */
  async function told(work: Promise<Response>): Promise<Response> {
    return work.catch((error: unknown) => {
      if (error instanceof HttpProblem) return messagePage(error.status, "No login", error.message);
      const reason = messageOfError(error);
      logger.warn("A login at an MCP server failed.", { reason });
      const words = `${redactor.redactText(reason).slice(0, 500)} Nothing was changed.`;
      return messagePage(400, "The login failed", words);
    });
  }

  return [
    callerRoute({
      method: "GET",
      path: "/api/mcp/servers",
      operation: "listMcpServers",
      summary: "The MCP servers of the agents at which a user can log in, and where the caller is.",
      answers: { 200: { description: "The servers.", schema: mcpServersSchema } },
      async handle(_, { userId }) {
        const logins = desk?.loginsOf(userId);
        const items = servers().map(async ({ name, url, agents }) => ({
          ...{ name, url, agents },
          is_logged_in: (await logins?.read(url))?.tokens !== undefined,
        }));
        return json(200, { items: await Promise.all(items) });
      },
    }),
    callerRoute({
      method: "POST",
      path: "/api/mcp/logins",
      operation: "beginMcpLogin",
      summary:
        "Starts a login at an MCP server: returns an address for the caller's own browser, valid for ten minutes.",
      body: mcpLoginRequestSchema,
      answers: { 201: { description: "The address. Returned once.", schema: madeMcpLoginSchema } },
      async handle({ body: { url } }, caller) {
        const { key, expiresAt } = await begun(caller, url);
        const address = `${openDesk().publicUrl}/mcp/login/${key}`;
        return json(201, { url: address, expires_at: new Date(expiresAt).toISOString() });
      },
    }),
    callerRoute({
      method: "DELETE",
      path: "/api/mcp/logins",
      operation: "forgetMcpLogin",
      summary: "Forgets the caller's login at an MCP server.",
      body: mcpLoginRequestSchema,
      answers: { 204: { description: "It is gone." } },
      async handle({ body: { url } }, { userId }) {
        const { name, config } = serverAt(url);
        const logins = openDesk().loginsOf(userId);
        if (!(await logOutAtMcpServer(config, { logins, env }))) throw notFound(`login at ${name}`);
        return new Response(null, { status: 204 });
      },
    }),
    publicRoute({
      method: "GET",
      path: "/mcp/login",
      operation: "mcpLoginPage",
      summary: "The page on which the signed-in user logs in at an MCP server.",
      query: z.object({ url: z.string().max(2_000) }),
      answers: { 200: html, 401: html, 404: html, 409: html },
      handle: ({ query: { url } }, caller) =>
        told(
          (async () => {
            if (!caller) return strangerPage();
            const { key } = await begun(caller, url);
            return consentPage(key, { userId: caller.userId, serverUrl: serverAt(url).url });
          })(),
        ),
    }),
    publicRoute({
      method: "GET",
      path: "/mcp/login/{key}",
      operation: "openMcpLogin",
      summary: "The page of a started login: which user will use which server. It starts nothing.",
      params: keyParams,
      answers: { 200: html, 404: html, 410: html },
      handle: ({ params: { key } }) =>
        told(
          (async () => {
            const attempt = await openDesk().attempts.open(key, clock.now());
            return attempt ? consentPage(key, attempt) : overPage();
          })(),
        ),
    }),
    publicRoute({
      method: "GET",
      path: "/mcp/login/{key}/go",
      operation: "goToMcpLogin",
      summary:
        "Sends the browser to the MCP server's own page, and remembers which browser it was.",
      params: keyParams,
      answers: { 303: { description: "To the server's page." }, 400: html, 410: html },
      handle: ({ params: { key } }) => told((async () => sent(openDesk(), key))()),
    }),
    publicRoute({
      method: "GET",
      path: "/mcp/callback",
      operation: "finishMcpLogin",
      summary: "Where an MCP server sends the browser back to. Each login is finished once.",
      answers: { 200: html, 400: html, 403: html, 410: html },
      handle: ({ context: { request } }) =>
        told((async () => finished(openDesk(), request, new URL(request.url).searchParams))()),
    }),
  ];
}

const keyParams = z.object({ key: z.string().max(200) });
const browserSchema = z.looseObject({ browser: z.string() });

/** Of each login its own: two may be under way side by side. */
const cookieName = (id: string): string => `callboard_mcp_${id}`;

const hashOf = (secret: string): string => createHash("sha256").update(secret).digest("hex");

function cookieIn(request: Request, name: string): string | undefined {
  const cookies = (request.headers.get("cookie") ?? "").split(";").map((cookie) => cookie.trim());
  return cookies.find((cookie) => cookie.startsWith(`${name}=`))?.slice(name.length + 1);
}

function overPage(): Response {
  const words = "This login was finished, has expired, or was never started. Start again.";
  return messagePage(410, "This login is over", words);
}

function strangerPage(): Response {
  const words =
    "This browser is not signed in here. Start the login in the application in which you use this agent: it asks for a link with POST /api/mcp/logins.";
  return messagePage(401, "Who are you?", words);
}
