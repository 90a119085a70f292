/**
 * A session update as on the wire, of either version and with any additional fields. This module knows the fields of a
 * tool call, their order of importance and their statuses, nothing else.
 */
import type { JsonObject, JsonValue } from "@callboard/run-log";
import type { AcpUpdate, AcpVersion } from "@callboard/run-log/projections";

export type SessionUpdate = JsonObject & { readonly sessionUpdate: string };

/** The statuses that both versions have, and those that only v2 has. */
type SharedStatus = "pending" | "in_progress" | "completed" | "failed";
type DraftStatus = "paused" | "cancelled";

/** The statuses of a version; by default of both. */
export type ToolCallStatus<Version extends AcpVersion = AcpVersion> = Version extends 1
  ? SharedStatus
  : SharedStatus | DraftStatus;

export type FinalStatus = "completed" | "failed" | "cancelled";

/** An update of one call, opening it or changing it: an omitted field is unchanged. */
export type ToolCallUpdate<Version extends AcpVersion = 1> = SessionUpdate & {
  readonly sessionUpdate: "tool_call" | "tool_call_update";
  readonly toolCallId: string;
  readonly status?: ToolCallStatus<Version> | null;
};

/** The fields of a tool call, most important first: the order in an update. */
export const toolCallFields = [
  "status",
  "content",
  "locations",
  "title",
  "kind",
  "name",
  "capabilities",
  "rawInput",
  "rawOutput",
] as const;

export type ToolCallField = (typeof toolCallFields)[number];

/** The projection's output is JSON by its types; only their readonly lists need this cast. */
export function wireOf(update: AcpUpdate): SessionUpdate;
export function wireOf(update: object): object {
  return update;
}

/** Words as an item of a call's content. */
export function textItem(text: string): JsonObject {
  return { type: "content", content: { type: "text", text } };
}

const finalStatuses: ReadonlySet<unknown> = new Set(["completed", "failed", "cancelled"]);

export function isFinal(status: JsonValue | undefined): boolean {
  return finalStatuses.has(status);
}

const rank: Readonly<Record<string, number>> = { pending: 0, in_progress: 1, paused: 1 };

/** Whether a call may go from one status to the other: never back, and from an end nowhere. */
export function mayFollow(status: JsonValue | undefined, next: JsonValue | undefined): boolean {
  if (isFinal(status)) return false;
  if (isFinal(next)) return true;
  return (rank[String(next ?? "pending")] ?? 1) >= (rank[String(status ?? "pending")] ?? 0);
}
