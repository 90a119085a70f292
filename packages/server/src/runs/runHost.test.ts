import { randomUUID } from "node:crypto";
import { createMemorySessionStore, defineTool, type SessionStore } from "@callboard/agent-sdk";
import { createRehearsalModel } from "@callboard/agent-sdk/testing";
import { createFakeClock } from "@callboard/testkit";
import { describe, expect, it } from "vitest";
import { z } from "zod";
import { HttpProblem } from "../http/problem.js";
import type { RunFacts } from "../stores/runStore.js";
import { allowedRun, allowedRunNow, leaveAllowedRun } from "../testing/allowedRun.js";
import { quietLogger } from "../testing/place.js";
import { createQueuedAsks } from "../testing/queuedAsks.js";
import { createSharedMcpServers } from "./mcpServers.js";
import { createRunHost, type RunHostOptions } from "./runHost.js";
import type { RunRequest } from "./runRequest.js";

/** A host whose conversations open when the test says so. */
function staged(limits: Partial<RunHostOptions> = {}) {
  const clock = createFakeClock();
  const sessions = createMemorySessionStore({ clock });
  const opening: (() => void)[] = [];
  const closed: string[] = [];
  /** What the database has of runs. */
  const facts = new Map<string, RunFacts>();
  const slow: SessionStore = {
    ...sessions,
    async open(sessionId, options) {
      await new Promise<void>((resolve) => opening.push(resolve));
      const session = await sessions.open(sessionId, options);
      return {
        ...session,
        async close() {
          await session.close();
          closed.push(sessionId);
        },
      };
    },
  };
  const host = createRunHost({
    store: {
      sessions: () => slow,
      findRun: async (_, runId) => facts.get(runId),
      queuedAsks: createQueuedAsks(),
    },
    mcp: createSharedMcpServers({ clock, logger: quietLogger, env: {} }),
    clock,
    logger: quietLogger,
    env: {},
    newId: randomUUID,
    maxOpenRuns: 100,
    maxRunsPerUser: undefined,
    maxClientToolsPerUser: undefined,
    parkAfterMs: 0,
    ...limits,
    onQueueLeft: () => undefined,
    onClosed: () => undefined,
    onCancelMissed: () => undefined,
  });
  const start = (runId: string, owner = "u", clientTools = 0): Promise<string> => {
    const wish = { type: "message", text: "say hello", images: [] } as const;
    const options = { model: createRehearsalModel({ clock }), tools: [] };
    const user = { userId: owner };
    const share = { owner, clientTools };
    const conversationId = `of-${runId}-${owner}`;
    return host.start({ runId, conversationId, user, options, wish, messageId: "m", share }).then(
      () => "begun",
      (error) => (error instanceof HttpProblem ? error.kind : String(error)),
    );
  };
  return { host, start, opening, closed, clock, facts, sessions };
}

const asRequest = (options: RunRequest["options"]) => ({
  ...allowedRun,
  ...{ user: { userId: "u" }, share: { owner: "u", clientTools: 0 }, options },
});
const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

describe("closing a host", () => {
  it("waits for what is being started, refuses it, and lets go of what it opened", async () => {
    const { host, start, opening, closed } = staged();
    const early = start("early");
    // More than start at once: the last ones wait in line.
    const others = Array.from({ length: 33 }, (_, index) => start(`r${index}`));
    while (opening.length < 32) await turn();
    let isClosed = false;
    const closing = host.close(0).then(() => {
      isClosed = true;
    });
    expect(await start("late")).toBe("shutting-down");
    await turn();
    expect([isClosed, opening.length]).toEqual([false, 32]);
    for (const open of opening) open();
    expect(await early).toBe("shutting-down");
    expect(new Set(await Promise.all(others))).toEqual(new Set(["shutting-down"]));
    await closing;
    expect([opening.length, closed.length, host.openRuns]).toEqual([32, 32, 0]);
  });
});

describe("a run whose calls were allowed and have not started", () => {
  const calls = ["first", "second"];
  it("is not ended by something new that is asked for", async () => {
    const { host, opening, sessions, clock } = staged();
    await leaveAllowedRun(sessions, calls);
    const options = { model: createRehearsalModel({ clock }), tools: [] };
    const wish = { type: "message", text: "say hello", images: [] } as const;
    const asked = { ...asRequest(options), runId: "next", wish, messageId: "m2" };
    const refused = host.start(asked).catch((error: unknown) => error);
    while (opening.length < 1) await turn();
    opening[0]?.();
    expect(await refused).toMatchObject({ status: 409, kind: "conversation-busy" });
    expect(await allowedRunNow(sessions, calls)).toBe("run open, first ready, second ready");
    await host.close(0);
  });
});

it("leaves a call that another process may take up to one, when its node shuts down", async () => {
  const { host, opening, sessions, clock } = staged();
  let hasStarted = false;
  const pay = defineTool({
    name: "pay",
    description: "Pays, and does not come back.",
    kind: "read",
    input: z.object({}),
    onInterrupted: "retry",
    async run(_, { signal }) {
      hasStarted = true;
      await new Promise((resolve) => signal.addEventListener("abort", resolve));
      return "stopped";
    },
  });
  const options = { model: createRehearsalModel({ clock }), tools: [pay] };
  const wish = { type: "message", text: "call pay {}", images: [] } as const;
  const begun = host.start({ ...asRequest(options), wish, messageId: "m" });
  while (opening.length < 1) await turn();
  opening[0]?.();
  await begun;
  while (!hasStarted) await turn();
  const closing = host.close(0);
  await clock.advance(0);
  await closing;
  const left = await allowedRunNow(sessions, ["rehearsal_1"]);
  expect(left).toBe("run open, rehearsal_1 running");
});

describe("a host's runs", () => {
  it("keep their ids: one that is taken is refused, whoever names it", async () => {
    const { host, start, opening } = staged();
    const first = start("same");
    expect(await start("same", "stranger")).toBe("run-exists");
    while (opening.length < 1) await turn();
    opening[0]?.();
    expect(await first).toBe("begun");
    expect(host.has("same")).toBe(true);
    expect(await start("same", "stranger")).toBe("run-exists");
    expect(host.cancel("same", undefined, "stopped")).toBe(true);
    await host.close(0);
  });

  it("are capped for each owner, and so are the client tools in them", async () => {
    const { host, start, opening } = staged({ maxRunsPerUser: 2, maxClientToolsPerUser: 10 });
    const begun = [start("a1", "a", 6), start("b1", "b", 10)];
    expect(await start("a2", "a", 5)).toBe("too-many-runs");
    begun.push(start("a3", "a", 4));
    expect(await start("a4", "a")).toBe("too-many-runs");
    begun.push(start("b2", "b"));
    while (opening.length < 4) await turn();
    for (const open of opening) open();
    expect(await Promise.all(begun)).toEqual(["begun", "begun", "begun", "begun"]);
    await host.close(0);
  });
});
