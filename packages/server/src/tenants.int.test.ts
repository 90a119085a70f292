/** Tenants with databases of their own, each with its nodes, beside one Redis: `docs/scaling.md` describes it. */
import { randomUUID } from "node:crypto";
import { startRedis } from "@callboard/testkit";
import { SignJWT } from "jose";
import { afterAll, beforeAll, expect, it } from "vitest";
import { openPlace, secret, type TestUser } from "./testing/place.js";
import { fieldOf, valuesOf } from "./testing/reading.js";

type Opened = Awaited<ReturnType<typeof openPlace>>;

const names = ["north", "south"] as const;
let redis: Awaited<ReturnType<typeof startRedis>>;
let tenants: readonly Opened[];

beforeAll(async () => {
  redis = await startRedis();
  const opened = (issuer: string): Promise<Opened> =>
    openPlace("two nodes, PostgreSQL", { redisUrl: redis.url, auth: { secret, issuer } });
  tenants = await Promise.all(names.map(opened));
});
afterAll(async () => {
  await Promise.all(tenants.map(({ close }) => close()));
  await redis.close();
});

async function userOf(issuer: string, userId: string): Promise<TestUser> {
  const token = await new SignJWT({ role: "authenticated" })
    .setProtectedHeader({ alg: "HS256" })
    .setSubject(userId)
    .setIssuer(issuer)
    .setExpirationTime("1h")
    .sign(new TextEncoder().encode(secret));
  return { userId, headers: { authorization: `Bearer ${token}` } };
}

it("neither admit each other's users nor know each other's runs, whose live events share a Redis", async () => {
  const [north, south] = tenants.map(({ place }) => place);
  if (!north || !south) throw new Error("both tenants are open");
  // The same person has the same id with both.
  const userId = randomUUID();
  const [inNorth, inSouth] = [await userOf("north", userId), await userOf("south", userId)];
  expect((await south.ask(inNorth, "GET", "/api/agents")).status).toBe(401);
  const gate = randomUUID();
  const user_input = `call wait_for_test {"name":"${gate}"}\nsay north`;
  const response = await north.ask(inNorth, "POST", "/api/agent/execute", { user_input });
  await north.tools.waits(gate);
  const run = `/api/agent/runs/${response.headers.get("x-request-id")}`;
  const elsewhere = await north.ask(inNorth, "GET", `${run}/events`);
  for (const [method, path] of [
    ["GET", run],
    ["GET", `${run}/events`],
    ["POST", `${run}/cancel`],
  ] as const) {
    const body = method === "POST" ? {} : undefined;
    expect((await south.ask(inSouth, method, path, body)).status).toBe(404);
  }
  north.tools.release(gate);
  const [own, other] = await Promise.all([valuesOf(response), valuesOf(elsewhere)]);
  expect(fieldOf(own.at(-2), "data", "output")).toBe("Rehearsal: north");
  expect(other.at(-2)).toEqual(own.at(-2));
  const listed = async (place: typeof north, user: TestUser): Promise<unknown> =>
    fieldOf(await (await place.ask(user, "GET", "/api/conversations")).json(), "items");
  expect(await listed(north, inNorth)).toHaveLength(1);
  expect(await listed(south, inSouth)).toEqual([]);
});
