/** The output of Codex with `exec --json`: items that started and items that are done. Ids count within a run. */
import { type Fields, fieldsOf, nameOf, numberOf, textOf } from "../../values/fields.js";
import type { Claim } from "../claims.js";
import { type IntakeDialect, stepWithClaims } from "../dialect.js";
import {
  calledWith,
  exited,
  failedWith,
  outputOf,
  type UsageNames,
  usageClaimsOf,
} from "./shared.js";

export interface CodexMemory {
  readonly session?: string;
}

export const codexUsage: UsageNames = {
  input: ["input_tokens", "inputTokens"],
  output: ["output_tokens", "outputTokens"],
  cacheRead: ["cached_input_tokens", "cachedInputTokens"],
  cacheWrite: ["cache_write_input_tokens", "cacheWriteInputTokens"],
  reasoning: ["reasoning_output_tokens", "reasoningOutputTokens"],
};

const kinds: ReadonlySet<unknown> = new Set([
  "thread.started",
  "turn.started",
  "turn.completed",
  "turn.failed",
  "item.started",
  "item.updated",
  "item.completed",
]);

export const codex: IntakeDialect<CodexMemory> = {
  initial: {},
  isOwn: ({ value }) => kinds.has(value.type),
  step(memory, { value }) {
    const thread = nameOf(value.thread_id);
    const next = value.type === "thread.started" && thread ? { session: thread } : memory;
    return stepWithClaims(next, codexClaims(value), next);
  },
};

function codexClaims(value: Fields): readonly Claim[] {
  switch (value.type) {
    case "thread.started":
      return [{ type: "session", agent: "codex" }];
    case "turn.started":
      return [{ type: "turnStarted" }];
    case "turn.completed":
      return [...usageClaimsOf(value.usage, codexUsage), { type: "turnEnded", outcome: "ok" }];
    case "turn.failed": {
      const reason = nameOf(fieldsOf(value.error)?.message) ?? "the turn failed";
      return [{ type: "turnEnded", outcome: "error", reason }];
    }
    case "error":
      return [errorOf(value)];
    case "item.started":
    case "item.updated":
    case "item.completed":
      return codexItemClaims(fieldsOf(value.item) ?? {}, value.type === "item.completed");
    default:
      return [];
  }
}

function errorOf(value: Fields): Claim {
  return { type: "errorReported", errorType: "codex", message: nameOf(value.message) ?? "error" };
}

function codexItemClaims(item: Fields, isDone: boolean): readonly Claim[] {
  const call = textOf(item.id) ?? "";
  switch (item.type) {
    case "agent_message":
    case "reasoning": {
      const kind = item.type === "reasoning" ? "reasoning" : "text";
      return isDone ? [{ type: "textSaid", kind, text: textOf(item.text) ?? "" }] : [];
    }
    case "error":
      return isDone ? [errorOf(item)] : [];
    case "command_execution":
      return called(
        call,
        "shell",
        { command: item.command },
        isDone ? commandEnd(item) : undefined,
      );
    case "file_change":
      return called(call, "apply_patch", { changes: item.changes }, isDone ? end(item) : undefined);
    case "mcp_tool_call": {
      const tool = `${textOf(item.server) ?? "mcp"}.${textOf(item.tool) ?? "tool"}`;
      return called(call, tool, item.arguments, isDone ? end(item) : undefined);
    }
    case "web_search":
      return called(call, "web_search", { query: item.query }, isDone ? end(item) : undefined);
    case "collab_tool_call": {
      const input = { prompt: item.prompt, receivers: item.receiver_thread_ids };
      return called(call, nameOf(item.tool) ?? "collab", input, isDone ? end(item) : undefined);
    }
    default:
      return [];
  }
}

function called(call: string, tool: string, input: unknown, ending: Claim | undefined) {
  const isAgent = tool === "spawn_agent";
  const claims = calledWith(call, tool, input, isAgent ? { toolType: "agent" } : {});
  return ending ? [...claims, ending] : claims;
}

function commandEnd(item: Fields): Claim {
  const call = textOf(item.id) ?? "";
  const output = textOf(item.aggregated_output) ?? "";
  const code = numberOf(item.exit_code);
  if (item.status === "declined") return declined(call);
  if (code !== undefined) return { type: "callEnded", call, ending: exited(code, output) };
  if (item.status === "completed") return { type: "callEnded", call, ending: outputOf(output) };
  return { type: "callEnded", call, ending: failedWith("the command failed", undefined, output) };
}

function declined(call: string): Claim {
  return { type: "callEnded", call, ending: { outcome: "denied", message: "it was declined" } };
}

function end(item: Fields): Claim {
  const call = textOf(item.id) ?? "";
  if (item.status === "declined") return declined(call);
  if (item.status === "failed") {
    const message = nameOf(fieldsOf(item.error)?.message) ?? "the call failed";
    return { type: "callEnded", call, ending: failedWith(message) };
  }
  const output = item.result ?? item.changes ?? item.agents_states ?? "";
  return { type: "callEnded", call, ending: outputOf(output) };
}
