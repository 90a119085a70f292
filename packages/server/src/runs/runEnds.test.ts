/** The end of a run on its host: its conversation is free again, and a run that is lost stops its tools. */
import { randomUUID } from "node:crypto";
import { createMemorySessionStore, defineTool, type SessionStore } from "@callboard/agent-sdk";
import { createRehearsalModel } from "@callboard/agent-sdk/testing";
import { createFakeClock } from "@callboard/testkit";
import { expect, it } from "vitest";
import { z } from "zod";
import { HttpProblem } from "../http/problem.js";
import { quietLogger } from "../testing/place.js";
import { createQueuedAsks } from "../testing/queuedAsks.js";
import { createSharedMcpServers } from "./mcpServers.js";
import { createRunHost, type RunHostOptions } from "./runHost.js";

const conversationId = "c1";
const userId = "u1";

/** A host over a store that acknowledges that a run closed or was parked only when the test lets it. */
function staged() {
  const clock = createFakeClock();
  const sessions = createMemorySessionStore({ clock });
  const stored = new Map<string, "open" | "closed">();
  const written: string[] = [];
  const outcomes: string[] = [];
  const missed: string[] = [];
  const left: string[] = [];
  const held: (() => void)[] = [];
  let holdsClosings = false;
  let refusesClosings = false;
  const slow: SessionStore = {
    ...sessions,
    async open(sessionId, options) {
      const session = await sessions.open(sessionId, options);
      return {
        ...session,
        async append(runId, expectedSeq, events) {
          if (refusesClosings && events.at(-1)?.type === "run.closed")
            throw new Error("not its owner");
          const answer = await session.append(runId, expectedSeq, events);
          written.push(...events.map(({ type }) => type));
          const last = events.at(-1)?.type;
          stored.set(runId, last === "run.closed" ? "closed" : "open");
          const isEnd = last === "run.closed" || last === "run.parked";
          if (isEnd && holdsClosings) await new Promise<void>((go) => held.push(go));
          return answer;
        },
      };
    },
  };
  const findRun: RunHostOptions["store"]["findRun"] = async (_, runId) => {
    const status = stored.get(runId);
    const facts = { runId, conversationId, userId, lastSeq: 0, isParked: false, createdAt: 0 };
    return status && { ...facts, status };
  };
  const host = createRunHost({
    store: { sessions: () => slow, findRun, queuedAsks: createQueuedAsks() },
    mcp: createSharedMcpServers({ clock, logger: quietLogger, env: {} }),
    clock,
    logger: quietLogger,
    env: {},
    newId: randomUUID,
    maxOpenRuns: 100,
    maxRunsPerUser: undefined,
    maxClientToolsPerUser: undefined,
    parkAfterMs: 0,
    onClosed: (outcome) => void outcomes.push(outcome),
    onCancelMissed: (runId, reason) => void missed.push(`${runId}: ${reason}`),
    onQueueLeft: ({ waiting }) => void left.push(...waiting.map(({ text }) => text)),
  });
  const stopped: unknown[] = [];
  const endless = defineTool({
    name: "endless",
    description: "Never ends by itself.",
    kind: "other",
    input: z.object({}),
    run: (_, { signal }) =>
      new Promise<string>((resolve) => {
        signal.addEventListener("abort", () => {
          stopped.push(signal.reason);
          resolve("stopped");
        });
      }),
  });
  const asking = defineTool({
    ...{ name: "asking", description: "Asks first.", kind: "execute", input: z.object({}) },
    run: () => "ran",
  });
  const start = (runId: string, text: string): Promise<string> =>
    host
      .start({
        runId,
        conversationId,
        user: { userId },
        options: { model: createRehearsalModel({ clock }), tools: [endless, asking] },
        wish: { type: "message", text, images: [] },
        messageId: randomUUID(),
        share: { owner: userId, clientTools: 0 },
      })
      .then(
        () => "begun",
        (error) => (error instanceof HttpProblem ? error.kind : String(error)),
      );
  return {
    clock,
    host,
    start,
    written,
    outcomes,
    missed,
    left,
    held,
    stopped,
    hold: () => {
      holdsClosings = true;
    },
    refuseClosings: () => {
      refusesClosings = true;
    },
  };
}

const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

it("a message right after an end waits for it, also when only the database knows of the end", async () => {
  const { host, start, written, held, hold } = staged();
  hold();
  expect(await start("first", "say hello")).toBe("begun");
  while (held.length < 1) await turn();
  // The closing is stored, so that readers elsewhere have seen it; this node has not been told.
  const second = start("second", "say more");
  for (let turns = 0; turns < 50; turns += 1) await turn();
  expect(written.filter((type) => type === "run.started").length).toBe(1);
  held[0]?.();
  expect(await second).toBe("begun");
  expect(written.filter((type) => type === "run.started").length).toBe(2);
  while (held.length < 2) await turn();
  held[1]?.();
  await host.close(0);
});

it("a message while a run is under way is refused", async () => {
  const { host, start } = staged();
  expect(await start("first", "call endless {}")).toBe("begun");
  expect(await start("second", "say more")).toBe("conversation-busy");
  expect(host.cancel("first", undefined, "stopped")).toBe(true);
  await host.close(0);
});

it("a run whose lease is lost stops its tools and writes nothing more", async () => {
  const { host, start, written, outcomes, stopped } = staged();
  expect(await start("first", "call endless {}")).toBe("begun");
  while (!written.includes("call.run.started")) await turn();
  for (let turns = 0; turns < 10; turns += 1) await turn();
  const before = written.length;
  host.lose("first");
  while (outcomes.length < 1) await turn();
  expect([stopped.length, written.length - before, outcomes]).toEqual([1, 0, ["handed_over"]]);
  expect(host.openRuns).toBe(0);
});

it.each(["stored", "refused"] as const)(
  "messages that wait start the next run only where the end of theirs is stored: %s",
  async (end) => {
    const { host, start, written, left, refuseClosings } = staged();
    expect(await start("first", "call endless {}")).toBe("begun");
    while (!written.includes("call.run.started")) await turn();
    const message = { messageId: randomUUID(), text: "and then?", delivery: "run" } as const;
    const ask = {
      runId: randomUUID(),
      user: { userId, limitedAs: userId },
      clientTools: [],
      variables: {},
      overrides: {},
    };
    expect(host.queueMessage("first", message, ask)).toBe(true);
    while (!written.includes("message.queued")) await turn();
    if (end === "refused") refuseClosings();
    host.cancel("first", undefined, "stopped");
    while (host.openRuns > 0) await turn();
    // Another node ended the run and started its messages: here they would run a second time.
    expect(left).toEqual(end === "refused" ? [] : ["and then?"]);
  },
);

it("a cancel that comes while its run is being parked is not lost", async () => {
  const { host, start, outcomes, missed, held, hold, clock } = staged();
  hold();
  expect(await start("first", "call asking {}")).toBe("begun");
  while (held.length < 1) await clock.advance(1);
  // The run has stopped waiting, but this node has not been told that it is stored as parked.
  expect(host.cancel("first", undefined, "stopped")).toBe(true);
  expect(missed).toEqual([]);
  held[0]?.();
  while (host.openRuns > 0) await turn();
  expect([outcomes, missed]).toEqual([["parked"], ["first: stopped"]]);
});
