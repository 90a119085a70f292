/**
 * The events of the OpenAI Agents SDK (`run(…, { stream: true })`). Every tool output is `completed`: only its text
 * shows a failure or a refusal. Arguments stream by the item's id, everything else by the call's.
 */
import { type Fields, fieldsOf, nameOf, textOf } from "../../values/fields.js";
import type { Claim, Place } from "../claims.js";
import { type IntakeDialect, stepWithClaims } from "../dialect.js";
import {
  contentText,
  deniedWith,
  failedWith,
  outputOf,
  remembered,
  type UsageNames,
  usageClaimsOf,
} from "./shared.js";

export interface OpenaiAgentsMemory {
  /** The calls that stream their arguments, by the id of their item. */
  readonly items: ReadonlyMap<string, string>;
}

const usageNames: UsageNames = { input: ["inputTokens"], output: ["outputTokens"] };
const kinds: ReadonlySet<unknown> = new Set([
  "raw_model_stream_event",
  "run_item_stream_event",
  "agent_updated_stream_event",
]);

export const openaiAgents: IntakeDialect<OpenaiAgentsMemory> = {
  initial: { items: new Map() },
  endsSilently: true,
  isOwn: ({ value }) => kinds.has(value.type),
  step(memory, { value }) {
    // What `onStream` of a nested agent provides: the call that it works for, and its event.
    const inner = fieldsOf(value.event);
    const parent = nameOf(value.parentCall) ?? nameOf(fieldsOf(value.toolCall)?.callId);
    const isNested = inner !== undefined && parent !== undefined;
    const step = isNested
      ? openaiAgentsStep(memory, inner, { parent })
      : openaiAgentsStep(memory, value, {});
    return stepWithClaims(step.memory, step.claims);
  },
};

interface ClaimStep {
  readonly memory: OpenaiAgentsMemory;
  readonly claims: readonly Claim[];
}

function openaiAgentsStep(memory: OpenaiAgentsMemory, value: Fields, place: Place): ClaimStep {
  const data = fieldsOf(value.data) ?? {};
  switch (value.type) {
    case "raw_model_stream_event":
      if (data.type === "model") return modelStep(memory, fieldsOf(data.event) ?? {}, place);
      return { memory, claims: rawClaims(data, place) };
    case "run_item_stream_event": {
      const item = fieldsOf(value.item) ?? {};
      return {
        memory,
        claims: openaiAgentsItemClaims(value.name, item, fieldsOf(item.rawItem) ?? {}, place),
      };
    }
    default:
      return { memory, claims: [] };
  }
}

function rawClaims(data: Fields, place: Place): readonly Claim[] {
  switch (data.type) {
    case "response_started": {
      const response = fieldsOf(fieldsOf(data.providerData)?.response);
      const model = nameOf(response?.model);
      const named: readonly Claim[] = model === undefined ? [] : [{ type: "session", model }];
      return [...named, { type: "messageEnded", ...place }, { type: "messageOpened", ...place }];
    }
    case "output_text_delta": {
      const part = nameOf(data.itemId);
      const where = part === undefined ? place : { ...place, part };
      return [{ type: "textGrew", kind: "text", text: textOf(data.delta) ?? "", ...where }];
    }
    case "response_done":
      return usageClaimsOf(fieldsOf(data.response)?.usage, usageNames);
    default:
      return [];
  }
}

function modelStep(memory: OpenaiAgentsMemory, event: Fields, place: Place): ClaimStep {
  const item = fieldsOf(event.item) ?? {};
  const itemId = nameOf(event.item_id) ?? nameOf(item.id) ?? "";
  const call = memory.items.get(itemId);
  switch (event.type) {
    case "response.output_item.added": {
      if (item.type !== "function_call") return { memory, claims: [] };
      const id = textOf(item.call_id) ?? "";
      const tool = nameOf(item.name) ?? "unknown";
      return {
        memory: { items: remembered(memory.items, itemId, id) },
        claims: [{ type: "callOpened", call: id, tool, ...place }],
      };
    }
    case "response.function_call_arguments.delta":
      if (call === undefined) return { memory, claims: [] };
      return { memory, claims: [{ type: "inputGrew", call, text: textOf(event.delta) ?? "" }] };
    case "response.function_call_arguments.done":
      if (call === undefined) return { memory, claims: [] };
      return {
        memory,
        claims: [{ type: "inputGiven", call, text: textOf(event.arguments) ?? "" }],
      };
    case "response.output_text.done":
      return { memory, claims: [{ type: "textEnded", part: itemId, ...place }] };
    default:
      return { memory, claims: [] };
  }
}

function openaiAgentsItemClaims(
  name: unknown,
  item: Fields,
  raw: Fields,
  place: Place,
): readonly Claim[] {
  const call = textOf(raw.callId) ?? "";
  switch (name) {
    case "message_output_created": {
      const part = nameOf(raw.id);
      const where = part === undefined ? place : { ...place, part };
      return [{ type: "textSaid", kind: "text", text: contentText(raw.content), ...where }];
    }
    case "tool_called":
    case "tool_approval_requested": {
      const tool = nameOf(raw.name) ?? "unknown";
      const opened: readonly Claim[] = [
        { type: "callOpened", call, tool, isUpsert: true, ...place },
        { type: "inputGiven", call, text: textOf(raw.arguments) ?? "" },
      ];
      return name === "tool_called"
        ? [...opened, { type: "callStarted", call }]
        : [...opened, { type: "approvalAsked", call, approval: `${call}-approval` }];
    }
    case "tool_output":
      return [{ type: "callEnded", call, ending: openaiAgentsEnding(item, raw) }];
    default:
      return [];
  }
}

function openaiAgentsEnding(item: Fields, raw: Fields) {
  const text = textOf(item.output) ?? textOf(fieldsOf(raw.output)?.text);
  if (text === undefined) return outputOf(item.output ?? raw.output);
  if (text.startsWith("An error occurred while running the tool")) return failedWith(text);
  if (text === "Tool execution was not approved.") return deniedWith(text);
  return outputOf(text);
}
