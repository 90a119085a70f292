/** The sum of the parts of an answer. Texts only grow at their end and are not read here. */

import type { Usage } from "@callboard/run-log";
import { withoutUndefined } from "@callboard/run-log/values";
import type { AnswerPart, FinishReason } from "../types/answer.js";

/** A tool call of an answer while its arguments arrive. */
export interface ToolCallUpdate {
  readonly id: string;
  readonly name: string;
  readonly parameters: string;
}

export interface AnsweredCall extends ToolCallUpdate {
  /** Why the call must never run. */
  readonly problem?: string;
  /** The result of the provider's own tool: the call must not run again. */
  readonly result?: { readonly output: string; readonly isError: boolean };
}

/** The whole answer of a model. */
export interface CallAgentResult {
  readonly content: string;
  readonly reasoning: string;
  readonly toolCalls: readonly AnsweredCall[];
  /** Absent if the provider sent none. */
  readonly usage?: Usage;
  readonly finishReason: FinishReason;
}

export interface AnswerSum {
  /** The call that the part is about, as it is now. */
  add(part: AnswerPart): ToolCallUpdate | undefined;
  content(): string;
  result(): CallAgentResult;
}

export function createAnswerSum(): AnswerSum {
  const calls = new Map<string, AnsweredCall>();
  let content = "";
  let reasoning = "";
  let usage: Usage | undefined;
  let finishReason: FinishReason = "other";

  function changed(id: string, change: Partial<AnsweredCall>): AnsweredCall | undefined {
    const call = calls.get(id);
    if (call === undefined) return undefined;
    const next = { ...call, ...change };
    calls.set(id, next);
    return next;
  }

  function add(part: AnswerPart): ToolCallUpdate | undefined {
    switch (part.type) {
      case "text":
        content += part.text;
        return undefined;
      case "reasoning":
        reasoning += part.text;
        return undefined;
      case "callStart": {
        const call = { id: part.id, name: part.name, parameters: "" };
        calls.set(part.id, call);
        return call;
      }
      case "callInput":
        return changed(part.id, {
          parameters: (calls.get(part.id)?.parameters ?? "") + part.text,
        });
      case "callEnd": {
        const { text, problem } = part;
        const call = changed(part.id, {
          ...withoutUndefined({ parameters: text, problem }),
        });
        return text === undefined ? undefined : call;
      }
      case "callResult": {
        const { output, isError } = part;
        changed(part.id, { result: { output, isError } });
        return undefined;
      }
      case "usage":
        usage = part.usage;
        return undefined;
      case "finish":
        finishReason = part.reason;
        return undefined;
      case "textEnd":
      case "reasoningEnd":
      case "image":
      case "retry":
        return undefined;
      default:
        return part satisfies never;
    }
  }

  return {
    add,
    content: () => content,
    result: () => ({
      content,
      reasoning,
      toolCalls: [...calls.values()],
      ...withoutUndefined({ usage }),
      finishReason,
    }),
  };
}
