/**
 * What a provider would refuse in a request: calls without their answer right behind them, answers
 * without a call, arguments that are no object, messages without content. It knows no provider.
 */

import type { createRehearsalModel } from "@callboard/agent-sdk/testing";
import { isFields } from "@callboard/run-log/values";

export type RehearsalModel = ReturnType<typeof createRehearsalModel>;
export type ModelCall = Parameters<RehearsalModel["doStream"]>[0];
type ModelMessage = ModelCall["prompt"][number];

export function promptFaultsOf(prompt: readonly ModelMessage[]): readonly string[] {
  const faults: string[] = [];
  const seen = new Set<string>();
  let unanswered = new Set<string>();
  for (const [place, message] of prompt.entries()) {
    const where = `message ${place} (${message.role})`;
    if (message.content.length === 0) faults.push(`${where} is empty`);
    if (message.role !== "tool" && unanswered.size > 0) {
      faults.push(`${where} comes before the answers to ${[...unanswered].join(", ")}`);
      unanswered = new Set();
    }
    if (message.role === "system") continue;
    for (const part of message.content) {
      if (part.type === "text" && part.text === "") faults.push(`${where} has an empty text`);
      if (part.type === "tool-call") {
        const { toolCallId: id, input } = part;
        if (seen.has(id)) faults.push(`${where} makes the call ${id} again`);
        if (!isFields(input)) faults.push(`${where} makes the call ${id} without arguments`);
        seen.add(id);
        unanswered.add(id);
      }
      if (part.type === "tool-result" && !unanswered.delete(part.toolCallId)) {
        faults.push(`${where} answers ${part.toolCallId}, which nobody asks`);
      }
    }
  }
  if (unanswered.size > 0) faults.push(`no answers to ${[...unanswered].join(", ")}`);
  return faults;
}
