/** Whether a client would take an update of a tool call: every reason why not, in words. */

import { isJsonObject, type JsonValue } from "@callboard/run-log";
import { type AcpVersion, acpToolKinds } from "@callboard/run-log/projections";
import { jsonListOf } from "@callboard/run-log/values";
import { shapeProblems } from "./protocolShapes.js";
import { type SessionUpdate, toolCallFields } from "./sessionUpdate.js";

const statuses: Readonly<Record<AcpVersion, ReadonlySet<JsonValue>>> = {
  1: new Set(["pending", "in_progress", "completed", "failed"]),
  2: new Set(["pending", "in_progress", "paused", "completed", "failed", "cancelled"]),
};

const kinds: ReadonlySet<JsonValue> = new Set([...acpToolKinds, "other"]);

/** First the common mistakes, with a remedy; then the errors of the protocol's schema. */
export function updateProblems(update: SessionUpdate, version: AcpVersion): readonly string[] {
  const plain = plainProblems(update, version);
  if (plain.length > 0) return plain;
  const type =
    version === 1 && update.sessionUpdate === "tool_call" ? "ToolCall" : "ToolCallUpdate";
  return [...new Set(shapeProblems(version, type, update))];
}

function plainProblems(update: SessionUpdate, version: AcpVersion): readonly string[] {
  const { toolCallId, status, kind, title, content, locations } = update;
  const isNamed = typeof toolCallId === "string" && toolCallId !== "";
  const isOpening = update.sessionUpdate === "tool_call";
  return [
    ...(isNamed ? [] : ["toolCallId is missing: name the call"]),
    ...emptyProblem(update, isOpening),
    ...(version === 1 ? nullProblems(update) : []),
    ...(isOpening && (typeof title !== "string" || title === "")
      ? ["a tool_call needs a title"]
      : []),
    ...wordProblem("status", status, statuses[version], version),
    ...wordProblem("kind", kind, kinds, version),
    ...jsonListOf(content).flatMap((item, index) => contentProblem(item, index)),
    ...jsonListOf(locations).flatMap((item, index) => locationProblem(item, index, version)),
  ];
}

function emptyProblem(update: SessionUpdate, isOpening: boolean): readonly string[] {
  const known: readonly string[] = [...toolCallFields, "_meta"];
  const isEmpty = !isOpening && !known.some((field) => update[field] !== undefined);
  return isEmpty ? ["it changes nothing: set a field, or do not send it"] : [];
}

function nullProblems(update: SessionUpdate): readonly string[] {
  return toolCallFields
    .filter((field) => update[field] === null)
    .map((field) => `${field} is null, which v1 does not allow: omit it`);
}

/** v2 accepts custom values that start with an underscore. */
function wordProblem(
  field: string,
  value: JsonValue | undefined,
  words: ReadonlySet<JsonValue>,
  version: AcpVersion,
): readonly string[] {
  if (value === undefined || value === null || words.has(value)) return [];
  if (version === 2 && typeof value === "string" && value.startsWith("_")) return [];
  const known = [...words].join(", ");
  return [`${field} ${JSON.stringify(value)} is not one of ${known}`];
}

function contentProblem(item: JsonValue, index: number): readonly string[] {
  const at = `content[${index}]`;
  if (!isJsonObject(item)) return [`${at} is not an object`];
  if (item.type === "content") return isJsonObject(item.content) ? [] : [`${at} has no content`];
  if (item.type === "terminal") {
    return typeof item.terminalId === "string" ? [] : [`${at} has no terminalId`];
  }
  if (item.type !== "diff") return [`${at} has the unknown type ${JSON.stringify(item.type)}`];
  const isWhole = typeof item.path === "string" && typeof item.newText === "string";
  return isWhole || Array.isArray(item.changes) ? [] : [`${at} is a diff without path and newText`];
}

function locationProblem(item: JsonValue, index: number, version: AcpVersion): readonly string[] {
  const at = `locations[${index}]`;
  if (!isJsonObject(item) || typeof item.path !== "string") return [`${at} has no path`];
  const lowest = version === 2 ? 1 : 0;
  const { line = lowest } = item;
  const isLine = line === null || (Number.isInteger(line) && Number(line) >= lowest);
  return [
    ...(/^(?:[/\\]|[A-Za-z]:)/.test(item.path) ? [] : [`${at} is not absolute: ${item.path}`]),
    ...(isLine ? [] : [`${at} has the line ${JSON.stringify(line)}: give a whole number`]),
  ];
}
