/** What a tool provides about a call for people: its kind and display, then the title and the places of its arguments. */

import type { CallDisplay, JsonObject, Location, ToolType } from "@callboard/run-log";
import { withoutUndefined } from "@callboard/run-log/values";
import type { ToolDefinition } from "../types/tools.js";

export interface ShownTool {
  readonly toolName: string;
  readonly toolType: ToolType;
  readonly kind: string;
  readonly display?: CallDisplay;
}

export function shownTool({ name, toolType, kind, display }: ToolDefinition): ShownTool {
  return { toolName: name, toolType, kind, ...withoutUndefined({ display }) };
}

export interface InputDetails {
  readonly title?: string;
  readonly locations?: readonly Location[];
}

export function inputDetails(
  tool: ToolDefinition,
  input: JsonObject,
  workdir: string,
): InputDetails {
  const title = tool.title(input);
  const locations = tool.locations(input, workdir);
  return {
    ...withoutUndefined({ title }),
    ...(locations.length === 0 ? {} : { locations }),
  };
}
