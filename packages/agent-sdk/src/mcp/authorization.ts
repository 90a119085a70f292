/**
 * The login at an MCP server by OAuth 2.1: each request has the access token, which is renewed shortly before it expires
 * and when the server refuses it, once for all waiting requests. No browser is opened here: without a valid login, the
 * error describes how to log in.
 */

import { randomBytes } from "node:crypto";
import { withoutUndefined } from "@callboard/run-log/values";
import {
  type AuthProvider,
  discoverOAuthServerInfo,
  type OAuthClientProvider,
  type OAuthDiscoveryState,
  OAuthError,
  refreshAuthorization,
  type StoredOAuthClientInformation,
} from "@modelcontextprotocol/client";
import type { Clock } from "../types/clock.js";
import { type McpLogin, McpLoginNeededError, type McpLogins } from "./logins.js";
import type { McpHttpConfig } from "./serverConfig.js";

export interface AuthorizationOptions {
  readonly server: string;
  readonly config: McpHttpConfig;
  readonly logins: McpLogins;
  readonly clock: Clock;
  /** How the person logs in, for the error: "Run `callboard mcp login tickets`." */
  readonly howToLogIn: string;
}

/** A token is renewed this long before it expires, so that it does not expire on its way. */
const renewedBeforeMs = 60_000;

export function createAuthorization(options: AuthorizationOptions): AuthProvider {
  const { server, config, logins, clock, howToLogIn } = options;
  let renewing: Promise<void> | undefined;

  const needed = (why: string, cause?: unknown): McpLoginNeededError =>
    new McpLoginNeededError(`The MCP server ${server} ${why}. ${howToLogIn}`, { cause });

  function renewed(): Promise<void> {
    renewing ??= renew().finally(() => {
      renewing = undefined;
    });
    return renewing;
  }

  async function renew(): Promise<void> {
    const login = await logins.read(config.url);
    if (login?.tokens === undefined) throw needed("needs a login");
    const over = (cause?: unknown) => needed("no longer accepts the login", cause);
    const { refresh_token: refreshToken, issuer } = login.tokens;
    const client = createOAuthClient({ config, logins, clock, redirectUrl: "" });
    const clientInformation = await client.clientInformation();
    if (refreshToken === undefined || clientInformation === undefined) throw over();
    const { authorizationServerUrl, authorizationServerMetadata, resourceMetadata } =
      await discoverOAuthServerInfo(config.url);
    // A refresh token is sent only to its issuer.
    if (issuer !== undefined && issuer !== authorizationServerMetadata?.issuer) throw over();
    try {
      const tokens = await refreshAuthorization(authorizationServerUrl, {
        ...(authorizationServerMetadata ? { metadata: authorizationServerMetadata } : {}),
        ...(resourceMetadata ? { resource: resourceMetadata.resource } : {}),
        clientInformation,
        refreshToken,
      });
      await client.saveTokens({ ...tokens, issuer });
    } catch (error) {
      if (!(error instanceof OAuthError)) throw error;
      // Another process of this user may have renewed it meanwhile: then this refresh token was used up by it.
      const now = await logins.read(config.url);
      if (now?.tokens !== undefined && now.tokens.refresh_token !== refreshToken) return;
      await client.invalidateCredentials?.("tokens");
      throw over(error);
    }
  }

  return {
    async token() {
      const login = await logins.read(config.url);
      const { expiresAt = Number.POSITIVE_INFINITY, tokens } = login ?? {};
      if (tokens?.refresh_token === undefined || clock.now() < expiresAt - renewedBeforeMs) {
        return tokens?.access_token;
      }
      await renewed();
      return (await logins.read(config.url))?.tokens?.access_token;
    },
    onUnauthorized: () => renewed(),
  };
}

export interface OAuthClientOptions {
  readonly config: McpHttpConfig;
  readonly logins: McpLogins;
  readonly clock: Clock;
  readonly redirectUrl: string;
  /** The `state` that the answer must contain. Default random. */
  readonly state?: string;
  /** The state of a login that was started before. */
  readonly codeVerifier?: string;
  readonly discovery?: OAuthDiscoveryState;
}

export interface OAuthClient extends OAuthClientProvider {
  /** The address to which the person is sent, once the flow provides it. */
  readonly sentTo: URL | undefined;
  /** The `state` that the answer must contain. */
  readonly expectedState: string;
}

/** The client of one server, for one login: what it learns is kept in `logins`. */
export function createOAuthClient(options: OAuthClientOptions): OAuthClient {
  const { config, logins, clock, redirectUrl } = options;
  const { url, oauth } = config;
  const { state: expectedState = randomBytes(32).toString("base64url") } = options;
  let verifier = options.codeVerifier ?? "";
  let sentTo: URL | undefined;
  let discovered = options.discovery;
  const change = async (changed: (login: McpLogin) => McpLogin): Promise<void> =>
    logins.write(url, changed((await logins.read(url)) ?? {}));
  const given: StoredOAuthClientInformation | undefined =
    oauth?.clientId === undefined
      ? undefined
      : {
          client_id: oauth.clientId,
          ...withoutUndefined({ client_secret: oauth.clientSecret }),
        };
  return {
    redirectUrl,
    clientMetadata: {
      client_name: "Callboard",
      redirect_uris: [redirectUrl],
      grant_types: ["authorization_code", "refresh_token"],
      response_types: ["code"],
      token_endpoint_auth_method:
        given?.client_secret === undefined ? "none" : "client_secret_post",
      ...withoutUndefined({ scope: oauth?.scope }),
    },
    expectedState,
    get sentTo() {
      return sentTo;
    },
    state: () => expectedState,
    clientInformation: async () => given ?? (await logins.read(url))?.client,
    saveClientInformation: (client) => change((login) => ({ ...login, client: { ...client } })),
    tokens: async () => (await logins.read(url))?.tokens,
    saveTokens: (tokens) =>
      change(({ expiresAt: _, ...login }) => ({
        ...login,
        tokens: { ...tokens },
        ...(tokens.expires_in === undefined
          ? {}
          : { expiresAt: clock.now() + tokens.expires_in * 1_000 }),
      })),
    redirectToAuthorization(address) {
      sentTo = address;
    },
    saveCodeVerifier(code) {
      verifier = code;
    },
    codeVerifier: () => verifier,
    saveDiscoveryState(state) {
      discovered = state;
    },
    discoveryState: () => discovered,
    invalidateCredentials(scope) {
      if (scope === "verifier" || scope === "discovery") return Promise.resolve();
      return change(({ client, tokens, expiresAt: _, ...login }) => ({
        ...login,
        ...(scope === "tokens" && client !== undefined ? { client } : {}),
        ...(scope === "client" && tokens !== undefined ? { tokens } : {}),
      }));
    },
  };
}
