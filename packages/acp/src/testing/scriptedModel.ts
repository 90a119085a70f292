/** A model that returns given parts, request by request, and keeps its requests. */
import type { AgentOptions } from "@callboard/agent-sdk";

type Model = Extract<NonNullable<AgentOptions["model"]>, { readonly specificationVersion: "v3" }>;
type Streamed = Awaited<ReturnType<Model["doStream"]>>["stream"];
export type Part = Streamed extends ReadableStream<infer Item> ? Item : never;

export interface ScriptedModel extends Model {
  readonly prompts: readonly string[];
}

/** A function waits before what follows it. */
export type Script = readonly (Part | (() => Promise<void>))[];

export function createScriptedModel(...answers: readonly Script[]): ScriptedModel {
  const prompts: string[] = [];
  return {
    prompts,
    ...{ specificationVersion: "v3", provider: "scripted", modelId: "scripted", supportedUrls: {} },
    async doStream({ prompt }) {
      const script = answers[prompts.length] ?? [finish("stop")];
      prompts.push(JSON.stringify(prompt));
      return {
        stream: new ReadableStream<Part>({
          async start(controller) {
            for (const part of script) {
              if (typeof part === "function") await part();
              else controller.enqueue(part);
            }
            controller.close();
          },
        }),
      };
    },
    doGenerate: () => Promise.reject(new Error("this model only streams")),
  };
}

export function finish(unified: "stop" | "tool-calls" | "content-filter" | "length"): Part {
  return {
    type: "finish",
    finishReason: { unified, raw: unified },
    usage: {
      inputTokens: { total: 80, noCache: 80, cacheRead: undefined, cacheWrite: undefined },
      outputTokens: { total: 20, text: 20, reasoning: undefined },
    },
  };
}

/** An answer of one text. */
export function textParts(text: string): Script {
  const id = "t";
  return [
    { type: "text-start", id },
    { type: "text-delta", id, delta: text },
    { type: "text-end", id },
    finish("stop"),
  ];
}

/** A call as far as its arguments: whole, or broken off. */
export function callParts(id: string, toolName: string, input: string, isWhole = true): Script {
  const begun: Script = [
    { type: "tool-input-start", id, toolName },
    { type: "tool-input-delta", id, delta: input },
  ];
  if (!isWhole) return begun;
  return [
    ...begun,
    { type: "tool-input-end", id },
    { type: "tool-call", toolCallId: id, toolName, input },
  ];
}
