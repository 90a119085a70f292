import { type McpConnections, systemClock } from "@callboard/agent-sdk";
import { createFakeClock } from "@callboard/testkit";
import { describe, expect, it } from "vitest";
import { quietLogger } from "../testing/place.js";
import { createSharedMcpServers } from "./mcpServers.js";

const servers = { files: { command: "files" } };

/** Connections that count how often they are made and closed. */
function staged(statusOf: () => "connected" | "disconnected" = () => "connected") {
  const counts = { opened: 0, closed: 0 };
  const asking: unknown[] = [];
  const clock = createFakeClock();
  const mcp = createSharedMcpServers({
    clock,
    logger: quietLogger,
    env: {},
    idleMs: 1_000,
    async connect(_, { canAsk }): Promise<McpConnections> {
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
    const [one, two] = await Promise.all([mcp.hold(servers), mcp.hold(servers)]);
    one?.release();
    one?.release();
    await clock.advance(2_000);
    two?.release();
    await clock.advance(900);
    const three = await mcp.hold(servers);
    await clock.advance(2_000);
    expect(counts).toEqual({ opened: 1, closed: 0 });
    three.release();
    await clock.advance(1_000);
    expect(counts).toEqual({ opened: 1, closed: 1 });
    (await mcp.hold(servers)).release();
    expect(counts).toEqual({ opened: 2, closed: 1 });
    await mcp.close();
    expect(counts).toEqual({ opened: 2, closed: 2 });
  });

  it("are a user's own where they may ask, so that nobody else is asked", async () => {
    const { mcp, counts, asking } = staged();
    const held = [
      ...[await mcp.hold(servers), await mcp.hold(servers, "ada")],
      ...[await mcp.hold(servers, "bob"), await mcp.hold(servers, "ada")],
    ];
    expect(asking).toEqual([false, true, true]);
    for (const one of held) one.release();
    await mcp.close();
    expect(counts).toEqual({ opened: 3, closed: 3 });
  });

  it("are tried anew by the next run where they never answered", async () => {
    let status: "connected" | "disconnected" = "disconnected";
    const { mcp, counts } = staged(() => status);
    (await mcp.hold(servers)).release();
    status = "disconnected";
    const again = await mcp.hold(servers);
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
    (await mcp.hold(servers)).release();
    await mcp.close();
  });
});
