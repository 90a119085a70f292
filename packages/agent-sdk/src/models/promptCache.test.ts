/** Prompt caching: what is sent to providers whose cache has to be asked for, and that nobody else gets it. */
import { createHash } from "node:crypto";
import type { JsonValue } from "@callboard/run-log";
import { afterEach, describe, expect, test } from "vitest";
import { z } from "zod";
import { type AgentStage, callsReply, setAgentStage, textReply } from "../testing/agentStage.js";
import { defineTool } from "../tools/defineTool.js";
import { createOpenaiModel } from "./openaiCompatible.js";
import { createResponsesModel } from "./openaiResponses.js";
import { isMarkedForCache, withCacheMarks } from "./promptCache.js";

let stage: AgentStage | undefined;
afterEach(async () => {
  await stage?.close();
  stage = undefined;
});

const fieldOf = (body: JsonValue | undefined, name: string): unknown =>
  typeof body === "object" && body !== null && !Array.isArray(body)
    ? Object.entries(body).find(([key]) => key === name)?.[1]
    : undefined;
const mark = { cache_control: { type: "ephemeral" } };
const keyOf = (sessionId: string) => createHash("sha256").update(sessionId).digest("base64url");

describe("OpenAI's key", () => {
  test.each([
    ["responses", createResponsesModel],
    ["chat", createOpenaiModel],
  ])("%s: is the session's, against OpenAI itself only", (_, create) => {
    const long = "s".repeat(300);
    const own = create({ modelId: "gpt-5" });
    expect(own.cacheOptions("s1")).toEqual({ openai: { prompt_cache_key: keyOf("s1") } });
    expect(own.cacheOptions(long)).toEqual({ openai: { prompt_cache_key: keyOf(long) } });
    expect(keyOf(long).length).toBe(43);
    const slash = create({ modelId: "gpt-5", baseUrl: "https://api.openai.com/v1/" });
    expect(slash.cacheOptions("s1")).toEqual({ openai: { prompt_cache_key: keyOf("s1") } });
    const other = create({ modelId: "gpt-5", baseUrl: "https://llm.example/v1" });
    expect(other.cacheOptions("s1")).toEqual({});
  });

  test("is the same in every request of a session, and an option of one's own counts more", async () => {
    const { cacheOptions } = createOpenaiModel({ modelId: "gpt-5" });
    stage = await setAgentStage([textReply("one"), textReply("two")]);
    const { server } = stage;
    const local = createOpenaiModel({ modelId: "gpt-5", baseUrl: server.urls.openai });
    const model = { ...local, cacheOptions };
    const first = await setAgentStage([], { model, sessionId: "s1" });
    await first.agent.sendMessage("a");
    await first.agent.sendMessage("b");
    await first.close();
    const providerOptions = { openai: { prompt_cache_key: "mine" } };
    server.reply(textReply("three"));
    const second = await setAgentStage([], { model, modelSettings: { providerOptions } });
    await second.agent.sendMessage("c");
    await second.close();
    expect(server.requests.map(({ body }) => fieldOf(body, "prompt_cache_key"))).toEqual([
      keyOf("s1"),
      keyOf("s1"),
      "mine",
    ]);
  });
});

describe("marks for Anthropic's models behind OpenRouter", () => {
  const talk = async (provider: string, modelId: string): Promise<readonly unknown[]> => {
    const look = defineTool({
      name: "look",
      description: "looks",
      kind: "read",
      input: z.object({}),
      run: () => "seen",
    });
    stage = await setAgentStage([callsReply(["look", "{}"]), textReply("done")]);
    const { server } = stage;
    const baseUrl = server.urls.openai;
    const model = createOpenaiModel({ provider, modelId, baseUrl });
    const other = await setAgentStage([], { model, systemPrompt: "Be brief.", tools: [look] });
    await other.agent.sendMessage("go");
    await other.close();
    return server.requests.map(({ body }) => fieldOf(body, "messages"));
  };
  const calls = [{ id: "call_0", type: "function", function: { name: "look", arguments: "{}" } }];
  const asked = { role: "assistant", content: null, tool_calls: calls };

  test("are on the system prompt and on the last message of the user or of a tool", async () => {
    const system = { role: "system", content: [{ type: "text", text: "Be brief.", ...mark }] };
    expect(await talk("openrouter", "anthropic/claude-sonnet-4.5")).toEqual([
      [system, { role: "user", content: [{ type: "text", text: "go", ...mark }] }],
      [
        system,
        { role: "user", content: "go" },
        asked,
        {
          role: "tool",
          tool_call_id: "call_0",
          content: [{ type: "text", text: "seen", ...mark }],
        },
      ],
    ]);
  });

  test("are not in a request to another model", async () => {
    const system = { role: "system", content: "Be brief." };
    const user = { role: "user", content: "go" };
    expect(await talk("openrouter", "openai/gpt-5")).toEqual([
      [system, user],
      [system, user, asked, { role: "tool", tool_call_id: "call_0", content: "seen" }],
    ]);
    expect(isMarkedForCache("groq", "anthropic/claude")).toBe(false);
  });

  test("are on a text that is not blank, and never on a picture", () => {
    const picture = { type: "image_url", image_url: { url: "data:image/png;base64,AA==" } };
    const words = { type: "text", text: "what is this?" };
    expect(
      withCacheMarks([
        { role: "system", content: " " },
        { role: "user", content: [words, { type: "text", text: " " }, picture] },
      ]),
    ).toEqual([
      { role: "system", content: " " },
      { role: "user", content: [{ ...words, ...mark }, { type: "text", text: " " }, picture] },
    ]);
  });
});
