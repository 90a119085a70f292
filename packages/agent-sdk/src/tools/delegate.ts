/**
 * Agent-as-tool: a task is handed to a nested agent, which works inside its caller's log. Its messages
 * and calls name the call that they work for, its tokens and cost are that call's, and it ends with it.
 */
import { type CallId, callId as callIdOf, type Usage } from "@callboard/run-log";
import { z } from "zod";
import type { ToolDefinition } from "../types/tools.js";
import { ToolFailure } from "../utils/toolFailure.js";
import { defineTool } from "./defineTool.js";

export interface NestedTask {
  readonly scope: CallId;
  readonly task: string;
  readonly agent: string | undefined;
  readonly signal: AbortSignal;
}

export interface NestedResult {
  readonly isOk: boolean;
  readonly text: string;
  readonly reason: string | undefined;
  readonly usage: Usage;
  readonly calls: number;
}

export interface DelegateOptions {
  /** The agents that a task may be given to by name. */
  readonly agents: Readonly<Record<string, { readonly description: string }>>;
  readonly run: (task: NestedTask) => Promise<NestedResult>;
}

const tenMinutes = 600_000;

export function createDelegateTool({ agents, run }: DelegateOptions): ToolDefinition {
  const names = Object.entries(agents).map(([name, { description }]) => `${name} (${description})`);
  const offer = names.length === 0 ? "" : ` Agents: ${names.join(", ")}.`;
  return defineTool({
    name: "delegate",
    description: `Gives a task to another agent that works on it alone and reports back.${offer}`,
    kind: "other",
    toolType: "agent",
    concurrency: "safe",
    timeoutMs: tenMinutes,
    title: "Delegating: {{task}}",
    display: {
      verbs: { doing: "Delegating", done: "Delegated", plain: "delegate" },
      arguments: { task: "prose" },
    },
    input: z.object({
      task: z.string().min(1).describe("What to do, with everything the agent must know."),
      agent: z.string().optional().describe("Which agent, by name; the general one if omitted."),
    }),
    async run({ task, agent }, context) {
      if (agent !== undefined && !Object.hasOwn(agents, agent)) {
        const known = Object.keys(agents).join(", ") || "none with a name";
        throw new ToolFailure("unknown_agent", `There is no agent ${agent}. There are: ${known}.`);
      }
      const scope = callIdOf(context.callId);
      const result = await run({ scope, task, agent, signal: context.signal });
      const { text, usage, calls } = result;
      if (!result.isOk) {
        const reason = result.reason ?? "it gave no reason";
        throw new ToolFailure("agent_execution", `The agent did not finish: ${reason}`, {
          usage,
          ...(text === "" ? {} : { output: text }),
        });
      }
      if (calls === 0) return { output: text, usage };
      return { output: text, usage, summary: calls === 1 ? "1 call" : `${calls} calls` };
    },
  });
}
