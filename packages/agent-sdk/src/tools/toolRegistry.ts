/** The tools of an agent, by the names that a model may use: their own and their old ones. */
import type { LanguageModelV3FunctionTool } from "@ai-sdk/provider";
import type { CompactParams } from "@callboard/run-log/projections";
import type { ToolDefinition } from "../types/tools.js";

export interface ToolRegistry {
  readonly tools: readonly ToolDefinition[];
  find(name: string): ToolDefinition | undefined;
  /** The tool's own name, also for an old name; the name itself if no tool has it. */
  nameOf(name: string): string;
  readonly declarations: readonly LanguageModelV3FunctionTool[];
  readonly compactParams: CompactParams;
}

/** Throws if two tools have the same name: a model could not distinguish them. */
export function createToolRegistry(tools: readonly ToolDefinition[]): ToolRegistry {
  const byName = new Map<string, ToolDefinition>();
  for (const tool of tools) {
    if (byName.has(tool.name)) throw new Error(`two tools are named ${tool.name}`);
    byName.set(tool.name, tool);
  }
  const aliases = new Map<string, ToolDefinition>();
  for (const tool of tools) {
    for (const alias of tool.aliases) if (!byName.has(alias)) aliases.set(alias, tool);
  }
  const find = (name: string): ToolDefinition | undefined => byName.get(name) ?? aliases.get(name);
  return {
    tools,
    find,
    nameOf: (name) => find(name)?.name ?? name,
    declarations: tools.map(({ name, description, inputSchema }) => ({
      type: "function",
      name,
      description,
      inputSchema: { ...inputSchema },
    })),
    compactParams: (toolName, input) => find(toolName)?.compactParams(input),
  };
}
