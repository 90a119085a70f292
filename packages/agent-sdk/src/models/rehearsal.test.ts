import type { LanguageModelV3FunctionTool, LanguageModelV3Prompt } from "@ai-sdk/provider";
import { describe, expect, test } from "vitest";
import { createFakeClock } from "../system/fakeClock.js";
import { type Asked, askModel, brokenGuarantees, userPrompt } from "../testing/askModel.js";
import { createRehearsalModel } from "./rehearsal.js";

const names = [
  "list_files",
  "read_file",
  "write_file",
  "edit_file",
  "search_files",
  "shell",
  "delegate",
];

function toolsOf(offered: readonly string[]): readonly LanguageModelV3FunctionTool[] {
  return offered.map((name) => ({ type: "function", name, inputSchema: { type: "object" } }));
}

/** Talks until no call is made, and answers each call with its name. */
async function conversation(
  text: string,
  offered: readonly string[] = names,
): Promise<readonly Asked[]> {
  const prompt: LanguageModelV3Prompt = userPrompt(text);
  const answers: Asked[] = [];
  for (let turn = 0; turn < 20; turn++) {
    const asked = await askModel(createRehearsalModel(), { prompt, tools: toolsOf(offered) });
    answers.push(asked);
    expect(brokenGuarantees(asked)).toStrictEqual([]);
    const calls = asked.result?.toolCalls ?? [];
    if (calls.length === 0) return answers;
    prompt.push(
      {
        role: "assistant",
        content: calls.map(({ id, name, parameters }) => ({
          type: "tool-call",
          toolCallId: id,
          toolName: name,
          input: parameters,
        })),
      },
      {
        role: "tool",
        content: calls.map(({ id, name, parameters }) => ({
          type: "tool-result",
          toolCallId: id,
          toolName: name,
          output: parameters.includes("missing")
            ? { type: "error-text", value: "no such file" }
            : name === "shell"
              ? parameters.includes("exit 4")
                ? { type: "text", value: "a\n[exit code 4]" }
                : { type: "execution-denied" }
              : { type: "text", value: name },
        })),
      },
    );
  }
  throw new Error("it never ended");
}

function callsOf(answers: readonly Asked[]): readonly (readonly string[])[] {
  return answers.map(({ result }) =>
    (result?.toolCalls ?? []).map(({ id, name }) => `${id} ${name}`),
  );
}

describe("the tour", () => {
  test("lists, fails once, writes, reads and searches at once, edits, delegates, runs, sums up", async () => {
    const answers = await conversation("Give me a tour, please");
    expect(callsOf(answers)).toStrictEqual([
      ["rehearsal_1 list_files"],
      ["rehearsal_2 read_file"],
      ["rehearsal_3 write_file"],
      ["rehearsal_4 read_file", "rehearsal_5 search_files"],
      ["rehearsal_6 edit_file"],
      ["rehearsal_7 delegate"],
      ["rehearsal_8 shell"],
      [],
    ]);
    expect(answers.every(({ result }) => result?.content.startsWith("Rehearsal: "))).toBe(true);
    expect(answers[0]?.result?.reasoning).toMatch(/^Rehearsal: /);
    expect(answers.at(-1)?.result?.content).toBe(
      "Rehearsal: the tour is over. 8 tool calls (list_files, read_file, write_file, search_files, edit_file, delegate, shell): 6 ok, 1 failed, 1 denied. For a real model set CALLBOARD_MODEL, for example to anthropic:claude-sonnet-4-5, and its key.",
    );
  });

  test("counts a command that failed as failed, although it is an answer", async () => {
    const [, last] = await conversation('call shell {"command":"exit 4"}');
    expect(last?.result?.content).toBe(
      "Rehearsal: done. 1 tool call (shell): 0 ok, 1 failed, 0 denied.",
    );
  });

  test("steps whose tools are not offered are omitted", async () => {
    expect(callsOf(await conversation("tour", ["list_files", "shell"]))).toStrictEqual([
      ["rehearsal_1 list_files"],
      ["rehearsal_2 shell"],
      [],
    ]);
    expect(callsOf(await conversation("a tour", []))).toStrictEqual([[]]);
  });

  test("arguments come in small deltas, text by words", async () => {
    const [first] = await conversation("tour");
    const pieces = first?.parts.flatMap((part) => (part.type === "callInput" ? [part.text] : []));
    expect(pieces).toStrictEqual(['{"path', '":"."}']);
    const words = first?.parts.flatMap((part) => (part.type === "text" ? [part.text] : []));
    expect(words?.slice(0, 3)).toStrictEqual(["Rehearsal:", " welcome", " to"]);
    expect(words?.join("")).toBe(first?.result?.content);
  });
});

test("anything else is echoed, with how to set a real model", async () => {
  const [answer] = await conversation("hello\nthere");
  expect(answer?.result).toMatchObject({
    content:
      'Rehearsal: you said "hello there". No model is set, so this is a scripted answer. Ask for a tour to see tools at work. For a real model set CALLBOARD_MODEL, for example to anthropic:claude-sonnet-4-5, and its key.',
    finishReason: "stop",
  });
});

describe("directives", () => {
  test("calls in a row are parallel; what follows waits for their results", async () => {
    const answers = await conversation(
      'think hm\nsay first\ncall read_file {"path":"a b"}\ncall todo\nfor people\nsay then\ncall shell {oops\n',
    );
    expect(callsOf(answers)).toStrictEqual([
      ["rehearsal_1 read_file", "rehearsal_2 todo"],
      ["rehearsal_3 shell"],
      [],
    ]);
    const said = answers.map(({ result }) => [
      result?.reasoning,
      result?.content,
      result?.toolCalls.map(({ parameters, problem }) => [parameters, problem]),
    ]);
    expect(said).toStrictEqual([
      [
        "Rehearsal: hm",
        "Rehearsal: first",
        [
          ['{"path":"a b"}', undefined],
          ["{}", undefined],
        ],
      ],
      [
        "",
        "Rehearsal: then",
        [["{oops", 'The arguments are not valid JSON: Expected a key, found "o" at position 1.']],
      ],
      ["", "Rehearsal: done. 3 tool calls (read_file, todo, shell): 2 ok, 0 failed, 1 denied.", []],
    ]);
  });

  test("fail breaks the answer off", async () => {
    const { error, parts } = await askModel(createRehearsalModel(), {
      prompt: userPrompt("say a\nfail\nsay b"),
    });
    expect(error?.message).toContain("Rehearsal: this answer was asked to fail");
    expect(parts.map(({ type }) => type)).toStrictEqual(["text", "text"]);
  });

  test("wait and pace go by the clock, and an abort ends them", async () => {
    const clock = createFakeClock();
    const model = createRehearsalModel({ clock, paceMs: 10 });
    const asking = askModel(model, { prompt: userPrompt("wait 500\nsay a"), clock });
    await clock.untilAsleep(500);
    await clock.advance(500);
    for (let delta = 0; delta < 2; delta++) {
      await clock.untilAsleep(10);
      await clock.advance(10);
    }
    expect((await asking).result?.content).toBe("Rehearsal: a");
    const controller = new AbortController();
    const stopped = askModel(model, {
      prompt: userPrompt("wait 500"),
      clock,
      abortSignal: controller.signal,
    });
    await clock.untilAsleep(500);
    controller.abort();
    expect((await stopped).error?.name).toBe("AbortError");
  });

  test("in one piece", async () => {
    const { result } = await askModel(createRehearsalModel(), {
      prompt: userPrompt('say a\nsay b\ncall x {"y":1}'),
      stream: false,
    });
    expect(result).toMatchObject({
      content: "Rehearsal: a\nRehearsal: b",
      toolCalls: [{ id: "rehearsal_1", name: "x", parameters: '{"y":1}' }],
      finishReason: "tool-calls",
    });
  });
});
