/** However a provider orders, splits and packs its frames, the final answer is the same. */
import type { JsonValue } from "@callboard/run-log";
import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { askModel } from "../testing/askModel.js";
import { anthropic, openai } from "../testing/providerFrames.js";
import { modelFor } from "../testing/providerModels.js";
import {
  eventOf,
  type ProviderServer,
  type Step,
  startProviderServer,
} from "../testing/providerServer.js";
import { createAnswerReader } from "./answerParts.js";
import { type CallAgentResult, createAnswerSum } from "./answerSum.js";
import { createAnthropicReader } from "./anthropicStream.js";
import { createOpenaiReader } from "./openaiStream.js";

interface Answer {
  readonly text: string;
  readonly inputs: readonly string[];
}

const answer: fc.Arbitrary<Answer> = fc.record({
  text: fc
    .array(
      fc.constantFrom("Hi ", "<", "<think>", "</think>", "<tool_call>", "</tool_call>", "😀", "`"),
    )
    .map((words) => words.join("")),
  inputs: fc.array(
    fc
      .dictionary(fc.string({ maxLength: 4 }), fc.string({ unit: "grapheme", maxLength: 20 }))
      .map((value) => JSON.stringify(value)),
    { maxLength: 4 },
  ),
});

/** Pieces of a text, cut at places that the seeds name. */
function cut(text: string, seeds: readonly number[]): readonly string[] {
  const places = [...new Set(seeds.map((seed) => seed % (text.length + 1)))].sort((a, b) => a - b);
  return [0, ...places].map((from, at) => text.slice(from, places[at] ?? text.length));
}

/** One of the many ways to shuffle lists into one, each keeping its own order. */
function interleave(
  lists: readonly (readonly Step[])[],
  seeds: readonly number[],
): readonly Step[] {
  const left = lists.map((list) => [...list]).filter((list) => list.length > 0);
  const steps: Step[] = [];
  for (let turn = 0; left.length > 0; turn++) {
    const at = (seeds[turn % Math.max(1, seeds.length)] ?? 0) % left.length;
    const step = left[at]?.shift();
    if (step !== undefined) steps.push(step);
    if (left[at]?.length === 0) left.splice(at, 1);
  }
  return steps;
}

function openaiSteps({ text, inputs }: Answer, seeds: readonly number[]): readonly Step[] {
  const texts = cut(text, seeds).map(openai.text);
  const calls = inputs.map((input, index) => [
    openai.start(index, `id${index}`, `tool${index}`),
    ...cut(input, seeds).map((piece) => openai.input(index, piece)),
  ]);
  return [...interleave([texts, ...calls], seeds), openai.finish("tool_calls")];
}

function anthropicSteps({ text, inputs }: Answer, seeds: readonly number[]): readonly Step[] {
  const texts = [
    anthropic.startText(0),
    ...cut(text, seeds).map((piece) => anthropic.text(0, piece)),
    anthropic.stop(0),
  ];
  const calls = inputs.map((input, at) => [
    anthropic.startCall(at + 1, `id${at}`, `tool${at}`),
    ...cut(input, seeds).map((piece) => anthropic.input(at + 1, piece)),
    anthropic.stop(at + 1),
  ]);
  return [anthropic.begin(), ...interleave([texts, ...calls], seeds), ...anthropic.end("tool_use")];
}

function read(createReader: typeof createOpenaiReader, steps: readonly Step[]): CallAgentResult {
  const sum = createAnswerSum();
  const parts = createAnswerReader(sum.add);
  const reader = createReader(parts.push, { toolNames: new Set() });
  for (const step of steps) if ("frame" in step) reader.event(JSON.stringify(step.frame));
  reader.end();
  expect(parts.hasEnded()).toBe(true);
  return ordered(sum.result());
}

function ordered(result: CallAgentResult): CallAgentResult {
  return { ...result, toolCalls: [...result.toolCalls].sort((a, b) => a.id.localeCompare(b.id)) };
}

const seeds = fc.array(fc.nat(1000), { minLength: 1, maxLength: 20 });

describe.each([
  ["openai", createOpenaiReader, openaiSteps],
  ["anthropic", createAnthropicReader, anthropicSteps],
] as const)("%s", (_, createReader, stepsOf) => {
  test("any order and any split of deltas", () => {
    fc.assert(
      fc.property(answer, seeds, (said, chance) => {
        const plain = read(createReader, stepsOf(said, [0]));
        expect(read(createReader, stepsOf(said, chance))).toStrictEqual(plain);
        expect(plain.toolCalls).toStrictEqual(
          said.inputs.map((parameters, at) => ({ id: `id${at}`, name: `tool${at}`, parameters })),
        );
      }),
      { numRuns: 300 },
    );
  });
});

describe("over HTTP", () => {
  let server: ProviderServer;
  beforeAll(async () => {
    server = await startProviderServer();
  });
  afterAll(() => server.close());

  test.each(["openai", "anthropic"] as const)("%s: any cut of the bytes", async (door) => {
    const stepsOf = door === "openai" ? openaiSteps : anthropicSteps;
    await fc.assert(
      fc.asyncProperty(answer, seeds, async (said, chance) => {
        const steps = stepsOf(said, chance);
        const bytes = Buffer.from(steps.map((step) => eventOf(frameOf(step), door)).join(""));
        const places = [...new Set(chance.map((seed) => (seed * 37) % bytes.length))].sort(
          (a, b) => a - b,
        );
        const raw = [0, ...places].map((from, at) => ({
          raw: bytes.subarray(from, places[at] ?? bytes.length),
        }));
        server.reply({ steps: raw });
        const { result } = await askModel(modelFor(door, server));
        const createReader = door === "openai" ? createOpenaiReader : createAnthropicReader;
        expect(result && ordered(result)).toStrictEqual(read(createReader, steps));
      }),
      { numRuns: 25 },
    );
  });
});

function frameOf(step: Step): JsonValue {
  return "frame" in step ? step.frame : null;
}
