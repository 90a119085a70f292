/** A disk that is full: streams end with the reason, and no new work is taken until there is room again. */
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { systemClock } from "@callboard/agent-sdk";
import { createRehearsalModel } from "@callboard/agent-sdk/testing";
import { openStore, type Store } from "@callboard/store";
import { expect, it, onTestFinished } from "vitest";
import { startServer } from "./startServer.js";
import { createTestUser, quietLogger, secret } from "./testing/place.js";
import { fieldOf, linesOf, textOf } from "./testing/reading.js";
import { createTestTools } from "./testing/testTools.js";

/** A store whose sessions refuse to be written once the test says so. */
function fillable(store: Store): { readonly store: Store; fill(): void } {
  let isFull = false;
  const full = (): Error => Object.assign(new Error("no space left on device"), { code: "ENOSPC" });
  return {
    fill() {
      isFull = true;
    },
    store: {
      ...store,
      get waitingTails() {
        return store.waitingTails;
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
  const disk = fillable(
    await openStore({ memory: true }, { clock: systemClock, logger: quietLogger }),
  );
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
  const response = await fetch(`${server.url}/api/agent/execute`, {
    method: "POST",
    headers: { ...headers, "content-type": "application/json" },
    body: JSON.stringify({ user_input: 'call wait_for_test {"name":"full"}\nsay done' }),
  });
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
  expect(textOf(error, "data", "message")).toMatch(
    /could not be stored to its end: .*no space left/,
  );
});
