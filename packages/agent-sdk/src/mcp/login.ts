/**
 * A person logs in at an MCP server by OAuth 2.1 with PKCE: they are sent to the server's own page, and its answer comes
 * back to `redirectUrl`. Whoever serves that address finishes the login with what came.
 */

import { createServer } from "node:http";
import { withoutUndefined } from "@callboard/run-log/values";
import { auth, type OAuthDiscoveryState } from "@modelcontextprotocol/client";
import { z } from "zod";
import type { Clock } from "../types/clock.js";
import { createOAuthClient } from "./authorization.js";
import { expandedConfig, isHttpConfig } from "./config.js";
import { createMemoryLogins, type McpLogin, type McpLogins } from "./logins.js";
import type { Environment, McpServerConfig } from "./serverConfig.js";

export interface McpLoginOptions {
  readonly logins: McpLogins;
  readonly clock: Clock;
  readonly env: Environment;
}

/** What the answer of a login is checked against, as JSON: the process that starts a login need not be the one that ends it. Secret. */
export interface McpLoginChecks {
  /** The `state` of the answer. */
  readonly state: string;
  readonly codeVerifier: string;
  readonly redirectUrl: string;
  readonly discovery: OAuthDiscoveryState;
  readonly client?: NonNullable<McpLogin["client"]>;
}

const checksSchema: z.ZodType<McpLoginChecks> = z.object({
  state: z.string(),
  codeVerifier: z.string(),
  redirectUrl: z.string(),
  discovery: z.custom<OAuthDiscoveryState>(
    (value) => z.looseObject({ authorizationServerUrl: z.string() }).safeParse(value).success,
  ),
  client: z.looseObject({ client_id: z.string() }).exactOptional(),
});

/** Undefined if the value is not such checks. */
export function parseMcpLoginChecks(value: unknown): McpLoginChecks | undefined {
  return checksSchema.safeParse(value).data;
}

export interface BegunLogin {
  /** Where the person is to go. */
  readonly url: string;
  readonly checks: McpLoginChecks;
}

/** Starts a login again. An existing login stays valid until the new one is finished. */
export async function beginMcpLogin(
  name: string,
  given: McpServerConfig,
  redirectUrl: string,
  { clock, env, state }: Pick<McpLoginOptions, "clock" | "env"> & { readonly state?: string },
): Promise<BegunLogin> {
  const config = expandedConfig(given, env);
  if (!isHttpConfig(config)) {
    throw new Error(`The MCP server ${name} is a program that is started here: it needs no login.`);
  }
  const logins = createMemoryLogins();
  const client = createOAuthClient({
    ...{ config, logins, clock, redirectUrl },
    ...withoutUndefined({ state }),
  });
  await auth(client, { serverUrl: config.url });
  const discovery = await client.discoveryState?.();
  if (client.sentTo === undefined || discovery === undefined) {
    throw new Error(`The MCP server ${name} names no page to log in at.`);
  }
  const registered = (await logins.read(config.url))?.client;
  return {
    url: client.sentTo.href,
    checks: {
      state: client.expectedState,
      codeVerifier: await client.codeVerifier(),
      redirectUrl,
      discovery,
      ...withoutUndefined({ client: registered }),
    },
  };
}

/** With the parameters of the answer. Rejects if they are not an answer, or a refusal; `logins` then stays unchanged. */
export async function finishMcpLogin(
  given: McpServerConfig,
  { state, codeVerifier, redirectUrl, discovery, client: registered }: McpLoginChecks,
  answer: URLSearchParams,
  { logins, clock, env }: McpLoginOptions,
): Promise<void> {
  const config = expandedConfig(given, env);
  if (!isHttpConfig(config)) throw new Error("A program that is started here needs no login.");
  if (answer.get("state") !== state) {
    throw new Error("The answer belongs to another login. Start again.");
  }
  const code = answer.get("code");
  const iss = answer.get("iss");
  if (code === null) throw new Error(`The login was refused (${refusalIn(answer)}).`);
  const made = createMemoryLogins();
  await made.write(config.url, withoutUndefined({ client: registered }));
  const client = createOAuthClient({
    ...{ config, logins: made, clock, redirectUrl },
    ...{ state, codeVerifier, discovery },
  });
  const authorizationCode = code;
  await auth(client, {
    serverUrl: config.url,
    authorizationCode,
    ...(iss === null ? {} : { iss }),
  });
  await logins.write(config.url, await made.read(config.url));
}

function refusalIn(answer: URLSearchParams): string {
  const reason = answer.get("error_description") ?? answer.get("error") ?? "it names no reason";
  return reason.slice(0, 300);
}

export interface LoopbackLoginOptions extends McpLoginOptions {
  /** Tells the person where to go. */
  readonly visit: (url: string) => void;
  /** Aborts when the caller no longer waits. */
  readonly signal: AbortSignal;
}

/** Logs in with a browser on this machine: the answer comes to a port of the loopback, which is open for this alone. */
export async function logInByLoopback(
  name: string,
  config: McpServerConfig,
  options: LoopbackLoginOptions,
): Promise<void> {
  const answers = await openLoopback(options.signal);
  try {
    const { url, checks } = await beginMcpLogin(name, config, answers.url, options);
    options.visit(url);
    await answers.first((answer) => finishMcpLogin(config, checks, answer, options));
  } finally {
    answers.close();
  }
}

interface Loopback {
  readonly url: string;
  first(take: (answer: URLSearchParams) => Promise<void>): Promise<void>;
  close(): void;
}

async function openLoopback(signal: AbortSignal): Promise<Loopback> {
  let take: ((answer: URLSearchParams) => Promise<void>) | undefined;
  let settle: (error?: unknown) => void = () => undefined;
  const path = "/callback";
  const server = createServer(async (request, response) => {
    const asked = new URL(request.url ?? "/", "http://127.0.0.1");
    if (asked.pathname !== path || take === undefined) {
      response.writeHead(404).end();
      return;
    }
    const say = (status: number, text: string): void => {
      const headers = { "content-type": "text/plain; charset=utf-8", connection: "close" };
      response.writeHead(status, headers).end(text);
    };
    try {
      await take(asked.searchParams);
      say(200, "You are logged in. You can close this page.");
      settle();
    } catch (error) {
      say(400, "The login failed. The terminal shows the reason.");
      settle(error);
    }
  });
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject);
    server.listen(0, "127.0.0.1", resolve);
  });
  const address = server.address();
  const port = typeof address === "object" ? address?.port : address;
  return {
    url: `http://127.0.0.1:${port}${path}`,
    first(given) {
      take = given;
      return new Promise((resolve, reject) => {
        settle = (error) => (error === undefined ? resolve() : reject(error));
        const stop = (): void => reject(new Error("The login was given up."));
        if (signal.aborted) stop();
        signal.addEventListener("abort", stop, { once: true });
      });
    },
    close() {
      server.close();
      server.closeIdleConnections();
    },
  };
}

/** Removes the login at a server. False if there was none. */
export async function forgetMcpLogin(
  config: McpServerConfig,
  { logins, env }: Pick<McpLoginOptions, "logins" | "env">,
): Promise<boolean> {
  const expanded = expandedConfig(config, env);
  if (!isHttpConfig(expanded) || (await logins.read(expanded.url)) === undefined) return false;
  await logins.write(expanded.url, undefined);
  return true;
}
