import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { askDoor, callsOf } from "../testing/askDoor.js";
import { anthropic, google, openai } from "../testing/providerFrames.js";
import { all, type Door, type Frames, hello, own } from "../testing/providerModels.js";
import { type ProviderServer, startProviderServer } from "../testing/providerServer.js";
import type { CallAgentOptions } from "./aiService.js";

let server: ProviderServer;
beforeEach(async () => {
  server = await startProviderServer();
});
afterEach(() => server.close());

const ask = (door: Door, frames: Frames, options?: Partial<CallAgentOptions>) =>
  askDoor(server, door, frames, options);

describe("every provider", () => {
  test.each(all)("%s: text", async (door) => {
    const { result, parts, contents } = await ask(door, hello);
    expect(result?.content).toBe("Hello");
    expect(result?.finishReason).toBe("stop");
    expect(contents).toStrictEqual(["Hel", "Hello"]);
    expect(parts.slice(0, 2)).toStrictEqual([
      { type: "text", text: "Hel" },
      { type: "text", text: "lo" },
    ]);
  });

  test.each(own)("%s: parallel calls with interleaved deltas", async (door) => {
    const asked = await ask(door, {
      openai: {
        steps: [
          openai.start(0, "a", "read"),
          openai.start(1, "b", "list"),
          openai.input(1, '{"x"'),
          openai.input(0, '{"p":'),
          openai.calls(
            openai.call(1, undefined, { arguments: ":2}" }),
            openai.call(0, undefined, { arguments: "1}" }),
          ),
          openai.finish("tool_calls"),
        ],
      },
      anthropic: {
        steps: [
          anthropic.begin(),
          anthropic.startCall(0, "a", "read"),
          anthropic.startCall(1, "b", "list"),
          anthropic.input(1, '{"x"'),
          anthropic.input(0, '{"p":'),
          anthropic.input(1, ":2}"),
          anthropic.input(0, "1}"),
          anthropic.stop(1),
          anthropic.stop(0),
          ...anthropic.end("tool_use"),
        ],
      },
      google: {
        steps: [
          google.calls({ name: "read", args: { p: 1 } }, { name: "list", args: { x: 2 } }),
          google.finish("STOP"),
        ],
      },
    });
    expect(callsOf(asked)).toStrictEqual([
      ["read", '{"p":1}', undefined],
      ["list", '{"x":2}', undefined],
    ]);
    expect(asked.result?.finishReason).toBe("tool-calls");
    expect(asked.updates.at(-1)?.parameters).toMatch(/^\{"(p":1|x":2)\}$/);
  });

  test.each(all)("%s: empty arguments", async (door) => {
    const asked = await ask(door, {
      openai: { steps: [openai.start(0, "a", "todo"), openai.finish("tool_calls")] },
      anthropic: {
        steps: [
          anthropic.begin(),
          anthropic.startCall(0, "a", "todo"),
          anthropic.input(0, ""),
          anthropic.stop(0),
          ...anthropic.end("tool_use"),
        ],
      },
      google: { steps: [google.calls({ name: "todo" }), google.finish("STOP")] },
    });
    expect(callsOf(asked)).toStrictEqual([["todo", "{}", undefined]]);
  });

  test.each(all)("%s: a whole call in one frame", async (door) => {
    const asked = await ask(door, {
      openai: {
        steps: [
          openai.calls(openai.call(0, "a", { name: "read", arguments: '{"p":1}' })),
          openai.finish("tool_calls"),
        ],
      },
      anthropic: {
        steps: [
          anthropic.begin(),
          anthropic.startCall(0, "a", "read", { p: 1 }),
          anthropic.stop(0),
          ...anthropic.end("tool_use"),
        ],
      },
      google: { steps: [google.call("read", { p: 1 }), google.finish("STOP")] },
    });
    expect(callsOf(asked)).toStrictEqual([["read", '{"p":1}', undefined]]);
  });

  test.each(own)("%s: reasoning, then text", async (door) => {
    const { result, parts } = await ask(door, {
      openai: {
        steps: [
          openai.reasoning("let me "),
          openai.reasoning("see"),
          openai.text("42"),
          openai.finish("stop"),
        ],
      },
      anthropic: {
        steps: [
          anthropic.begin(),
          anthropic.startThinking(0),
          anthropic.thinking(0, "let me "),
          anthropic.thinking(0, "see"),
          anthropic.signature(0, "sig=="),
          anthropic.stop(0),
          anthropic.startText(1),
          anthropic.text(1, "42"),
          anthropic.stop(1),
          ...anthropic.end("end_turn"),
        ],
      },
      google: {
        steps: [
          google.thought("let me "),
          google.thought("see"),
          google.text("42"),
          google.finish("STOP"),
        ],
      },
    });
    expect(result).toMatchObject({ reasoning: "let me see", content: "42" });
    const signatures = {
      openai: { opaque: { openai: { reasoningField: "reasoning_content" } } },
      anthropic: { opaque: { anthropic: { signature: "sig==" } } },
      google: {},
    };
    const end = { type: "reasoningEnd", ...signatures[door] };
    expect(parts.slice(0, 4)).toStrictEqual([
      { type: "reasoning", text: "let me " },
      { type: "reasoning", text: "see" },
      end,
      { type: "text", text: "42" },
    ]);
  });

  test.each(own)("%s: usage with cache counts in the last frame", async (door) => {
    const { parts } = await ask(door, {
      openai: {
        steps: [
          openai.text("x"),
          openai.finish("stop"),
          openai.usage({
            prompt_tokens: 100,
            completion_tokens: 20,
            prompt_tokens_details: { cached_tokens: 64 },
            completion_tokens_details: { reasoning_tokens: 8 },
          }),
        ],
      },
      anthropic: {
        steps: [
          anthropic.begin({ input_tokens: 6, output_tokens: 1 }),
          ...anthropic.end("end_turn", {
            output_tokens: 20,
            cache_read_input_tokens: 64,
            cache_creation_input_tokens: 30,
          }),
        ],
      },
      google: {
        steps: [
          google.text("x"),
          google.finish("STOP", {
            promptTokenCount: 100,
            candidatesTokenCount: 12,
            thoughtsTokenCount: 8,
            cachedContentTokenCount: 64,
            totalTokenCount: 120,
          }),
        ],
      },
    });
    const counts = { inputTokens: 100, outputTokens: 20, cacheReadTokens: 64 };
    const written = door === "anthropic" ? { cacheWriteTokens: 30 } : { reasoningTokens: 8 };
    const model = door === "google" ? {} : { model: "test-model" };
    expect(parts.at(-2)).toStrictEqual({
      type: "usage",
      usage: { ...counts, ...written },
      ...model,
    });
  });

  test.each(own)("%s: no usage where the provider tells none", async (door) => {
    const { result } = await ask(door, {
      ...hello,
      anthropic: { steps: [anthropic.begin({}), ...anthropic.end("end_turn", {})] },
    });
    expect(result?.usage).toBeUndefined();
  });

  test.each(all)(
    "%s: tags in the text are text, but for think tags where servers use them",
    async (door) => {
      const pieces = ["<th", "ink>hm</thi", "nk>Yes <tool_", 'call>{"name":"x"}</tool', "_call>."];
      const { result } = await ask(door, {
        openai: { steps: [...pieces.map(openai.text), openai.finish("stop")] },
        anthropic: {
          steps: [
            anthropic.begin(),
            anthropic.startText(0),
            ...pieces.map((piece) => anthropic.text(0, piece)),
            anthropic.stop(0),
            ...anthropic.end("end_turn"),
          ],
        },
        google: { steps: [...pieces.map(google.text), google.finish("STOP")] },
      });
      const call = 'Yes <tool_call>{"name":"x"}</tool_call>.';
      expect(result).toMatchObject(
        door === "openai"
          ? { content: call, reasoning: "hm", toolCalls: [] }
          : { content: `<think>hm</think>${call}`, reasoning: "", toolCalls: [] },
      );
    },
  );
});
