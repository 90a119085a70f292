/** The name, the words and the approval of a built-in tool, around work of the client's. */
import { defineTool, type ToolDefinition } from "@callboard/agent-sdk";
import type { z } from "zod";

export function likeTool<Input>(
  shape: ToolDefinition,
  input: z.ZodType<Input>,
  run: Parameters<typeof defineTool<Input>>[0]["run"],
): ToolDefinition {
  const { name, description, kind, needsApproval, timeoutMs } = shape;
  const tool = defineTool({ name, description, kind, input, run, needsApproval, timeoutMs });
  const { approvalTarget, compactParams, title, locations, aliases } = shape;
  return { ...tool, approvalTarget, compactParams, title, locations, aliases };
}
