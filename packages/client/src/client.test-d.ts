/** Compiled, never run: what streams yield and what calls take is as narrow as it should be. */
import type { RunEvent } from "@callboard/run-log";
import type { AgentStreamEvent } from "@callboard/run-log/http";
import type { CallTrack } from "@callboard/run-log/projections";
import {
  type AgentStreamItem,
  type Client,
  isNotice,
  type LogStreamItem,
  toolCallMap,
} from "./index.js";
import type { AgentToolUpdateEvent } from "./testing/examples/types.js";

export function textOf(item: AgentStreamItem): string | undefined {
  if (item.event === "chunk") return item.data;
  if (item.event === "tool_event") return item.data.message;
  if (item.event === "malformed") return item.data.problem;
  if (item.event === "reset") return item.data.reason;
  if (item.event !== "connection") return undefined;
  return item.data.status === "reconnecting" ? item.data.reason : undefined;
}

export function eventIn(item: LogStreamItem): RunEvent | undefined {
  return isNotice(item) ? undefined : item;
}

/** Every line that run-log can write is one that this client yields. */
export const lineAsItem = (line: AgentStreamEvent): AgentStreamItem => line;

export async function mistakes(client: Client): Promise<void> {
  // @ts-expect-error a run is asked something
  await client.execute({});
  // @ts-expect-error there is no such vocabulary
  await client.execute({ user_input: "x", tool_events: "v3" });
  // @ts-expect-error an answer names an option
  await client.answerApproval("run", "approval", { message: "no" });
}

/** Both vocabularies of a call are lines of a stream. */
export const updateAsItem = (line: AgentToolUpdateEvent): AgentStreamItem => line;

/** Rows of any shape that has the key. */
export const outputs = toolCallMap([{ call_id: "a", output: "b" }]).get("a")?.output;

export function readonlyTrack(track: CallTrack): void {
  // @ts-expect-error a track is a snapshot
  track.state = "done";
}
