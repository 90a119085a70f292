/**
 * Tools that have effects in the simulated world, each counted under its key. What becomes of an interrupted call
 * differs by tool: it is closed, asked about, repeated or reconciled.
 */

import {
  type Clock,
  defineTool,
  type ToolContext,
  type ToolDefinition,
} from "@callboard/agent-sdk";
import type { ArgumentCheck, OnInterrupted } from "@callboard/agent-sdk/tools";
import { withoutUndefined } from "@callboard/run-log/values";
import { z } from "zod";
import type { Random } from "../random.js";
import type { Laws } from "./laws.js";
import type { Actor } from "./world.js";

export const toolNames = [
  "look",
  "pay",
  "pay_ask",
  "pay_retry",
  "pay_reconcile",
  "stall",
  "ask_user",
] as const;

export interface SimToolsOptions {
  readonly random: Random;
  readonly clock: Clock;
  readonly laws: Laws;
  readonly node: Actor;
}

const inputSchema = z.object({ to: z.string() });
type Input = z.infer<typeof inputSchema>;

/** Made once for all nodes. */
const input: ArgumentCheck<Input> = {
  schema: { type: "object", properties: { to: { type: "string" } }, required: ["to"] },
  parse: (given) => inputSchema.parse(given),
};

export function createSimTools({
  random,
  clock,
  laws,
  node,
}: SimToolsOptions): readonly ToolDefinition[] {
  function begin({ runId, callId, signal }: ToolContext, needsApproval: boolean): () => void {
    const isNodeDead = (): boolean => node.isDead;
    return laws.began({ nodeId: node.name, runId, callId, signal, isNodeDead }, needsApproval);
  }

  async function paid(
    { to }: Input,
    context: ToolContext,
    isAsked: boolean,
    mayRepeat: boolean,
  ): Promise<string> {
    const end = begin(context, isAsked);
    try {
      await clock.sleep(random.int(2_000), context.signal);
      context.signal.throwIfAborted();
      laws.effect(context.effectKey, mayRepeat);
      context.progress("paid");
      await clock.sleep(random.int(2_000), context.signal);
      return `paid ${to}`;
    } finally {
      end();
    }
  }

  const paying = (name: string, onInterrupted?: OnInterrupted<Input>): ToolDefinition =>
    defineTool({
      name,
      description: "Pays.",
      kind: "execute",
      input,
      ...withoutUndefined({ onInterrupted }),
      run: (given, context) => paid(given, context, true, onInterrupted === "retry"),
    });

  return [
    defineTool({
      name: "look",
      description: "Looks.",
      kind: "read",
      concurrency: "safe",
      input,
      async run(given, context) {
        const end = begin(context, false);
        try {
          context.output("a first line\n");
          await clock.sleep(random.int(1_000), context.signal);
          return `a first line\nlooked at ${given.to}`;
        } finally {
          end();
        }
      },
    }),
    paying("pay"),
    paying("pay_ask", "ask"),
    paying("pay_retry", "retry"),
    paying("pay_reconcile", {
      reconcile: async (_, { effectKey }) =>
        laws.hasEffect(effectKey)
          ? { status: "done", result: "paid before" }
          : { status: "notDone" },
    }),
    defineTool({
      name: "stall",
      description: "Takes long, and ends when it is told to.",
      kind: "read",
      timeoutMs: 30_000,
      input,
      async run(_, context) {
        const end = begin(context, false);
        try {
          await clock.sleep(5_000 + random.int(40_000), context.signal);
          context.signal.throwIfAborted();
          return "done at last";
        } finally {
          end();
        }
      },
    }),
  ];
}
