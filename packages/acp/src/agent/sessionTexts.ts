/** The session's own texts, and the removal of secrets from updates. */
import type { Agent, CompactionResult, Redactor } from "@callboard/agent-sdk";
import type { McpServerStatus } from "@callboard/agent-sdk/mcp";
import type { WaitingMessage } from "@callboard/agent-sdk/serving";
import type { SessionUpdate } from "../updates/sessionUpdate.js";

/** Raw values are for programs and logs, so no secret leaves in them. */
export function redacted(update: SessionUpdate, redactor: Redactor): SessionUpdate {
  const { rawInput, rawOutput } = update;
  if (rawInput === undefined && rawOutput === undefined) return update;
  return {
    ...update,
    ...(rawInput === undefined ? {} : { rawInput: redactor.redactJson(rawInput) }),
    ...(rawOutput === undefined ? {} : { rawOutput: redactor.redactJson(rawOutput) }),
  };
}

const longestTitle = 80;

export function promptTitleOf(text: string): string {
  const [line = ""] = text.trim().split("\n");
  return line.length > longestTitle ? `${line.slice(0, longestTitle - 1)}…` : line;
}

export function costText(agent: Agent): string {
  const { inputTokens, outputTokens, costUsd } = agent.usage;
  const cost = costUsd === undefined ? "" : `, ${costUsd.toFixed(4)} USD`;
  return `${inputTokens} tokens in, ${outputTokens} tokens out${cost}.`;
}

export function rulesText(agent: Agent): string {
  const rules = agent.approvalRules;
  if (rules.length === 0) return "No rule decides: you are asked about everything that needs it.";
  return rules.map(({ effect, rule, from }) => `- ${effect} \`${rule}\` (${from})`).join("\n");
}

export function queueText(queue: readonly WaitingMessage[]): string {
  if (queue.length === 0) return "No message waits.";
  return queue
    .map(({ text, delivery }) => `- ${promptTitleOf(text)} (${whenOf(delivery)})`)
    .join("\n");
}

function whenOf(delivery: WaitingMessage["delivery"]): string {
  return delivery === "step" ? "before the next answer" : "after this run";
}

export function compactionText({ status, reason, context }: CompactionResult): string {
  switch (status) {
    case "compacted":
      return `The conversation so far was summarized. ${contextText(context)}`;
    case "nothing":
      return "There is nothing to summarize yet.";
    case "failed":
      return `The conversation could not be summarized: ${reason ?? "unknown reason"}`;
    default:
      return status satisfies never;
  }
}

function contextText(context: CompactionResult["context"]): string {
  if (context === undefined) return "";
  const { tokens, window } = context;
  const size = window === undefined ? "" : ` of ${window}`;
  return `The context now has about ${tokens}${size} tokens.`;
}

export function unreachableText({ name, reason }: McpServerStatus): string {
  const why = reason === undefined ? "" : `: ${reason.replace(/\.$/, "")}`;
  return `The MCP server ${name} could not be reached${why}. Its tools are missing in this session.`;
}
