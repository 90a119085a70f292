import { createServer, type RequestListener, type Server } from "node:http";
import { exportJWK, generateKeyPair, SignJWT } from "jose";
import { afterEach, describe, expect, it } from "vitest";
import { HttpProblem } from "../http/problem.js";
import type { Authenticator } from "./caller.js";
import { createJwtAuthenticator } from "./jwt.js";

const userId = "6f1c7a52-6f3e-4d0c-9a34-0d3f6b1e2a77";
const { privateKey, publicKey } = await generateKeyPair("ES256");
const published = { ...(await exportJWK(publicKey)), kid: "ours", alg: "ES256" };
const later = await generateKeyPair("ES256");
const publishedLater = { ...(await exportJWK(later.publicKey)), kid: "later", alg: "ES256" };
const servers: Server[] = [];

afterEach(async () => {
  for (const server of servers.splice(0)) {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  }
});

/** The address of keys that are answered so. */
async function keysAt(answer: RequestListener): Promise<string> {
  const server = createServer(answer);
  servers.push(server);
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  return `http://127.0.0.1:${typeof address === "object" ? address?.port : ""}/keys`;
}

const sign = (kid: string, key = privateKey): Promise<string> =>
  new SignJWT({})
    .setProtectedHeader({ alg: "ES256", kid })
    .setSubject(userId)
    .setExpirationTime("1h")
    .sign(key);

async function outcomeAt(authenticator: Authenticator, token: string): Promise<unknown> {
  return await authenticator.callerOf(new Headers({ authorization: `Bearer ${token}` })).then(
    (caller) => caller?.userId,
    (error) => (error instanceof HttpProblem ? [error.status, error.kind] : error),
  );
}

async function outcomeWith(jwksUrl: string, kid = "ours"): Promise<unknown> {
  return await outcomeAt(createJwtAuthenticator({ jwksUrl }), await sign(kid));
}

describe("keys that are published", () => {
  it("prove who somebody is, or refuse the token", async () => {
    const url = await keysAt((_, response) => response.end(JSON.stringify({ keys: [published] })));
    expect(await outcomeWith(url)).toBe(userId);
    expect(await outcomeWith(url, "another")).toEqual([401, "wrong-token"]);
  });

  it.each<[string, RequestListener]>([
    ["are answered with an error", (_, response) => response.writeHead(500).end("{}")],
    ["are no JSON", (_, response) => response.end("<html>")],
    ["are no keys", (_, response) => response.end('{"keys":7}')],
    ["break off", (_, response) => response.destroy()],
  ])("that %s refuse nobody's token: they are away", async (_, answer) => {
    expect(await outcomeWith(await keysAt(answer))).toEqual([503, "keys-unavailable"]);
  });

  it("that do not come in time refuse nobody's token, and are fetched again", async () => {
    const keys: { areStuck: boolean } = { areStuck: true };
    const jwksUrl = await keysAt((_, response) => {
      if (!keys.areStuck) response.end(JSON.stringify({ keys: [published] }));
    });
    const authenticator = createJwtAuthenticator({ jwksUrl }, { timeoutMs: 50 });
    const away = [503, "keys-unavailable"];
    const token = await sign("ours");
    expect(await outcomeAt(authenticator, token)).toEqual(away);
    keys.areStuck = false;
    let outcome: unknown = away;
    // A busy machine may answer later than that more than once.
    while (Array.isArray(outcome)) {
      expect(outcome).toEqual(away);
      outcome = await outcomeAt(authenticator, token);
    }
    expect(outcome).toBe(userId);
  });

  it("may be garbage first and keys afterwards", async () => {
    let body = "<html>";
    const jwksUrl = await keysAt((_, response) => response.end(body));
    const authenticator = createJwtAuthenticator({ jwksUrl });
    expect(await outcomeAt(authenticator, await sign("ours"))).toEqual([503, "keys-unavailable"]);
    body = JSON.stringify({ keys: [{ kty: "odd" }, published] });
    expect(await outcomeAt(authenticator, await sign("ours"))).toBe(userId);
  });

  it("may be replaced: a new one counts at once, and the old one no more", async () => {
    let keys: unknown[] = [published];
    let fetches = 0;
    const jwksUrl = await keysAt((_, response) => {
      fetches += 1;
      response.end(JSON.stringify({ keys }));
    });
    const authenticator = createJwtAuthenticator({ jwksUrl }, { cooldownMs: 0 });
    const [first, second] = [await sign("ours"), await sign("later", later.privateKey)];
    expect(await outcomeAt(authenticator, first)).toBe(userId);
    keys = [publishedLater];
    expect(await outcomeAt(authenticator, second)).toBe(userId);
    expect(await outcomeAt(authenticator, first)).toEqual([401, "wrong-token"]);
    // Its name alone proves nothing.
    const forged = await sign("later");
    expect(await outcomeAt(authenticator, forged)).toEqual([401, "wrong-token"]);
    expect(fetches).toBe(3);
  });

  it("are not fetched for each token of an unknown key", async () => {
    let fetches = 0;
    const jwksUrl = await keysAt((_, response) => {
      fetches += 1;
      response.end(JSON.stringify({ keys: [published] }));
    });
    const authenticator = createJwtAuthenticator({ jwksUrl });
    for (const kid of ["a", "b", "c"]) {
      expect(await outcomeAt(authenticator, await sign(kid))).toEqual([401, "wrong-token"]);
    }
    expect(fetches).toBe(1);
  });
});
