/** pi as it prints with `--mode json`. Every update repeats the whole message: only the delta is read. */

import { type Fields, fieldsOf, listOf, nameOf, numberOf, textOf } from "../../values/fields.js";
import { withoutUndefined } from "../../values/optional.js";
import type { Claim } from "../claims.js";
import { type IntakeDialect, stepWithClaims } from "../dialect.js";
import { piBlocks, piEnding, piUsage } from "./piMessages.js";
import { contentText, modelIn, remembered, timeOf, userSaid } from "./shared.js";

export interface PiMemory {
  readonly session?: string;
  /** The calls of the message that is streamed, by place in it. */
  readonly blocks: ReadonlyMap<number, string>;
}

const kinds: ReadonlySet<unknown> = new Set([
  "agent_start",
  "agent_end",
  "tool_execution_start",
  "tool_execution_end",
  "message_update",
]);

export const pi: IntakeDialect<PiMemory> = {
  initial: { blocks: new Map() },
  isOwn: ({ value }) => kinds.has(value.type),
  step(memory, { value }) {
    const id = nameOf(value.id);
    const next = value.type === "session" && id ? { ...memory, session: id } : memory;
    const step = piStep(next, value);
    const session = withoutUndefined({ session: next.session });
    const at = timeOf(value.timestamp);
    return stepWithClaims(step.memory, step.claims, {
      ...session,
      ...withoutUndefined({ at }),
    });
  },
};

interface ClaimStep {
  readonly memory: PiMemory;
  readonly claims: readonly Claim[];
}

function piStep(memory: PiMemory, value: Fields): ClaimStep {
  const call = textOf(value.toolCallId) ?? "";
  const message = fieldsOf(value.message) ?? {};
  const only = (...claims: readonly Claim[]): ClaimStep => ({ memory, claims });
  switch (value.type) {
    case "session":
      return only({ type: "session", agent: "pi" });
    case "agent_start":
      return only({ type: "turnStarted" });
    case "agent_end":
      return only({ type: "turnEnded", outcome: "ok" });
    case "message_start":
      if (message.role === "user") return only(...userSaid(contentText(message.content)));
      if (message.role !== "assistant") return only();
      return {
        memory: { ...memory, blocks: new Map() },
        claims: [...modelIn(message), { type: "messageEnded" }, { type: "messageOpened" }],
      };
    case "message_update":
      return updateStep(memory, fieldsOf(value.assistantMessageEvent) ?? {});
    case "message_end":
      if (message.role !== "assistant") return only();
      return only(...piEndClaims(message));
    case "tool_execution_start":
      return only({ type: "callStarted", call });
    case "tool_execution_update": {
      const text = contentText(fieldsOf(value.partialResult)?.content);
      return text === "" ? only() : only({ type: "outputShown", call, text });
    }
    case "tool_execution_end": {
      const ending = piEnding(fieldsOf(value.result)?.content, value.isError === true);
      return only({ type: "callEnded", call, ending });
    }
    default:
      return only();
  }
}

function piEndClaims(message: Fields): readonly Claim[] {
  const failure = nameOf(message.errorMessage);
  const error: readonly Claim[] =
    failure === undefined ? [] : [{ type: "errorReported", errorType: "model", message: failure }];
  const finishReason = nameOf(message.stopReason);
  const reason = withoutUndefined({ finishReason });
  return [...error, ...piUsage(message), { type: "messageEnded", ...reason }];
}

function updateStep(memory: PiMemory, event: Fields): ClaimStep {
  const index = numberOf(event.contentIndex) ?? -1;
  const text = textOf(event.delta) ?? "";
  const only = (...claims: readonly Claim[]): ClaimStep => ({ memory, claims });
  switch (event.type) {
    case "text_delta":
      return only({ type: "textGrew", kind: "text", text });
    case "thinking_delta":
      return only({ type: "textGrew", kind: "reasoning", text });
    case "text_end":
    case "thinking_end":
      return only({ type: "textEnded" });
    case "toolcall_start": {
      const block = fieldsOf(listOf(fieldsOf(event.partial)?.content)[index]) ?? {};
      const call = textOf(block.id) ?? "";
      return {
        memory: { ...memory, blocks: remembered(memory.blocks, index, call) },
        claims: [{ type: "callOpened", call, tool: nameOf(block.name) ?? "unknown" }],
      };
    }
    case "toolcall_delta": {
      const call = memory.blocks.get(index);
      return call === undefined ? only() : only({ type: "inputGrew", call, text });
    }
    case "toolcall_end": {
      const [, given] = piBlocks({ content: [event.toolCall] }, {});
      return given === undefined ? only() : only(given);
    }
    default:
      return only();
  }
}
