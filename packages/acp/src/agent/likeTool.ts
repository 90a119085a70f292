/** A built-in tool whose work the client does: its arguments, words, approval and background are the same. */
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
  const { name, description, kind } = shape;
  const { execute } = defineTool({ name, description, kind, input, run });
  return { ...shape, execute };
}
