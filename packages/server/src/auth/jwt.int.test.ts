import { createServer, type RequestListener, type Server } from "node:http";
import { exportJWK, generateKeyPair, SignJWT } from "jose";
import { afterEach, describe, expect, it } from "vitest";
import { HttpProblem } from "../http/problem.js";
import { createJwtAuthenticator } from "./jwt.js";

const userId = "6f1c7a52-6f3e-4d0c-9a34-0d3f6b1e2a77";
const { privateKey, publicKey } = await generateKeyPair("ES256");
const published = { ...(await exportJWK(publicKey)), kid: "ours", alg: "ES256" };
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

const sign = (kid: string): Promise<string> =>
  new SignJWT({})
    .setProtectedHeader({ alg: "ES256", kid })
    .setSubject(userId)
    .setExpirationTime("1h")
    .sign(privateKey);

async function outcomeWith(jwksUrl: string, kid = "ours"): Promise<unknown> {
  const headers = new Headers({ authorization: `Bearer ${await sign(kid)}` });
  return createJwtAuthenticator({ jwksUrl })
    .callerOf(headers)
    .then(
      (caller) => caller?.userId,
      (error) => (error instanceof HttpProblem ? [error.status, error.kind] : error),
    );
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
});
