/** A run as the call of an MCP tool. */
import {
  createMcpProjection,
  type McpMemory,
  type McpOutput,
} from "@callboard/run-log/projections";
import type { Surface } from "../surface.js";

export const mcpSurface: Surface<McpMemory, McpOutput> = {
  name: "mcp",
  projection: createMcpProjection(),
  finalOf: (outputs) => outputs.at(-1),
};
