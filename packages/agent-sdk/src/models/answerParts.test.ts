import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { finish, text } from "../testing/modelParts.js";
import type { AnswerPart } from "../types/answer.js";
import type { ModelPart } from "../types/model.js";
import { createAnswerReader } from "./answerParts.js";

const start = (id: string, toolName = "read"): ModelPart => {
  return { type: "tool-input-start", id, toolName };
};
const input = (id: string, delta: string): ModelPart => ({ type: "tool-input-delta", id, delta });
const whole = (toolCallId: string, text: string, toolName = "read"): ModelPart => {
  return { type: "tool-call", toolCallId, toolName, input: text };
};

function partsOf(parts: readonly ModelPart[], problem?: string): readonly AnswerPart[] {
  const answer: AnswerPart[] = [];
  const reader = createAnswerReader((part) => answer.push(part));
  for (const part of parts) reader.push(part);
  if (problem !== undefined) reader.fail(problem);
  return answer;
}

describe("calls", () => {
  test("deltas, then the whole: the end says nothing twice", () => {
    expect(
      partsOf([start("a"), input("a", '{"p"'), input("a", ":1}"), whole("a", '{"p":1}'), finish()]),
    ).toStrictEqual([
      { type: "callStart", id: "a", name: "read" },
      { type: "callInput", id: "a", text: '{"p"' },
      { type: "callInput", id: "a", text: ":1}" },
      { type: "callEnd", id: "a" },
      { type: "finish", reason: "tool-calls" },
    ]);
  });

  test("a whole call without deltas, and one whose whole differs from its pieces", () => {
    expect(
      partsOf([whole("a", "{}"), start("b"), input("b", "{"), whole("b", '{"x":1}'), finish()]),
    ).toStrictEqual([
      { type: "callStart", id: "a", name: "read" },
      { type: "callEnd", id: "a", text: "{}" },
      { type: "callStart", id: "b", name: "read" },
      { type: "callInput", id: "b", text: "{" },
      { type: "callEnd", id: "b", text: '{"x":1}' },
      { type: "finish", reason: "tool-calls" },
    ]);
  });

  test("empty arguments mean an empty object, known when the answer ends well", () => {
    expect(partsOf([start("a"), whole("a", ""), text("."), finish()])).toStrictEqual([
      { type: "callStart", id: "a", name: "read" },
      { type: "text", text: "." },
      { type: "callEnd", id: "a", text: "{}" },
      { type: "finish", reason: "tool-calls" },
    ]);
  });

  test("the same id again gets a suffix; a start that is only repeated does not", () => {
    expect(
      partsOf([start("a"), start("a"), whole("a", "{}"), whole("a", "[1]"), finish()]),
    ).toStrictEqual([
      { type: "callStart", id: "a", name: "read" },
      { type: "callEnd", id: "a", text: "{}" },
      { type: "callStart", id: "a_2", name: "read" },
      { type: "callEnd", id: "a_2", text: "[1]" },
      { type: "finish", reason: "tool-calls" },
    ]);
  });

  test("a missing id is made up, input before its start waits, a nameless call ends with a problem", () => {
    expect(
      partsOf([
        whole("", "{}"),
        input("late", "{"),
        start("late", ""),
        input("late", "}"),
        whole("late", "{}", "write"),
        input("lost", "{}"),
        finish(),
      ]),
    ).toStrictEqual([
      { type: "callStart", id: "call_0", name: "read" },
      { type: "callEnd", id: "call_0", text: "{}" },
      { type: "callStart", id: "late", name: "write" },
      { type: "callInput", id: "late", text: "{}" },
      { type: "callEnd", id: "late" },
      { type: "callStart", id: "lost", name: "unknown" },
      { type: "callInput", id: "lost", text: "{}" },
      { type: "callEnd", id: "lost", problem: "The model did not name the tool that it calls." },
      { type: "finish", reason: "tool-calls" },
    ]);
  });

  test("nothing of a call follows its end, and nothing the finish", () => {
    expect(
      partsOf([
        start("a"),
        whole("a", "{}"),
        input("a", "late"),
        finish(),
        text("late"),
        start("b"),
      ]),
    ).toStrictEqual([
      { type: "callStart", id: "a", name: "read" },
      { type: "callEnd", id: "a", text: "{}" },
      { type: "finish", reason: "tool-calls" },
    ]);
  });

  test("half-arrived arguments that a model tells as a call after it broke never pass", () => {
    const problem = "broken";
    expect(
      partsOf([start("a"), input("a", '{"p":'), whole("a", '{"p":'), whole("b", "")], problem),
    ).toStrictEqual([
      { type: "callStart", id: "a", name: "read" },
      { type: "callInput", id: "a", text: '{"p":' },
      { type: "callStart", id: "b", name: "read" },
      { type: "callEnd", id: "a", problem },
      { type: "callEnd", id: "b", problem },
    ]);
  });

  test("a tool that the provider ran itself brings its result after its end", () => {
    expect(
      partsOf([
        { type: "tool-call", toolCallId: "a", toolName: "web", input: "", providerExecuted: true },
        {
          type: "tool-result",
          toolCallId: "a",
          toolName: "web",
          result: "half",
          preliminary: true,
        },
        { type: "tool-result", toolCallId: "a", toolName: "web", result: { ok: 1 } },
        finish("stop"),
      ]),
    ).toStrictEqual([
      { type: "callStart", id: "a", name: "web" },
      { type: "callEnd", id: "a", text: "{}" },
      { type: "callResult", id: "a", output: '{"ok":1}', isError: false },
      { type: "finish", reason: "stop" },
    ]);
  });
});

describe("arguments that stop in the middle", () => {
  const kept = (count: number) =>
    `The ${count} characters that arrived can be closed to valid JSON, but what is missing is unknown, so they were not run.`;
  test.each([
    [
      "length",
      '{"p":"a',
      `The answer reached its length limit in the middle of these arguments. ${kept(7)}`,
    ],
    [
      "length",
      "",
      "The answer reached its length limit in the middle of these arguments. They were not run.",
    ],
    [
      "content-filter",
      '{"p',
      `The provider's content filter stopped the answer in these arguments. ${kept(3)}`,
    ],
    [
      "error",
      "",
      "The model ended its answer with an error in the middle of these arguments. They were not run.",
    ],
    ["stop", '{"p":', `The arguments stop in the middle. ${kept(5)}`],
    ["stop", "{p}", 'The arguments are not valid JSON: Expected a key, found "p" at position 1.'],
  ] as const)("%s %j", (reason, pieces, problem) => {
    expect(
      partsOf([start("a"), input("a", pieces), whole("a", pieces), finish(reason)]).at(-2),
    ).toStrictEqual({
      type: "callEnd",
      id: "a",
      problem,
    });
  });

  test("a call that was whole before the limit runs", () => {
    expect(partsOf([start("a"), input("a", "{}"), finish("length")]).slice(2)).toStrictEqual([
      { type: "callEnd", id: "a" },
      { type: "finish", reason: "length" },
    ]);
  });
});

const anyPart: fc.Arbitrary<ModelPart> = fc.oneof(
  fc
    .record({ id: fc.constantFrom("a", "b", ""), name: fc.constantFrom("x", "y", "") })
    .map(({ id, name }) => start(id, name)),
  fc
    .record({
      id: fc.constantFrom("a", "b", "c", ""),
      said: fc.constantFrom("{", "}", '"p":1', ""),
    })
    .map(({ id, said }) => input(id, said)),
  fc
    .record({ id: fc.constantFrom("a", "b", ""), said: fc.constantFrom("{}", "{", "", '{"p":1}') })
    .map(({ id, said }) => whole(id, said)),
  fc.constantFrom("hi", "<think>", "</think>", "<tool_call>").map(text),
  fc.constant<ModelPart>({ type: "tool-result", toolCallId: "a", toolName: "x", result: "r" }),
  fc.constantFrom("stop", "length", "tool-calls").map((reason) => finish(reason)),
);

test("whatever a provider streams, the guarantees of an answer hold", () => {
  fc.assert(
    fc.property(fc.array(anyPart, { maxLength: 30 }), fc.boolean(), (parts, breaks) => {
      const answer = partsOf(parts, breaks ? "broken" : undefined);
      const hasEnded = breaks || parts.some(({ type }) => type === "finish");
      const open = new Map<string, boolean>();
      for (const part of answer) {
        if (part.type === "callStart") {
          expect(open.has(part.id)).toBe(false);
          open.set(part.id, true);
        } else if (part.type === "callInput") {
          expect(open.get(part.id)).toBe(true);
        } else if (part.type === "callEnd") {
          expect(open.get(part.id)).toBe(true);
          open.set(part.id, false);
        }
      }
      if (hasEnded) expect([...open.values()].some(Boolean)).toBe(false);
      expect(answer.filter(({ type }) => type === "finish").length).toBeLessThanOrEqual(1);
    }),
    { numRuns: 1000 },
  );
});
