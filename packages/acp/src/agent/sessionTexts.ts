/** What a session says by itself, and what it changes in updates on their way: secrets, terminals. */
import type { Agent, Redactor } from "@callboard/agent-sdk";
import { isJsonList, isJsonObject, type JsonValue } from "@callboard/run-log";
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

/** A terminal of the client's shows the output itself, also after its command has ended. */
export function withTerminal(
  update: SessionUpdate,
  terminals: ReadonlyMap<string, string>,
): SessionUpdate {
  const { toolCallId, content } = update;
  const terminalId = terminals.get(String(toolCallId));
  if (terminalId === undefined || !isJsonList(content)) return update;
  return { ...update, content: [{ type: "terminal", terminalId }, ...content.filter(isNoText)] };
}

function isNoText(item: JsonValue): boolean {
  if (!isJsonObject(item) || !isJsonObject(item.content)) return true;
  return item.content.type !== "text";
}

const longestTitle = 80;

export function titleOf(text: string): string {
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
