/** A model for tests that answers with a text made of its prompt. */
import { randomUUID } from "node:crypto";
import { simulateReadableStream } from "ai";
import { MockLanguageModelV3 } from "ai/test";

type Model = ConstructorParameters<typeof MockLanguageModelV3>[0];
type Stream = NonNullable<NonNullable<Model>["doStream"]>;
type Prompt = Parameters<Extract<Stream, (...all: never[]) => unknown>>[0]["prompt"];

/** A call of a tool in place of a text. */
export interface TestCall {
  readonly toolName: string;
  readonly input: string;
}

export function createTestModel(
  answerTo: (prompt: Prompt) => string | TestCall,
): MockLanguageModelV3 {
  return new MockLanguageModelV3({
    doStream: async ({ prompt }) => ({
      stream: simulateReadableStream({
        chunks: [
          { type: "stream-start", warnings: [] },
          ...chunksOf(answerTo(prompt)),
          {
            type: "finish",
            finishReason: { unified: "stop", raw: "stop" },
            usage: {
              inputTokens: { total: 1, noCache: 1, cacheRead: 0, cacheWrite: 0 },
              outputTokens: { total: 1, text: 1, reasoning: 0 },
            },
          },
        ],
      }),
    }),
  });
}

function chunksOf(answer: string | TestCall) {
  if (typeof answer !== "string") {
    return [{ type: "tool-call", toolCallId: randomUUID(), ...answer }] as const;
  }
  return [
    { type: "text-start", id: "1" },
    { type: "text-delta", id: "1", delta: answer },
    { type: "text-end", id: "1" },
  ] as const;
}
