/**
 * One node of the simulated world: the real server on the simulated clock, network, model and tools. A node that
 * crashes leaves nothing behind: what it waited for never comes. A node that starts again is another one.
 */
import type { Logger } from "@callboard/agent-sdk";
import type { ServerApp } from "@callboard/server";
import { openPortlessServer } from "@callboard/server/portless";
import { openStore } from "@callboard/store";
import type { Laws } from "./laws.js";
import { createSimModel } from "./model.js";
import type { Link, Network } from "./network.js";
import { createSimClock, type SimClock } from "./simClock.js";
import { createSimDatabase } from "./simDatabase.js";
import { createSimTools, toolNames } from "./tools.js";
import type { Actor, World } from "./world.js";

export interface SimNode {
  readonly actor: Actor;
  readonly link: Link;
  readonly clock: SimClock;
  /** Undefined until it has started. */
  server: ServerApp | undefined;
  crash(): void;
}

export interface NodeOptions {
  readonly world: World;
  readonly network: Network;
  readonly laws: Laws;
  readonly name: string;
  readonly userId: string;
  readonly newId: () => string;
  readonly isResumable: boolean;
  readonly parkAfterMs: number;
}

/** Shorter than by default, so that little simulated time passes between a death and what follows. */
export const leaseMs = 6_000;

export function startNode(options: NodeOptions): SimNode {
  const { world, network, laws, name, newId } = options;
  const { random } = world;
  const actor: Actor = { name, isDead: false };
  const clock = createSimClock(world, actor);
  const link = network.linkOf(actor);
  const note =
    (level: string) =>
    (message: string): void => {
      if (!actor.isDead) world.note(name, `${level}: ${message}`);
    };
  const logger: Logger = {
    debug: () => undefined,
    info: note("info"),
    warn: note("warn"),
    error: note("error"),
  };
  const node: SimNode = {
    actor,
    link,
    clock,
    server: undefined,
    crash() {
      actor.isDead = true;
      node.server = undefined;
      link.abandon();
    },
  };
  const model = createSimModel({ random, clock, tools: toolNames, newId });
  const tools = createSimTools({ random, clock, laws, node: actor });

  async function start(): Promise<void> {
    const store = await openStore(
      { database: createSimDatabase(link) },
      { clock, logger, nodeId: name, leaseMs, pollMs: 2_000, databaseRetryMs: 4_000 },
    );
    const server = await openPortlessServer({
      store,
      clock,
      logger,
      newId,
      env: { CALLBOARD_HOME: "/nonexistent/callboard-simulation" },
      authenticator: { callerOf: async () => ({ userId: options.userId, proof: "jwt" }) },
      limits: { sweepMs: 2_000, parkAfterMs: options.parkAfterMs, shutdownMs: 1_000 },
      agents: {
        default: {
          model,
          tools,
          asksUser: true,
          isResumable: options.isResumable,
          approval: { saveRule: () => undefined, timeoutMs: 120_000 },
          limits: {
            modelRetries: 0,
            modelTimeoutMs: 10_000,
            maxIdenticalCalls: 99,
            maxSimilarCalls: 99,
          },
        },
      },
    });
    if (actor.isDead) return;
    node.server = server;
    world.note(name, "is ready");
  }

  start().catch((error: unknown) => {
    // A node that finds no database ends; its supervisor starts another one.
    world.note(name, `could not start: ${String(error)}`);
    node.crash();
  });
  return node;
}
