/** A disk that is full: streams end with the reason, and no new work is taken until there is room again. */
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { systemClock } from "@callboard/agent-sdk";
import { createRehearsalModel } from "@callboard/agent-sdk/testing";
import type { Store } from "@callboard/store";
import { openEmbeddedStore } from "@callboard/testkit/postgres";
import { expect, it, onTestFinished } from "vitest";
import { startServer } from "./startServer.js";
import { createTestUser, quietLogger, secret } from "./testing/place.js";
import { fieldOf, linesOf, textAtPath } from "./testing/reading.js";
import { createTestTools } from "./testing/testTools.js";

/** A store whose sessions refuse to be written while the test says so. */
function fillable(store: Store): { readonly store: Store; fill(): void; free(): void } {
  let isFull = false;
  const full = (): Error => Object.assign(new Error("no space left on device"), { code: "ENOSPC" });
  return {
    fill() {
      isFull = true;
    },
    free() {
      isFull = false;
    },
    store: {
      ...store,
      get waitingTails() {
        return store.waitingTails;
      },
      async ping() {
        if (isFull) throw full();
        await store.ping();
      },
      sessions(options) {
        const sessions = store.sessions(options);
        return {
          ...sessions,
          async open(sessionId, opening) {
            const session = await sessions.open(sessionId, opening);
            return {
              ...session,
              async append(runId, expectedSeq, events) {
                if (isFull) throw full();
                return await session.append(runId, expectedSeq, events);
              },
            };
          },
        };
      },
    },
  };
}

it("ends the stream with an error and an end, and is answered with 503 while it lasts", async () => {
  const home = await mkdtemp(join(tmpdir(), "callboard-full-"));
  onTestFinished(() => rm(home, { recursive: true, force: true }));
  const disk = fillable(await openEmbeddedStore({ clock: systemClock, logger: quietLogger }));
  const tools = createTestTools();
  const server = await startServer({
    port: 0,
    home,
    auth: { secret },
    env: { CALLBOARD_HOME: home },
    logger: quietLogger,
    store: disk.store,
    agents: {
      default: { tools: tools.all, model: createRehearsalModel({ clock: systemClock }) },
    },
    limits: { shutdownMs: 0 },
  });
  onTestFinished(server.close);
  const { headers } = await createTestUser();
  const execute = (user_input: string): Promise<Response> =>
    fetch(`${server.url}/api/agent/execute`, {
      method: "POST",
      headers: { ...headers, "content-type": "application/json" },
      body: JSON.stringify({ user_input }),
    });
  const readiness = async (): Promise<number> => (await fetch(`${server.url}/readyz`)).status;
  expect(await readiness()).toBe(200);
  const response = await execute('call wait_for_test {"name":"full"}\nsay done');
  await tools.waits("full");
  disk.fill();
  tools.release("full");
  const lines: unknown[] = [];
  for await (const line of linesOf(response)) lines.push(JSON.parse(line));
  const [error, end] = lines.slice(-2);
  expect([fieldOf(error, "event"), fieldOf(error, "data", "type"), end]).toEqual([
    "error",
    "store_failed",
    { event: "end", data: true },
  ]);
  expect(textAtPath(error, "data", "message")).toMatch(
    /could not be stored to its end: .*no space left/,
  );
  // An answer of the database holds for a second.
  await expect.poll(readiness).toBe(503);
  const refused = await execute("say x");
  expect([refused.status, textAtPath(await refused.json(), "type")]).toEqual([
    503,
    "urn:callboard:problem:disk-full",
  ]);
  disk.free();
  await expect.poll(readiness).toBe(200);
  expect(await (await execute("say x")).text()).toContain("Rehearsal: x");
});
