import { systemClock } from "@callboard/agent-sdk";
import type { McpConnections } from "@callboard/agent-sdk/mcp";
import { createFakeClock } from "@callboard/testkit";
import { describe, expect, it } from "vitest";
import { quietLogger } from "../testing/place.js";
import { createSharedMcpServers, type SharedMcpOptions } from "./mcpServers.js";

const servers = { files: { command: "files" } };

const anybody = { userId: "somebody", canAsk: false };
const asked = (userId: string) => ({ userId, canAsk: true });

/** Connections that count how often they are made and closed. */
function staged(
  statusOf: () => "connected" | "disconnected" = () => "connected",
  options: Partial<SharedMcpOptions> = {},
) {
  const counts = { opened: 0, closed: 0 };
  const asking: unknown[] = [];
  const clock = createFakeClock();
  const mcp = createSharedMcpServers({
    clock,
    logger: quietLogger,
    env: {},
    idleMs: 1_000,
    ...options,
    async connect(_, { canAsk, logins }): Promise<McpConnections> {
      if (logins !== undefined) asking.push(await logins.read("http://tickets"));
      counts.opened += 1;
      asking.push(canAsk);
      return {
        tools: () => [],
        status: () => [{ name: "files", status: statusOf(), tools: 0 }],
        async close() {
          counts.closed += 1;
        },
      };
    },
  });
  return { mcp, counts, clock, asking };
}

describe("MCP servers of a node", () => {
  it("are connected once for runs side by side and one after the other, and closed when idle", async () => {
    const { mcp, counts, clock } = staged();
    const [one, two] = await Promise.all([mcp.hold(servers, anybody), mcp.hold(servers, anybody)]);
    one?.release();
    one?.release();
    await clock.advance(2_000);
    two?.release();
    await clock.advance(900);
    const three = await mcp.hold(servers, anybody);
    await clock.advance(2_000);
    expect(counts).toEqual({ opened: 1, closed: 0 });
    three.release();
    await clock.advance(1_000);
    expect(counts).toEqual({ opened: 1, closed: 1 });
    (await mcp.hold(servers, anybody)).release();
    expect(counts).toEqual({ opened: 2, closed: 1 });
    await mcp.close();
    expect(counts).toEqual({ opened: 2, closed: 2 });
  });

  it("are a user's own where they may ask, so that nobody else is asked", async () => {
    const { mcp, counts, asking } = staged();
    const held = [
      ...[await mcp.hold(servers, anybody), await mcp.hold(servers, asked("ada"))],
      ...[await mcp.hold(servers, asked("bob")), await mcp.hold(servers, asked("ada"))],
    ];
    expect(asking).toEqual([false, true, true]);
    for (const one of held) one.release();
    await mcp.close();
    expect(counts).toEqual({ opened: 3, closed: 3 });
  });

  it("are a user's own where they log in, each with their own login", async () => {
    const loginsOf = (userId: string) => {
      const client = { client_id: userId };
      return { read: () => Promise.resolve({ client }), write: () => Promise.resolve() };
    };
    const { mcp, asking } = staged(undefined, { loginsOf });
    const remote = { tickets: { url: "http://tickets" } };
    const ada = { userId: "ada", canAsk: false };
    const held = [
      await mcp.hold(remote, anybody),
      await mcp.hold(remote, ada),
      await mcp.hold(remote, ada),
    ];
    const [first, , second] = asking;
    expect([first, second]).toEqual([
      { client: { client_id: "somebody" } },
      { client: { client_id: "ada" } },
    ]);
    expect(asking).toHaveLength(4);
    // Nobody logs in at a program, nor at a server with a fixed token: all users share them.
    const fixed = { tickets: { url: "http://tickets", headers: { Authorization: "Bearer x" } } };
    for (const shared of [servers, fixed]) {
      held.push(await mcp.hold(shared, anybody), await mcp.hold(shared, ada));
    }
    expect(asking).toHaveLength(8);
    for (const one of held) one.release();
    await mcp.close();
  });

  it("are tried again by the next run where they never answered", async () => {
    let status: "connected" | "disconnected" = "disconnected";
    const { mcp, counts } = staged(() => status);
    (await mcp.hold(servers, anybody)).release();
    status = "disconnected";
    const again = await mcp.hold(servers, anybody);
    expect(counts.opened).toBe(2);
    again.release();
    await mcp.close();
    expect(counts.closed).toBe(2);
  });

  it("that cannot be closed do not keep the node from closing", async () => {
    const mcp = createSharedMcpServers({
      clock: systemClock,
      logger: quietLogger,
      env: {},
      connect: async () => ({
        tools: () => [],
        status: () => [],
        close: () => Promise.reject(new Error("stuck")),
      }),
    });
    (await mcp.hold(servers, anybody)).release();
    await mcp.close();
  });
});
