/** The rollout files of Codex: what the model received and wrote, and how each command ended. */

import { type Fields, fieldsOf, nameOf, numberOf, textOf } from "../../values/fields.js";
import { withoutUndefined } from "../../values/optional.js";
import type { Claim } from "../claims.js";
import { type IntakeDialect, stepWithClaims } from "../dialect.js";
import { codexUsage } from "./codex.js";
import {
  contentText,
  deniedWith,
  exited,
  failedWith,
  jsonOf,
  modelIn,
  outputOf,
  timeOf,
  usageClaimsOf,
  userSaid,
} from "./shared.js";

export interface CodexFileMemory {
  readonly session?: string;
}

const kinds: ReadonlySet<unknown> = new Set(["session_meta", "response_item", "event_msg"]);

export const codexFile: IntakeDialect<CodexFileMemory> = {
  initial: {},
  isOwn: ({ value }) => kinds.has(value.type) && fieldsOf(value.payload) !== undefined,
  step(memory, { value }) {
    const payload = fieldsOf(value.payload) ?? {};
    const thread = nameOf(payload.id);
    const next = value.type === "session_meta" && thread ? { session: thread } : memory;
    const at = timeOf(value.timestamp);
    return stepWithClaims(next, codexFileClaims(value.type, payload), {
      ...next,
      ...withoutUndefined({ at }),
    });
  },
};

function codexFileClaims(type: unknown, payload: Fields): readonly Claim[] {
  switch (type) {
    case "session_meta":
      return [{ type: "session", agent: "codex" }];
    case "turn_context":
      return modelIn(payload);
    case "event_msg":
      return eventClaims(payload);
    case "response_item":
      return codexFileItemClaims(payload);
    default:
      return [];
  }
}

function eventClaims(payload: Fields): readonly Claim[] {
  switch (payload.type) {
    case "task_started":
      return [{ type: "turnStarted" }];
    case "task_complete":
      return [{ type: "turnEnded", outcome: "ok" }];
    case "turn_aborted":
      return [
        { type: "turnEnded", outcome: "cancelled", reason: nameOf(payload.reason) ?? "aborted" },
      ];
    case "token_count":
      return usageClaimsOf(fieldsOf(payload.info)?.last_token_usage, codexUsage);
    case "item_completed": {
      const item = fieldsOf(payload.item) ?? {};
      if (item.type === "UserMessage") return userSaid(contentText(item.content));
      return item.type === "CommandExecution" ? commandEnd(item) : [];
    }
    default:
      return [];
  }
}

/** It comes before the text that the model receives, and contains more. */
function commandEnd(item: Fields): readonly Claim[] {
  const call = textOf(item.id) ?? "";
  const output = textOf(item.aggregated_output) ?? "";
  const code = numberOf(item.exit_code);
  const ending = code === undefined ? outputOf(output) : exited(code, output);
  return [{ type: "callEnded", call, ending, mayRepeat: true }];
}

function codexFileItemClaims(payload: Fields): readonly Claim[] {
  const call = textOf(payload.call_id) ?? "";
  switch (payload.type) {
    case "message":
      if (payload.role !== "assistant") return [];
      return [
        { type: "messageOpened", ...messageFieldOf(payload) },
        {
          type: "textSaid",
          kind: "text",
          text: contentText(payload.content),
          ...messageFieldOf(payload),
        },
      ];
    case "reasoning": {
      const text = contentText(payload.summary);
      return text === "" ? [] : [{ type: "textSaid", kind: "reasoning", text }];
    }
    case "function_call": {
      const tool = nameOf(payload.name) ?? "unknown";
      const toolType = tool === "spawn_agent" ? "agent" : "local";
      return [
        { type: "callOpened", call, tool, toolType },
        { type: "inputGiven", call, text: textOf(payload.arguments) ?? "" },
        { type: "callStarted", call },
      ];
    }
    case "custom_tool_call": {
      const value = jsonOf({ input: payload.input });
      return [
        { type: "callOpened", call, tool: nameOf(payload.name) ?? "unknown" },
        { type: "inputGiven", call, ...withoutUndefined({ value }) },
        { type: "callStarted", call },
      ];
    }
    case "function_call_output":
    case "custom_tool_call_output":
      return [
        { type: "callEnded", call, ending: codexFileEnding(payload.output), mayRepeat: true },
      ];
    default:
      return [];
  }
}

function messageFieldOf(payload: Fields): { readonly message?: string } {
  const message = nameOf(payload.id);
  return withoutUndefined({ message });
}

const exitLine = /^Process exited with code (-?\d+)$/m;

/** The file has only the text that the model received. */
function codexFileEnding(value: unknown) {
  const text = typeof value === "string" ? value : contentText(value);
  if (/^aborted by user/.test(text)) return { outcome: "cancelled", message: text } as const;
  if (/^(?:patch|exec\w* \w+) rejected|rejected by user/.test(text)) return deniedWith(text);
  if (/^unsupported call|^failed to parse function arguments/.test(text)) return failedWith(text);
  const code = exitLine.exec(text)?.[1];
  const [, output = text] = text.split(/^Output:\n/m);
  return code === undefined ? outputOf(text) : exited(Number(code), output);
}
