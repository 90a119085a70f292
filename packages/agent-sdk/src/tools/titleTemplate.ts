/** `Reading {{path}}` filled from arguments that may be incomplete; missing values are omitted. */
import type { JsonObject } from "@callboard/run-log";
import { oneLine } from "../utils/oneLine.js";

export function filledTemplate(template: string, input: JsonObject): string | undefined {
  const filled = template
    .replaceAll(/\{\{\s*([\w-]+)\s*\}\}/g, (_whole, name: string) => shownArgument(input, name))
    .replaceAll(/\s+/g, " ")
    .trim();
  return filled === "" ? undefined : filled;
}

function shownArgument(input: JsonObject, name: string): string {
  const value = Object.hasOwn(input, name) ? input[name] : undefined;
  if (typeof value === "string") return oneLine(value);
  return typeof value === "number" || typeof value === "boolean" ? String(value) : "";
}
