/**
 * Reads AG-UI 1.0 events. It knows the event types and their ids, and unfolds the chunk shorthand;
 * which event may follow which is the judge's.
 */
import { type Fields, fieldsOf, listOf, nameOf, textOf } from "../../values/fields.js";
import {
  type DialectFacts,
  type Excuse,
  missing,
  nothing,
  type Observation,
  observed,
  type PartKind,
  type Reader,
  type Reading,
  remarked,
} from "../observations.js";
import { suspicion, violation } from "../rules.js";
import { createChunkUnfolder } from "./agUiChunks.js";

export const agUiFacts: DialectFacts = {
  startRequired: true,
  endRequired: true,
  inputIsClosed: true,
};

const partEvents: Readonly<
  Record<string, readonly [PartKind, "opened" | "continued" | "closed", string]>
> = {
  TEXT_MESSAGE_START: ["message", "opened", "messageId"],
  TEXT_MESSAGE_CONTENT: ["message", "continued", "messageId"],
  TEXT_MESSAGE_END: ["message", "closed", "messageId"],
  REASONING_START: ["reasoning span", "opened", "messageId"],
  REASONING_END: ["reasoning span", "closed", "messageId"],
  REASONING_MESSAGE_START: ["reasoning", "opened", "messageId"],
  REASONING_MESSAGE_CONTENT: ["reasoning", "continued", "messageId"],
  REASONING_MESSAGE_END: ["reasoning", "closed", "messageId"],
  STEP_STARTED: ["step", "opened", "stepName"],
  STEP_FINISHED: ["step", "closed", "stepName"],
  SUBAGENT_STARTED: ["subagent", "opened", "subagentRunId"],
  SUBAGENT_FINISHED: ["subagent", "closed", "subagentRunId"],
  SUBAGENT_ERROR: ["subagent", "closed", "subagentRunId"],
};

const callEvents = [
  "TOOL_CALL_START",
  "TOOL_CALL_ARGS",
  "TOOL_CALL_END",
  "TOOL_CALL_RESULT",
] as const;
type CallEvent = (typeof callEvents)[number];

const runEvents = ["RUN_STARTED", "RUN_FINISHED", "RUN_ERROR", "MESSAGES_SNAPSHOT"] as const;
type RunEvent = (typeof runEvents)[number];

/** Events that contain nothing about a lifecycle. */
const otherEvents: ReadonlySet<string> = new Set([
  "TEXT_MESSAGE_CHUNK",
  "TOOL_CALL_CHUNK",
  "REASONING_MESSAGE_CHUNK",
  "REASONING_ENCRYPTED_VALUE",
  "STATE_SNAPSHOT",
  "STATE_DELTA",
  "ACTIVITY_SNAPSHOT",
  "ACTIVITY_DELTA",
  "RAW",
  "CUSTOM",
]);

export function isAgUiLine(value: Fields): boolean {
  const type = textOf(value.type) ?? "";
  return (
    type in partEvents ||
    otherEvents.has(type) ||
    [...callEvents, ...runEvents].some((known) => known === type)
  );
}

export function createAgUiReader(): Reader {
  const unfolder = createChunkUnfolder();
  const unknown = new Set<string>();

  const readingOf = (type: string, value: Fields): Reading => {
    const callEvent = callEvents.find((known) => known === type);
    if (callEvent) return callReading(callEvent, value);
    const runEvent = runEvents.find((known) => known === type);
    if (runEvent) return runReading(runEvent, value);
    const part = partEvents[type];
    if (part) return partReading(type, part, value);
    if (otherEvents.has(type) || unknown.has(type)) return nothing;
    unknown.add(type);
    return remarked(suspicion("unknown-type", `unknown event ${type}`));
  };

  return {
    read(payload) {
      if (payload.type === "done") return nothing;
      const type = nameOf(payload.value.type);
      if (type === undefined) return missing("the event", "type");
      const unfolded = unfolder.read(type, payload.value);
      const { observations, remarks } = readingOf(type, payload.value);
      return {
        observations: [...unfolded.observations, ...observations],
        remarks: [...unfolded.remarks, ...remarks],
      };
    },
    end: () => [],
  };
}

/** A subagent may run the same step as its parent, so a step is named with its owner. */
function partReading(
  type: string,
  [kind, move, field]: readonly [PartKind, "opened" | "continued" | "closed", string],
  value: Fields,
): Reading {
  const id = nameOf(value[field]);
  if (id === undefined) return missing(type, field);
  const owner = kind === "step" ? textOf(value.subagentRunId) : undefined;
  return observed(
    { type: `part.${move}`, kind, id: owner === undefined ? id : `${id} of ${owner}` },
    { type: "model.spoke", scope: "" },
  );
}

function callReading(type: CallEvent, value: Fields): Reading {
  const id = nameOf(value.toolCallId);
  if (id === undefined) return missing(type, "toolCallId");
  const call = { scope: "", id };
  switch (type) {
    case "TOOL_CALL_START": {
      const remarks = nameOf(value.toolCallName)
        ? []
        : [violation("missing-field", `${type} without toolCallName`, id)];
      return { observations: [{ type: "call.opened", call }], remarks };
    }
    case "TOOL_CALL_ARGS": {
      const length = textOf(value.delta)?.length ?? 0;
      return observed({ type: "call.input.delta", call, length });
    }
    case "TOOL_CALL_END":
      return observed({ type: "call.input.closed", call });
    case "TOOL_CALL_RESULT":
      return observed({ type: "call.closed", call, outcome: "unstated" });
    default:
      return type satisfies never;
  }
}

function runReading(type: RunEvent, value: Fields): Reading {
  switch (type) {
    case "RUN_STARTED":
      return observed(
        { type: "turn.started", scope: "" },
        ...recalledCalls(fieldsOf(value.input)?.messages),
      );
    case "MESSAGES_SNAPSHOT":
      return observed(...recalledCalls(value.messages));
    case "RUN_FINISHED":
      return observed(finished(fieldsOf(value.outcome) ?? {}));
    case "RUN_ERROR": {
      const excuse = { type: "none" } as const;
      return observed({ type: "turn.ended", scope: "", how: "failed", excuse });
    }
    default:
      return type satisfies never;
  }
}

/** Calls that the quoted history knows: they may be answered in this run. */
function recalledCalls(messages: unknown): readonly Observation[] {
  const quoted = listOf(messages).map((message) => fieldsOf(message) ?? {});
  const answered = new Set(quoted.map((message) => message.toolCallId));
  return quoted.flatMap((message) =>
    listOf(message.toolCalls).flatMap((toolCall): readonly Observation[] => {
      const id = nameOf(fieldsOf(toolCall)?.id);
      if (id === undefined) return [];
      return [{ type: "call.recalled", call: { scope: "", id }, closed: answered.has(id) }];
    }),
  );
}

function finished(outcome: Fields): Observation {
  const how = outcome.type === "cancelled" ? "cancelled" : "finished";
  return { type: "turn.ended", scope: "", how, excuse: excuseOf(outcome) };
}

/** Frontend tools and interrupts leave calls for the application to answer. */
function excuseOf(outcome: Fields): Excuse {
  if (outcome.type === "cancelled") return { type: "none" };
  const interrupted = listOf(outcome.interrupts).map((item) => fieldsOf(item)?.toolCallId);
  const named = [...listOf(outcome.pendingToolCallIds), ...interrupted].flatMap(
    (id) => nameOf(id) ?? [],
  );
  return named.length === 0 ? { type: "unnamed" } : { type: "named", callIds: new Set(named) };
}
