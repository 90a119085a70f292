import { mkdtemp, readFile, rm, stat } from "node:fs/promises";
import { Agent, request as httpRequest } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { systemClock } from "@callboard/agent-sdk";
import { openEmbeddedStore } from "@callboard/testkit/postgres";
import { SignJWT } from "jose";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { ServerConfigurationError } from "./configurationError.js";
import { type RunningServer, startServer } from "./startServer.js";
import { sessionOf } from "./testing/pageSession.js";
import { createTestUser, quietLogger, secret, tokenFor } from "./testing/place.js";
import { textAtPath } from "./testing/reading.js";

let home = "";
let otherHome = "";
let signedElsewhere: RunningServer | undefined;
let local: RunningServer | undefined;
let signed: RunningServer | undefined;

beforeAll(async () => {
  home = await mkdtemp(join(tmpdir(), "callboard-auth-"));
  otherHome = await mkdtemp(join(tmpdir(), "callboard-auth-"));
  const options = async () => ({
    port: 0,
    home,
    logger: quietLogger,
    store: await openEmbeddedStore({ clock: systemClock, logger: quietLogger }),
  });
  const env = { CALLBOARD_HOME: home };
  local = await startServer({ ...(await options()), env });
  signedElsewhere = await startServer({ ...(await options()), home: otherHome, env });
  const origins = ["https://app.example.com"];
  let hasFailed = false;
  signed = await startServer({
    async extraMetrics() {
      if (hasFailed) return "# TYPE beside_total counter\nbeside_total 7";
      hasFailed = true;
      throw new Error("not yet");
    },
    ...(await options()),
    env: { ...env, CALLBOARD_METRICS_TOKEN: "a token for Prometheus" },
    auth: { secret },
    allowedOrigins: origins,
    limits: { requestsPerMinute: 5 },
  });
});

afterAll(async () => {
  agent.destroy();
  await local?.close();
  await signed?.close();
  await signedElsewhere?.close();
  await rm(otherHome, { recursive: true, force: true });
  await rm(home, { recursive: true, force: true });
});

type Proof = Readonly<Record<string, string>>;

interface Sent {
  readonly method: string;
  readonly path: string;
  readonly headers: Readonly<Record<string, string | undefined>>;
}

const agent = new Agent({ keepAlive: true, maxSockets: 8 });

/** Node's own client: fetch would not let us lie about Host and Origin. */
function statusOf(
  server: RunningServer | undefined,
  { method, path, headers }: Sent,
): Promise<number> {
  const { port } = new URL(server?.url ?? "");
  const given = Object.entries(headers).filter(([, value]) => value !== undefined);
  return new Promise((resolve, reject) => {
    const sent = httpRequest(
      { host: "127.0.0.1", port, method, path, headers: Object.fromEntries(given), agent },
      (answer) => {
        answer.resume();
        resolve(answer.statusCode ?? 0);
      },
    );
    sent.on("error", reject);
    sent.end(method === "GET" ? undefined : "{}");
  });
}

describe("local mode", () => {
  it("tells its own user alone where it is", async () => {
    const path = join(home, "server.json");
    const { mode } = await stat(path);
    expect(mode & 0o777).toBe(0o600);
    const file: unknown = JSON.parse(await readFile(path, "utf8"));
    expect(file).toEqual({ url: local?.url, token: local?.token, pid: process.pid });
  });

  it("is closed to every combination of Host, Origin and token but the right ones", async () => {
    const { port } = new URL(local?.url ?? "");
    const own = `127.0.0.1:${port}`;
    const hosts = [
      own,
      `localhost:${port}`,
      `[::1]:${port}`,
      `evil.example:${port}`,
      "127.0.0.1:1",
      "127.0.0.1",
      "rebind.example",
      "localhost",
    ];
    const origins = [
      undefined,
      `http://${own}`,
      "http://evil.example",
      "null",
      `http://localhost:${Number(port) + 1}`,
      `https://${own}.evil.example`,
    ];
    const session = await sessionOf(local);
    const bearer = (token = ""): Proof => ({ authorization: `Bearer ${token}` });
    const right: readonly Proof[] = [bearer(local?.token), { cookie: `other=1; ${session}` }];
    const wrong: readonly Proof[] = [
      {},
      bearer(`${local?.token}x`),
      bearer(),
      bearer(local?.token?.toUpperCase()),
      { cookie: session.slice(0, -1) },
      { cookie: session.replace(/=\d+/, "=9999999999") },
      { cookie: `${session.split("=")[0]}=` },
      { cookie: await sessionOf(signedElsewhere, local) },
      { cookie: `callboard_session_${port}=${local?.token}` },
      { cookie: session, ...bearer("x") },
    ];
    const routes = [
      ["GET", "/api/agents"],
      ["GET", "/api/conversations"],
      ["POST", "/api/conversations"],
      ["GET", "/metrics"],
    ] as const;
    const cases: Promise<readonly unknown[]>[] = [];
    for (const host of hosts) {
      for (const origin of origins) {
        for (const proof of [...right, ...wrong]) {
          for (const [method, path] of routes) {
            const headers = { host, origin, "content-type": "application/json", ...proof };
            const isOurHost = [own, `localhost:${port}`, `[::1]:${port}`].includes(host);
            const isOurPage = origin === undefined || origin === `http://${host}`;
            // What changes something by cookie must say its origin.
            const isOpen = method === "GET" || "authorization" in proof || origin !== undefined;
            const mayPass = isOurHost && isOurPage && isOpen && right.includes(proof);
            cases.push(
              statusOf(local, { method, path, headers }).then((status) =>
                status < 300 === mayPass ? [] : [{ ...headers, method, path, status }],
              ),
            );
          }
        }
      }
    }
    expect((await Promise.all(cases)).flat()).toEqual([]);
    expect(cases.length).toBe(2_304);
  });

  it("answers what needs no rights without any", async () => {
    for (const path of ["/healthz", "/readyz", "/openapi.json"]) {
      expect((await fetch(`${local?.url}${path}`)).status).toBe(200);
    }
    const warm = await fetch(`${local?.url}/api/agent/warm`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ prompt_id: "nobody" }),
    });
    // Which agents there are is not told to whoever has no token.
    expect(await warm.json()).toEqual({
      status: "error",
      prompt_id: "nobody",
      message: "This agent is not available.",
    });
  });

  it("does not listen where strangers are", async () => {
    await expect(startServer({ host: "0.0.0.0", port: 0, home, env: {} })).rejects.toThrow(
      ServerConfigurationError,
    );
  });
});

describe("signed tokens", () => {
  const key = new TextEncoder().encode(secret);
  const sign = (claims: Record<string, unknown>, alg = "HS256", with_ = key) =>
    new SignJWT(claims).setProtectedHeader({ alg }).sign(with_);

  it("are checked: signature, algorithm, expiry, subject", async () => {
    const { userId } = await createTestUser();
    const hour = Math.floor(Date.now() / 1_000) + 3_600;
    const good = await tokenFor(userId);
    const [head, body] = good.split(".");
    const unsigned = Buffer.from('{"alg":"none"}').toString("base64url");
    const bad = [
      await sign({ sub: userId, exp: 1 }),
      await sign({ sub: userId }),
      await sign({ exp: hour }),
      await sign({ sub: "admin", exp: hour }),
      await sign({ sub: [userId], exp: hour }),
      await sign({ sub: { id: userId }, exp: hour }),
      await sign({ sub: userId, exp: hour }, "HS384"),
      await sign({ sub: userId, exp: hour }, "HS256", new TextEncoder().encode("x".repeat(40))),
      `${head}.${body}.`,
      `${unsigned}.${body}.`,
      "x",
    ];
    for (const token of bad) {
      const response = await fetch(`${signed?.url}/api/agents`, {
        headers: { authorization: `Bearer ${token}` },
      });
      expect([response.status, textAtPath(await response.json(), "type")]).toEqual([
        401,
        "urn:callboard:problem:wrong-token",
      ]);
    }
    const fingerprint = { "x-fingerprint-id": "somebody" };
    expect((await fetch(`${signed?.url}/api/agents`, { headers: fingerprint })).status).toBe(401);
    const headers = { authorization: `Bearer ${good}` };
    expect((await fetch(`${signed?.url}/api/agents`, { headers })).status).toBe(200);
  });

  it("are not for figures, which have a token of their own", async () => {
    const user = await createTestUser();
    const statusWith = async (authorization: string): Promise<number> =>
      (await fetch(`${signed?.url}/metrics`, { headers: { authorization } })).status;
    expect(await statusWith("Bearer another")).toBe(401);
    expect(await statusWith(Object.values(user.headers).join())).toBe(401);
    expect((await fetch(`${signed?.url}/metrics`)).status).toBe(401);
    // What others add comes last; while they cannot, the server's own figures are told alone.
    const headers = { authorization: "Bearer a token for Prometheus" };
    const told = async (): Promise<readonly string[]> =>
      (await (await fetch(`${signed?.url}/metrics`, { headers })).text()).split("\n").slice(-3);
    expect((await told())[1]).toMatch(/^process_cpu_seconds_total \d/);
    expect(await told()).toEqual(["# TYPE beside_total counter", "beside_total 7", ""]);
  });

  it("let pages of allowed origins read the answer, and no others", async () => {
    const user = await createTestUser();
    const allowed = { ...user.headers, origin: "https://app.example.com" };
    const answer = await fetch(`${signed?.url}/api/agents`, { headers: allowed });
    expect(answer.headers.get("access-control-allow-origin")).toBe("https://app.example.com");
    const other = { ...user.headers, origin: "https://evil.example.com" };
    expect((await fetch(`${signed?.url}/api/agents`, { headers: other })).status).toBe(403);
    const preflight = await fetch(`${signed?.url}/api/agent/execute`, {
      method: "OPTIONS",
      headers: { origin: "https://app.example.com", "access-control-request-method": "POST" },
    });
    expect(preflight.status).toBe(204);
    expect(preflight.headers.get("access-control-allow-headers")).toMatch(/Idempotency-Key/);
  });

  it("limit how often one user may ask, and say when to come back", async () => {
    const [busy, calm] = [await createTestUser(), await createTestUser()];
    const statuses = [];
    for (let count = 0; count < 7; count += 1) {
      const response = await fetch(`${signed?.url}/api/agents`, { headers: busy.headers });
      statuses.push(response.status);
      if (response.status === 429)
        expect(Number(response.headers.get("retry-after"))).toBeGreaterThan(0);
    }
    expect(statuses).toEqual([200, 200, 200, 200, 200, 429, 429]);
    expect((await fetch(`${signed?.url}/api/agents`, { headers: calm.headers })).status).toBe(200);
  });
});
