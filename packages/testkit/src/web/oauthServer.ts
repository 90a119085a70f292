/** A small OAuth 2.1 server beside a server at `/mcp` that wants its tokens. It counts what it is asked for. */
import { createHash, randomUUID } from "node:crypto";
import { z } from "zod";
import { type Handle, startWebServer } from "./webServer.js";

export interface OAuthServer {
  readonly url: string;
  /** What the token endpoint was asked for, in order. */
  readonly grants: string[];
  /** No access token is accepted from now on. */
  revokeAccess(): void;
  /** Nor is a refresh token. */
  revokeAll(): void;
  close(): Promise<void>;
}

/** `guarded` answers what comes with an access token. */
export async function startOAuthServer(guarded: Handle): Promise<OAuthServer> {
  const grants: string[] = [];
  const challenges = new Map<string, string>();
  const access = new Set<string>();
  const refresh = new Set<string>();
  const issued = (): Response => {
    const tokens = { access_token: `access-${randomUUID()}`, refresh_token: `r-${randomUUID()}` };
    access.add(tokens.access_token);
    refresh.add(tokens.refresh_token);
    return Response.json({ ...tokens, token_type: "Bearer", expires_in: 3_600 });
  };
  const refused = (error: string): Response => Response.json({ error }, { status: 400 });

  async function token(request: Request): Promise<Response> {
    const asked = new URLSearchParams(await request.text());
    const grant = asked.get("grant_type") ?? "";
    grants.push(grant);
    if (grant === "refresh_token") {
      const isHeld = refresh.delete(asked.get("refresh_token") ?? "");
      return isHeld ? issued() : refused("invalid_grant");
    }
    const verifier = createHash("sha256").update(asked.get("code_verifier") ?? "");
    const isProven = challenges.get(asked.get("code") ?? "") === verifier.digest("base64url");
    return isProven ? issued() : refused("invalid_grant");
  }

  function authorize({ searchParams }: URL): Response {
    const code = randomUUID();
    challenges.set(code, searchParams.get("code_challenge") ?? "");
    const back = new URL(searchParams.get("redirect_uri") ?? "");
    back.searchParams.set("code", code);
    back.searchParams.set("state", searchParams.get("state") ?? "");
    return Response.redirect(back, 302);
  }

  const server = await startWebServer(async (request) => {
    const url = new URL(request.url);
    const { origin } = url;
    switch (url.pathname) {
      case "/.well-known/oauth-protected-resource/mcp":
        return Response.json({ resource: `${origin}/mcp`, authorization_servers: [origin] });
      case "/.well-known/oauth-authorization-server":
        return Response.json({
          issuer: origin,
          authorization_endpoint: `${origin}/authorize`,
          token_endpoint: `${origin}/token`,
          registration_endpoint: `${origin}/register`,
          response_types_supported: ["code"],
          code_challenge_methods_supported: ["S256"],
        });
      case "/register": {
        const wished = z.looseObject({}).parse(await request.json());
        return Response.json({ ...wished, client_id: "client-1" }, { status: 201 });
      }
      case "/authorize":
        return authorize(url);
      case "/token":
        return token(request);
      case "/mcp": {
        const bearer = request.headers.get("authorization")?.replace("Bearer ", "") ?? "";
        if (access.has(bearer)) return guarded(request);
        const metadata = `${origin}/.well-known/oauth-protected-resource/mcp`;
        const headers = { "www-authenticate": `Bearer resource_metadata="${metadata}"` };
        return new Response("no", { status: 401, headers });
      }
      default:
        return new Response("", { status: 404 });
    }
  });
  return {
    url: `${server.origin}/mcp`,
    grants,
    revokeAccess: () => access.clear(),
    revokeAll() {
      access.clear();
      refresh.clear();
    },
    close: server.close,
  };
}
