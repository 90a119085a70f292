/**
 * The JSON Schemas of the arguments in the questions of a run, for forms in which a person changes them. Those of the
 * configured and the built-in tools are known; a tool of an MCP server has none here, and its arguments are edited as
 * JSON.
 */
import type { JsonObject, RunEvent } from "@callboard/run-log";
import type { ServerParts } from "../parts.js";
import type { Viewer } from "../stores/runStore.js";

export type FindInputSchema = (toolName: string) => JsonObject | undefined;

export function inputSchemasOf(
  { directory, builtinTools }: Pick<ServerParts, "directory" | "builtinTools">,
  viewer: Viewer,
  events: readonly RunEvent[],
): FindInputSchema {
  const started = events.find((event) => event.type === "run.started");
  const agent = directory.agents.get(started?.agent ?? directory.defaultName);
  return (toolName) => {
    const tools = agent && (agent.tools ?? builtinTools(agent, viewer));
    return tools?.find(({ name }) => name === toolName)?.inputSchema;
  };
}
