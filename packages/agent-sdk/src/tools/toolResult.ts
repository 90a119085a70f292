/**
 * Validates what a tool returns. Any JSON value, a text or nothing is a valid output. A plain object with an `output`
 * field is a `ToolResult`, and each of its fields is checked; every other value is the output itself. A wrong field is
 * named, never thrown.
 */
import {
  type CallDetails,
  isJsonObject,
  type JsonObject,
  type JsonValue,
} from "@callboard/run-log";
import { callDetailsSchema } from "@callboard/run-log/writing";
import type { ToolResult } from "../types/tools.js";
import { plainJson } from "../utils/plainJson.js";
import { faultsOfIssue, fieldName } from "./fieldFaults.js";

export type TakenResult =
  | {
      readonly status: "taken";
      readonly output: string;
      readonly outputType: "text" | "json";
      readonly details: CallDetails;
    }
  /** `output` is kept if that part of the result is valid. */
  | { readonly status: "misfit"; readonly problem: string; readonly output?: string };

export function takenResult(result: unknown): TakenResult {
  const json = plainJson(isToolResult(result) ? { ...result } : { output: result });
  if (json.status === "misfit") {
    return { status: "misfit", problem: `${fieldName(json.path, "the result")}: ${json.problem}` };
  }
  const fields: JsonObject = isJsonObject(json.value) ? json.value : {};
  const { output, ...given } = fields;
  const written = writtenOutput(output);
  const details = callDetailsSchema.safeParse(given);
  if (details.success) return { status: "taken", ...written, details: details.data };
  const faults = details.error.issues.flatMap((issue) => faultsOfIssue(issue, "the result"));
  return { status: "misfit", problem: faults.join("; "), output: written.output };
}

/** Whether a value is a `ToolResult` and not plain JSON: it has a field `output` of its own. */
export function isToolResult(value: unknown): value is ToolResult {
  try {
    return (
      typeof value === "object" &&
      value !== null &&
      !Array.isArray(value) &&
      Object.hasOwn(value, "output")
    );
  } catch {
    // A proxy may refuse this query; reading it as JSON then returns its error.
    return false;
  }
}

function writtenOutput(output: JsonValue | undefined): {
  readonly output: string;
  readonly outputType: "text" | "json";
} {
  if (output === undefined) return { output: "", outputType: "text" };
  if (typeof output === "string") return { output, outputType: "text" };
  return { output: JSON.stringify(output), outputType: "json" };
}
