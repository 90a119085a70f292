/**
 * A tool with isolated hooks: a hook that throws or returns a wrong value is logged once, and the call continues without
 * it. A hook that decides about safety fails closed: without a target no rule can allow the call, and arguments that
 * cannot be checked are not valid.
 */
import type { JsonObject } from "@callboard/run-log";
import { locationSchema } from "@callboard/run-log/writing";
import { z } from "zod";
import type { Logger } from "../types/logger.js";
import type { ToolDefinition } from "../types/tools.js";
import { thrownMessage } from "../utils/plainJson.js";

const locationsSchema = z.array(locationSchema);
const textSchema = z.string().optional();

export function isolatedTool(tool: ToolDefinition, logger: Logger): ToolDefinition {
  const told = new Set<string>();

  function tell(hook: string, problem: string): void {
    if (told.has(hook)) return;
    told.add(hook);
    const message = `The hook ${hook} of the tool ${tool.name} failed; the call continues without it.`;
    logger.error(message, { toolName: tool.name, hook, problem });
  }

  function guarded<Value>(
    hook: string,
    schema: z.ZodType<Value>,
    ask: () => unknown,
  ): Value | undefined {
    try {
      const parsed = schema.safeParse(ask());
      if (parsed.success) return parsed.data;
      tell(hook, `it returned what does not fit: ${z.prettifyError(parsed.error)}`);
    } catch (error) {
      tell(hook, thrownMessage(error));
    }
    return undefined;
  }

  return {
    ...tool,
    // Any value other than a plain false requires approval.
    needsApproval: tool.needsApproval !== false,
    approvalTarget: (input: JsonObject) =>
      guarded("approvalTarget", textSchema, () => tool.approvalTarget(input)),
    compactParams: (input: JsonObject) =>
      guarded("compactParams", textSchema, () => tool.compactParams(input)),
    title: (input: JsonObject) => guarded("title", textSchema, () => tool.title(input)),
    locations: (input: JsonObject, workdir: string) =>
      guarded("locations", locationsSchema, () => tool.locations(input, workdir)) ?? [],
    isDetached: (input: JsonObject) =>
      guarded("isDetached", z.boolean(), () => tool.isDetached?.(input) ?? false) ?? false,
    async inputProblem(input, signal) {
      try {
        const problem: unknown = await tool.inputProblem(input, signal);
        if (problem === undefined || typeof problem === "string") return problem;
        tell("inputProblem", "it returned neither text nor nothing");
      } catch (error) {
        tell("inputProblem", thrownMessage(error));
      }
      return `The arguments of ${tool.name} could not be checked.`;
    },
    execute: tool.execute,
  };
}
