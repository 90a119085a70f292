/** Calls a model and returns everything that it emitted. For tests. */
import type { LanguageModelV3Prompt } from "@ai-sdk/provider";
import { ModelError } from "../models/modelError.js";
import {
  type CallAgentOptions,
  type CallAgentResult,
  callAgent,
  type ToolCallUpdate,
} from "../services/aiService.js";
import { createFakeClock } from "../system/fakeClock.js";
import type { AnswerPart } from "../types/answer.js";
import type { Logger } from "../types/logger.js";
import type { LanguageModel } from "../types/model.js";

export interface Asked {
  readonly parts: readonly AnswerPart[];
  readonly contents: readonly string[];
  readonly updates: readonly ToolCallUpdate[];
  readonly logged: readonly string[];
  readonly result: CallAgentResult | undefined;
  readonly error: ModelError | undefined;
}

export function userPrompt(text: string): LanguageModelV3Prompt {
  return [{ role: "user", content: [{ type: "text", text }] }];
}

export async function askModel(
  model: LanguageModel,
  options: Partial<CallAgentOptions> = {},
): Promise<Asked> {
  const parts: AnswerPart[] = [];
  const contents: string[] = [];
  const updates: ToolCallUpdate[] = [];
  const logged: string[] = [];
  const log = (message: string) => {
    logged.push(message);
  };
  const logger: Logger = { debug: log, info: log, warn: log, error: log };
  const said = { parts, contents, updates, logged };
  try {
    const result = await callAgent({
      model,
      prompt: userPrompt("hello"),
      tools: [],
      retries: 0,
      timeoutMs: 60_000,
      clock: createFakeClock(),
      random: () => 0.5,
      logger,
      onContentUpdate: (content) => contents.push(content),
      onToolUpdate: (update) => updates.push(update),
      ...options,
      onPart: (part) => {
        parts.push(part);
        options.onPart?.(part);
      },
    });
    return { ...said, result, error: undefined };
  } catch (error) {
    if (!(error instanceof ModelError)) throw error;
    return { ...said, result: undefined, error };
  }
}

/** The violated guarantees of an answer. Empty if there are none. */
export function brokenGuarantees({ parts, result, error }: Asked): readonly string[] {
  const faults: string[] = [];
  const open = new Map<string, "open" | "ended">();
  for (const [index, part] of parts.entries()) {
    if (part.type === "callStart") {
      if (open.has(part.id)) faults.push(`${part.id} started twice`);
      if (part.id === "" || part.name === "") faults.push("a call without id or name");
      open.set(part.id, "open");
    } else if (part.type === "callInput" || part.type === "callEnd") {
      if (open.get(part.id) !== "open") faults.push(`${part.type} of ${part.id} out of place`);
      if (part.type === "callEnd") open.set(part.id, "ended");
    } else if (part.type === "finish" && index !== parts.length - 1) {
      faults.push("finish is not last");
    }
  }
  for (const [id, status] of open) if (status === "open") faults.push(`${id} never ended`);
  const finishes = parts.filter(({ type }) => type === "finish").length;
  if (finishes !== (error === undefined ? 1 : 0)) faults.push(`${finishes} finishes`);
  const unproblematic = result?.toolCalls.filter(({ problem }) => problem === undefined) ?? [];
  for (const { id, parameters } of unproblematic) {
    try {
      JSON.parse(parameters);
    } catch {
      faults.push(`${id} has no problem and does not parse`);
    }
  }
  return faults;
}
