/** The name, the words and the approval of a built-in tool, around work of the client's. */
import {
  defineTool,
  type ToolContext,
  type ToolDefinition,
  type ToolResult,
} from "@callboard/agent-sdk";
import type { z } from "zod";

export function likeTool<Input>(
  shape: ToolDefinition,
  input: z.ZodType<Input>,
  run: (input: Input, context: ToolContext) => Promise<ToolResult>,
): ToolDefinition {
  const { name, description, kind, needsApproval, timeoutMs } = shape;
  const tool = defineTool({ name, description, kind, input, run, needsApproval, timeoutMs });
  const { approvalTarget, compactParams, title, locations, aliases } = shape;
  return { ...tool, approvalTarget, compactParams, title, locations, aliases };
}
