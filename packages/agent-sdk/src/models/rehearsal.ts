/**
 * A scripted model that needs no key and no network and calls real tools. Each of its texts
 * starts with "Rehearsal:". It keeps no state: the prompt shows how far the conversation is.
 *
 * A request that mentions a tour gets one: it lists, fails once, writes, reads, searches, edits,
 * delegates, runs a command, and sums up. Any other request is echoed in plain text. Lines of the
 * request that are directives are followed instead, in their order:
 *
 * call <tool> <json>   calls the tool; lines in a row are parallel calls of one answer
 * say <text>           writes the text          think <text>   writes the text as reasoning
 * wait <ms>            waits, by the clock      fail           breaks the answer off
 *
 * Text after a call is written when its result has come back. Ids are `rehearsal_1`, `rehearsal_2`, …
 */
import type {
  LanguageModelV3,
  LanguageModelV3CallOptions,
  LanguageModelV3StreamPart,
  LanguageModelV3Usage,
} from "@ai-sdk/provider";
import type { Clock } from "../types/clock.js";
import { type Line, rehearsalScript } from "./rehearsalScript.js";
import { generateResult } from "./wholeAnswer.js";

export interface RehearsalOptions {
  /** Without a clock nothing is waited for. */
  readonly clock?: Clock;
  /** Time between two deltas. Default 0. */
  readonly paceMs?: number;
}

export function createRehearsalModel(options: RehearsalOptions = {}): LanguageModelV3 {
  return {
    specificationVersion: "v3",
    provider: "rehearsal",
    modelId: "rehearsal",
    supportedUrls: {},
    async doStream(call) {
      const parts = rehearse(call, options);
      const stream = new ReadableStream<LanguageModelV3StreamPart>(
        {
          async pull(controller) {
            const { done, value } = await parts.next();
            if (done) controller.close();
            else controller.enqueue(value);
          },
        },
        { highWaterMark: 0 },
      );
      return { stream };
    },
    async doGenerate(call) {
      const parts: LanguageModelV3StreamPart[] = [];
      for await (const part of rehearse(call, options)) parts.push(part);
      return generateResult(parts, { answer: null, headers: {} }, {});
    },
  };
}

const inputPieceLength = 6;

async function* rehearse(
  call: LanguageModelV3CallOptions,
  { clock, paceMs = 0 }: RehearsalOptions,
): AsyncGenerator<LanguageModelV3StreamPart, void> {
  const { lines, callsBefore } = rehearsalScript(call);
  const signal = call.abortSignal;
  let calls = 0;
  let texts = 0;
  let said = 0;
  yield { type: "stream-start", warnings: [] };
  yield { type: "response-metadata", modelId: "rehearsal" };
  for (const [index, line] of lines.entries()) {
    if (line.type === "call") calls += 1;
    if (line.type === "say") texts += 1;
    const label = texts > 1 ? "\nRehearsal:" : "Rehearsal:";
    for (const part of rehearsedPartsOf(
      line,
      `${index}`,
      `rehearsal_${callsBefore + calls}`,
      label,
    )) {
      if (part.type.endsWith("-delta")) said += 1;
      if (clock && paceMs > 0 && part.type.endsWith("-delta")) await clock.sleep(paceMs, signal);
      signal?.throwIfAborted();
      yield part;
    }
    if (line.type === "wait") await clock?.sleep(line.milliseconds, signal);
    if (line.type === "fail") return;
    signal?.throwIfAborted();
  }
  const unified = calls > 0 ? "tool-calls" : "stop";
  yield {
    type: "finish",
    finishReason: { unified, raw: unified },
    usage: rehearsedUsageOf(call, said),
  };
}

function rehearsedPartsOf(
  line: Line,
  id: string,
  callId: string,
  label: string,
): readonly LanguageModelV3StreamPart[] {
  switch (line.type) {
    case "say":
      return [
        { type: "text-start", id },
        ...spokenWordsOf(`${label} ${line.text}`).map((delta) => {
          return { type: "text-delta" as const, id, delta };
        }),
        { type: "text-end", id },
      ];
    case "think":
      return [
        { type: "reasoning-start", id },
        ...spokenWordsOf(`Rehearsal: ${line.text}`).map((delta) => {
          return { type: "reasoning-delta" as const, id, delta };
        }),
        { type: "reasoning-end", id },
      ];
    case "call": {
      const { tool: toolName, input } = line;
      return [
        { type: "tool-input-start", id: callId, toolName },
        ...spokenPiecesOf(input).map((delta) => {
          return { type: "tool-input-delta" as const, id: callId, delta };
        }),
        { type: "tool-input-end", id: callId },
        { type: "tool-call", toolCallId: callId, toolName, input },
      ];
    }
    case "fail":
      return [{ type: "error", error: new Error("Rehearsal: this answer was asked to fail") }];
    case "wait":
      return [];
    default:
      return line satisfies never;
  }
}

function spokenWordsOf(text: string): readonly string[] {
  return text.match(/\s*\S+\s*?(?=\s|$)|\s+$/g) ?? [text];
}

function spokenPiecesOf(text: string): readonly string[] {
  const pieces: string[] = [];
  for (let at = 0; at < text.length; at += inputPieceLength) {
    pieces.push(text.slice(at, at + inputPieceLength));
  }
  return pieces;
}

/** Made up like everything here: about four characters a token in, one delta a token out. */
function rehearsedUsageOf(
  { prompt }: LanguageModelV3CallOptions,
  said: number,
): LanguageModelV3Usage {
  const total = Math.ceil(JSON.stringify(prompt).length / 4);
  return {
    inputTokens: { total, noCache: total, cacheRead: undefined, cacheWrite: undefined },
    outputTokens: { total: said, text: said, reasoning: undefined },
  };
}
