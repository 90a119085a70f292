/** What a tool says of its arguments for people: a title, and the places that it touches. */
import type { JsonObject, Location } from "@callboard/run-log";
import type { ToolDefinition } from "../types/tools.js";

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
    ...(title === undefined ? {} : { title }),
    ...(locations.length === 0 ? {} : { locations }),
  };
}
