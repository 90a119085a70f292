/**
 * The chunk shorthand of AG-UI: a chunk opens what it names, continues it while no other event comes, and is closed by
 * the next event. This module expands it into the events that it represents.
 */
import { type Fields, nameOf, textOf } from "../../values/fields.js";
import { nothing, type Observation, type Reading, remarked } from "../observations.js";
import { violation } from "../rules.js";

type ChunkKind = "call" | "message" | "reasoning";

interface Pending {
  readonly kind: ChunkKind;
  readonly id: string;
}

const chunkKinds: Readonly<Record<string, readonly [ChunkKind, string]>> = {
  TOOL_CALL_CHUNK: ["call", "toolCallId"],
  TEXT_MESSAGE_CHUNK: ["message", "messageId"],
  REASONING_MESSAGE_CHUNK: ["reasoning", "messageId"],
};

/** Events that may come in the middle of a chunked text without ending it. */
const bystanders: ReadonlySet<string> = new Set([
  "RAW",
  "ACTIVITY_SNAPSHOT",
  "ACTIVITY_DELTA",
  "REASONING_ENCRYPTED_VALUE",
  "SUBAGENT_STARTED",
]);

export interface ChunkUnfolder {
  read(type: string, value: Fields): Reading;
}

export function createChunkUnfolder(): ChunkUnfolder {
  /** Each subagent writes its own text, beside the others'. */
  const lanes = new Map<string, Pending>();

  const closedLane = (lane: string): readonly Observation[] => {
    const pending = lanes.get(lane);
    lanes.delete(lane);
    return pending ? [closing(pending)] : [];
  };

  const continued = (lane: string, kind: ChunkKind, id: string): readonly Observation[] => {
    const pending = lanes.get(lane);
    if (pending?.kind === kind && pending.id === id) return [];
    const closed = closedLane(lane);
    lanes.set(lane, { kind, id });
    return [...closed, opening({ kind, id })];
  };

  return {
    read(type, value) {
      const lane = textOf(value.subagentRunId) ?? "";
      const chunk = chunkKinds[type];
      if (!chunk) {
        if (bystanders.has(type)) return nothing;
        const isOfRun = type.startsWith("RUN_") || type === "MESSAGES_SNAPSHOT";
        const closed = isOfRun ? [...lanes.keys()].flatMap(closedLane) : closedLane(lane);
        return { observations: closed, remarks: [] };
      }
      const [kind, field] = chunk;
      const pending = lanes.get(lane);
      const id = nameOf(value[field]) ?? (pending?.kind === kind ? pending.id : undefined);
      if (id === undefined) {
        return remarked(violation("missing-field", `the first ${type} without ${field}`));
      }
      const observations = [...continued(lane, kind, id), ...chunkDeltaOf(kind, id, value)];
      return { observations, remarks: [] };
    },
  };
}

function opening({ kind, id }: Pending): Observation {
  return kind === "call"
    ? { type: "call.opened", call: { scope: "", id } }
    : { type: "part.opened", kind, id };
}

function closing({ kind, id }: Pending): Observation {
  return kind === "call"
    ? { type: "call.input.closed", call: { scope: "", id } }
    : { type: "part.closed", kind, id };
}

function chunkDeltaOf(kind: ChunkKind, id: string, value: Fields): readonly Observation[] {
  const length = textOf(value.delta)?.length;
  if (length === undefined) return [];
  return kind === "call"
    ? [{ type: "call.input.delta", call: { scope: "", id }, length }]
    : [
        { type: "part.continued", kind, id },
        { type: "model.spoke", scope: "" },
      ];
}
