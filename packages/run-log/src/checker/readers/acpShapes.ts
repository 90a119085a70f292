/**
 * What a single tool call update may contain, by version: its values, the shapes of its content, the required fields. It
 * checks no order and keeps no state; each update is checked alone.
 */
import type { KnownVersion } from "../../lines/acp/connection.js";
import { type Fields, fieldsOf, isFields, listOf, nameOf, textOf } from "../../values/fields.js";
import { type Remark, suspicion, violation } from "../rules.js";

const statuses: Readonly<Record<KnownVersion, ReadonlySet<unknown>>> = {
  1: new Set(["pending", "in_progress", "completed", "failed"]),
  2: new Set(["pending", "in_progress", "paused", "completed", "failed", "cancelled"]),
};
const kinds: ReadonlySet<unknown> = new Set([
  ...["read", "edit", "delete", "move", "search", "execute", "think", "fetch", "switch_mode"],
  "other",
]);
export const callFields = [
  ...["title", "kind", "status", "content", "locations", "name", "rawInput", "rawOutput"],
] as const;
/** Fields that v2 adds to those of both versions. */
const known: ReadonlySet<string> = new Set([...callFields, "capabilities"]);
const texts = ["title", "name"] as const;
const neverNull = ["title", "kind", "status", "content", "locations", "name"] as const;

/** `isSure`: the connection has named its version. */
export interface Spoken {
  readonly version: KnownVersion;
  readonly isSure: boolean;
}

export function shapeRemarks(
  update: Fields,
  id: string,
  { version, isSure }: Spoken,
): readonly Remark[] {
  const isOpening = update.sessionUpdate === "tool_call";
  return [
    ...emptyRemarks(update, id, isOpening),
    ...(isOpening && nameOf(update.title) === undefined
      ? [violation("missing-field", "a tool_call without title", id)]
      : []),
    ...nullRemarks(update, version, id),
    ...textRemarks(update, id),
    ...wordRemarks("status", update.status, statuses[version], { version, isSure }, id),
    ...wordRemarks("kind", update.kind, kinds, { version, isSure }, id),
    ...contentRemarks(update.content, version, id),
    ...locationRemarks(update.locations, id),
  ];
}

function emptyRemarks(update: Fields, id: string, isOpening: boolean): readonly Remark[] {
  const { sessionUpdate: _, toolCallId: __, _meta: meta, ...rest } = update;
  const named = Object.keys(rest);
  if (isOpening || named.some((field) => known.has(field))) return [];
  if (named.length > 0) {
    const message = `an update with nothing that the protocol knows: ${named.join(", ")}`;
    return [suspicion("empty-update", message, id)];
  }
  const isBare = meta === undefined || (isFields(meta) && Object.keys(meta).length === 0);
  return isBare ? [violation("empty-update", "an update that says nothing", id)] : [];
}

function textRemarks(update: Fields, id: string): readonly Remark[] {
  return texts
    .filter((field) => (update[field] ?? "") !== "" && typeof update[field] !== "string")
    .map((field) => violation("unknown-value", `${field} is no text`, id));
}

export function nullRemarks(update: Fields, version: KnownVersion, id: string): readonly Remark[] {
  if (version === 2) return [];
  return neverNull
    .filter((field) => update[field] === null)
    .map((field) => violation("null-field", `${field} is null`, id));
}

export function kindRemarks(
  { kind }: Fields,
  version: KnownVersion,
  id: string,
): readonly Remark[] {
  return wordRemarks("kind", kind, kinds, { version, isSure: false }, id);
}

/** v2 has custom values, which start with an underscore. */
function wordRemarks(
  field: string,
  value: unknown,
  words: ReadonlySet<unknown>,
  { version, isSure }: Spoken,
  id: string,
): readonly Remark[] {
  if (value === undefined || value === null || words.has(value)) return [];
  if (version === 2 && textOf(value)?.startsWith("_")) return [];
  const message = `unknown ${field} ${JSON.stringify(value)}`;
  const isOfTheOther = field === "status" && statuses[2].has(value);
  if (isOfTheOther) {
    return isSure ? [violation("wrong-version", `${String(value)} is a status of v2`, id)] : [];
  }
  return [violation("unknown-value", message, id)];
}

function contentRemarks(content: unknown, version: KnownVersion, id: string): readonly Remark[] {
  if (content === undefined || content === null) return [];
  if (!Array.isArray(content)) {
    return [violation("malformed-content", "content is not a list", id)];
  }
  return listOf(content).flatMap((item, index) => {
    const problem = itemProblem(item, version);
    if (problem !== undefined) {
      return [violation("malformed-content", `content[${index}] ${problem}`, id)];
    }
    const path = nameOf(fieldsOf(item)?.path);
    if (path === undefined || isAbsolute(path)) return [];
    return [suspicion("malformed-content", `content[${index}] is not absolute: ${path}`, id)];
  });
}

export function itemProblem(item: unknown, version: KnownVersion): string | undefined {
  const fields = fieldsOf(item);
  if (fields === undefined) return "is not an object";
  switch (fields.type) {
    case "content":
      return blockProblem(fieldsOf(fields.content));
    case "diff":
      return diffProblem(fields, version);
    case "terminal":
      return nameOf(fields.terminalId) === undefined
        ? "is a terminal without terminalId"
        : undefined;
    default:
      if (version === 2 && textOf(fields.type)?.startsWith("_")) return undefined;
      return `has the unknown type ${JSON.stringify(fields.type ?? null)}`;
  }
}

export function blockProblem(block: Fields | undefined): string | undefined {
  if (block === undefined) return "has no content";
  switch (block.type) {
    case "text":
      return typeof block.text === "string" ? undefined : "is a text without text";
    case "image":
    case "audio":
      if (typeof block.data !== "string") return `is an ${block.type} without data`;
      return nameOf(block.mimeType) === undefined
        ? `is an ${block.type} without mimeType`
        : undefined;
    case "resource_link":
      if (typeof block.uri !== "string") return "is a link without uri";
      return typeof block.name === "string" ? undefined : "is a link without name";
    case "resource":
      return resourceProblem(fieldsOf(block.resource));
    default:
      return textOf(block.type)?.startsWith("_") ? undefined : "has a block of unknown type";
  }
}

function draftDiffProblem({ changes, path, patch }: Fields): string | undefined {
  if (!Array.isArray(changes) && nameOf(path) === undefined) return "is a diff without changes";
  const isNamed = listOf(changes).every((change) => {
    const { operation, path: place } = fieldsOf(change) ?? {};
    return nameOf(operation) !== undefined && nameOf(place) !== undefined;
  });
  if (!isNamed) return "is a diff with a change without operation or path";
  if (patch === undefined || patch === null) return undefined;
  const { format, text } = fieldsOf(patch) ?? {};
  const isWhole = nameOf(format) !== undefined && typeof text === "string";
  return isWhole ? undefined : "is a diff whose patch has no format or no text";
}

function resourceProblem(resource: Fields | undefined): string | undefined {
  if (resource === undefined) return "is a resource without its contents";
  if (typeof resource.uri !== "string") return "is a resource without uri";
  const isThere = typeof resource.text === "string" || typeof resource.blob === "string";
  return isThere ? undefined : "is a resource without text and blob";
}

function diffProblem(diff: Fields, version: KnownVersion): string | undefined {
  if (version === 2) {
    return draftDiffProblem(diff);
  }
  if (nameOf(diff.path) === undefined) return "is a diff without path";
  if (typeof diff.newText !== "string") return "is a diff without newText";
  if (typeof (diff.oldText ?? "") !== "string") return "is a diff whose oldText is no text";
  return diff.oldText === diff.newText ? "is a diff whose sides are the same" : undefined;
}

export function isAbsolute(path: string): boolean {
  return /^(?:[/\\]|[A-Za-z]:)/.test(path);
}

function locationRemarks(locations: unknown, id: string): readonly Remark[] {
  if (locations === undefined || locations === null) return [];
  if (!Array.isArray(locations)) {
    return [violation("malformed-content", "locations is not a list", id)];
  }
  return listOf(locations).flatMap((item, index) => {
    const { path: place, line } = fieldsOf(item) ?? {};
    const path = nameOf(place);
    if (path === undefined) {
      return [violation("malformed-content", `locations[${index}] has no path`, id)];
    }
    if (line !== undefined && line !== null && typeof line !== "number") {
      return [violation("malformed-content", `the line of locations[${index}] is no number`, id)];
    }
    if (isAbsolute(path)) return [];
    return [suspicion("malformed-content", `locations[${index}] is not absolute: ${path}`, id)];
  });
}
