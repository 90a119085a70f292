/**
 * A model whose answers come from the seed: text, calls of every tool, errors, silence. It answers in the
 * world's time and forgets everything between answers.
 */
import type { Clock, LanguageModel } from "@callboard/agent-sdk";
import type { Random } from "../random.js";

type ModelV3 = Extract<LanguageModel, { readonly specificationVersion: "v3" }>;
type Asked = Parameters<ModelV3["doStream"]>[0];
type Streamed = Awaited<ReturnType<ModelV3["doStream"]>>;
type StreamPart = Streamed["stream"] extends ReadableStream<infer Part> ? Part : never;

const usage = {
  inputTokens: { total: 10, noCache: 10, cacheRead: 0, cacheWrite: 0 },
  outputTokens: { total: 5, text: 5, reasoning: 0 },
} as const;

/** After so many results of tools it only talks. */
const mostResults = 3;

export interface SimModelOptions {
  readonly random: Random;
  readonly clock: Clock;
  readonly tools: readonly string[];
  readonly newId: () => string;
}

export function createSimModel(options: SimModelOptions): ModelV3 {
  return {
    specificationVersion: "v3",
    provider: "simulated",
    modelId: "simulated",
    supportedUrls: {},
    doGenerate: () => Promise.reject(new Error("The simulated model only streams.")),
    async doStream(asked) {
      const { random, clock } = options;
      await clock.sleep(random.int(400), asked.abortSignal);
      asked.abortSignal?.throwIfAborted();
      const chance = random.next();
      if (chance < 0.03) throw new Error("The simulated provider is out of order.");
      const parts = partsFor(options, asked);
      const hangsAt = chance < 0.06 ? random.int(parts.length) : -1;
      return { stream: paced(options, parts, hangsAt, asked.abortSignal) };
    },
  };
}

function partsFor(options: SimModelOptions, { prompt }: Asked): readonly StreamPart[] {
  const { random, tools, newId } = options;
  const results = prompt.filter(({ role }) => role === "tool").length;
  const isTalk = results >= mostResults || random.int(3) === 0;
  const calls = isTalk ? 0 : 1 + random.int(2);
  const parts: StreamPart[] = [{ type: "stream-start", warnings: [] }];
  if (isTalk || random.int(2) === 0) {
    parts.push({ type: "text-start", id: "t" });
    const words = 1 + random.int(4);
    for (let word = 0; word < words; word += 1) {
      parts.push({ type: "text-delta", id: "t", delta: `word ${word} of ${newId()} ` });
    }
    parts.push({ type: "text-end", id: "t" });
  }
  for (let call = 0; call < calls; call += 1) {
    const toolCallId = newId();
    const toolName = random.pick(tools);
    const input = JSON.stringify(inputFor(toolName, toolCallId));
    parts.push({ type: "tool-input-start", id: toolCallId, toolName });
    const half = Math.ceil(input.length / 2);
    parts.push({ type: "tool-input-delta", id: toolCallId, delta: input.slice(0, half) });
    parts.push({ type: "tool-input-delta", id: toolCallId, delta: input.slice(half) });
    parts.push({ type: "tool-input-end", id: toolCallId });
    parts.push({ type: "tool-call", toolCallId, toolName, input });
  }
  const reason = calls > 0 ? "tool-calls" : "stop";
  parts.push({ type: "finish", finishReason: { unified: reason, raw: reason }, usage });
  return parts;
}

function inputFor(toolName: string, toolCallId: string): Readonly<Record<string, unknown>> {
  return toolName === "ask_user"
    ? { question: `Which way for ${toolCallId}?` }
    : { to: toolCallId };
}

function paced(
  { random, clock }: SimModelOptions,
  parts: readonly StreamPart[],
  hangsAt: number,
  signal: AbortSignal | undefined,
): ReadableStream<StreamPart> {
  let at = 0;
  return new ReadableStream<StreamPart>({
    async pull(controller) {
      if (at === hangsAt) await clock.sleep(600_000, signal);
      else if (random.int(3) === 0) await clock.sleep(random.int(300), signal);
      signal?.throwIfAborted();
      const part = parts[at];
      at += 1;
      if (part === undefined) controller.close();
      else controller.enqueue(part);
    },
  });
}
