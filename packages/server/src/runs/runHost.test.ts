import { randomUUID } from "node:crypto";
import {
  createMemorySessionStore,
  createRehearsalModel,
  type SessionStore,
} from "@callboard/agent-sdk";
import { createFakeClock } from "@callboard/testkit";
import { describe, expect, it } from "vitest";
import { HttpProblem } from "../http/problem.js";
import { quietLogger } from "../testing/place.js";
import { createSharedMcpServers } from "./mcpServers.js";
import { createRunHost } from "./runHost.js";

/** A host whose conversations open when the test says so. */
function staged() {
  const clock = createFakeClock();
  const sessions = createMemorySessionStore({ clock });
  const opening: (() => void)[] = [];
  const closed: string[] = [];
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
    store: { sessions: () => slow },
    mcp: createSharedMcpServers({ clock, logger: quietLogger, env: {} }),
    clock,
    logger: quietLogger,
    env: {},
    newId: randomUUID,
    maxOpenRuns: 100,
    onClosed: () => undefined,
  });
  const start = (runId: string): Promise<string> => {
    const wish = { type: "message", text: "say hello", images: [] } as const;
    const options = { model: createRehearsalModel({ clock }), tools: [] };
    const user = { userId: "u" };
    return host
      .start({ runId, conversationId: `of-${runId}`, user, options, wish, messageId: "m" })
      .then(
        () => "begun",
        (error) => (error instanceof HttpProblem ? error.kind : String(error)),
      );
  };
  return { host, start, opening, closed, clock };
}

const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

describe("closing a host", () => {
  it("waits for what is being begun, refuses it, and lets go of what it opened", async () => {
    const { host, start, opening, closed } = staged();
    const early = start("early");
    // More than begin at once: the last ones wait in line.
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
