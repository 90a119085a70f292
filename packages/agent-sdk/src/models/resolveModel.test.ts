import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { askModel } from "../testing/askModel.js";
import { hello, replyFor } from "../testing/providerModels.js";
import { type ProviderServer, startProviderServer } from "../testing/providerServer.js";
import { ConfigurationError } from "../utils/configurationError.js";
import { resolveModel } from "./resolveModel.js";

let server: ProviderServer;
beforeEach(async () => {
  server = await startProviderServer();
});
afterEach(() => server.close());

describe("what is set", () => {
  test.each(["openai", "anthropic", "google"] as const)(
    "%s answers from its base URL with its key",
    async (provider) => {
      const name = provider === "google" ? "GOOGLE_GENERATIVE_AI" : provider.toUpperCase();
      const env = { [`${name}_API_KEY`]: "k1", [`${name}_BASE_URL`]: server.urls[provider] };
      const base = server.urls[provider];
      server.reply(replyFor(provider, hello));
      const { model, ...said } = resolveModel(`${provider}:some/model:free`, env);
      expect(said).toStrictEqual({
        provider,
        modelId: "some/model:free",
        label: `${provider}:some/model:free`,
        isRehearsal: false,
        origin: { provider, baseUrl: provider === "anthropic" ? `${base}/v1` : base },
        settings: {},
      });
      if (provider === "google") return;
      expect((await askModel(model)).result?.content).toBe("Hello");
      const headers = server.requests[0]?.headers;
      expect(headers?.authorization ?? headers?.["x-api-key"]).toMatch(/^(Bearer )?k1$/);
    },
  );

  test("CALLBOARD_MODEL is the default, the rehearsal the default of that", () => {
    const env = { CALLBOARD_MODEL: " anthropic:claude ", ANTHROPIC_API_KEY: "k" };
    expect(resolveModel(undefined, env).label).toBe("anthropic:claude");
    expect(resolveModel("", env).label).toBe("anthropic:claude");
    for (const spec of [undefined, "rehearsal", "rehearsal:tour"]) {
      const { model, ...said } = resolveModel(spec, { CALLBOARD_MODEL: "" });
      expect(model.provider).toBe("rehearsal");
      expect(said).toStrictEqual({
        provider: "rehearsal",
        modelId: "rehearsal",
        label: "rehearsal (scripted, no model)",
        isRehearsal: true,
        origin: { provider: "rehearsal" },
        settings: {},
      });
    }
  });

  test("a model is taken as it is", () => {
    const { model } = resolveModel("rehearsal", {});
    expect(resolveModel(model, { CALLBOARD_MODEL: "nonsense" }).model).toBe(model);
  });

  test("a server of one's own needs no key", () => {
    expect(resolveModel("openai:llama", { OPENAI_BASE_URL: "http://127.0.0.1:1/v1" }).label).toBe(
      "openai:llama",
    );
  });
});

test.each([
  [
    "openai:gpt-5",
    {},
    "openai:gpt-5 needs a key: set OPENAI_API_KEY (or OPENAI_BASE_URL to a server that needs no key), or set CALLBOARD_MODEL=rehearsal to try Callboard without a model.",
  ],
  [
    "anthropic:claude",
    { ANTHROPIC_BASE_URL: "http://127.0.0.1:1", ANTHROPIC_API_KEY: " " },
    "anthropic:claude needs a key: set ANTHROPIC_API_KEY, or set CALLBOARD_MODEL=rehearsal to try Callboard without a model.",
  ],
  [
    "google:gemini",
    {},
    "google:gemini needs a key: set GOOGLE_GENERATIVE_AI_API_KEY, or set CALLBOARD_MODEL=rehearsal to try Callboard without a model.",
  ],
  [
    "gpt-5",
    {},
    '"gpt-5" names no provider. Write provider:model, for example anthropic:claude-sonnet-4-5, or rehearsal. The providers are anthropic, openai, google, openrouter, groq, mistral, deepseek, xai, azure, ollama, lmstudio, bedrock, vertex.',
  ],
  [
    "toString:x",
    {},
    'There is no provider "toString". Write provider:model, for example anthropic:claude-sonnet-4-5, or rehearsal. The providers are anthropic, openai, google, openrouter, groq, mistral, deepseek, xai, azure, ollama, lmstudio, bedrock, vertex.',
  ],
  ["openai:", {}, '"openai:" names no model. Write for example openai:gpt-5.'],
  [
    "openai:x",
    { OPENAI_BASE_URL: "localhost:11434" },
    'OPENAI_BASE_URL is "localhost:11434", which is not a URL. Set it to one that starts with http.',
  ],
])("%s with %j", (spec, env, message) => {
  const attempt = () => resolveModel(spec, env);
  expect(attempt).toThrow(ConfigurationError);
  expect(attempt).toThrow(message);
});

describe("named providers", () => {
  const ask = async (spec: string, env: Readonly<Record<string, string>>) => {
    const { model, settings, origin } = resolveModel(spec, env);
    server.reply(hello.openai);
    const asked = await askModel(model, settings);
    const [request] = server.requests;
    return { asked, origin, path: request?.path, headers: request?.headers, body: request?.body };
  };

  test.each([
    ["openrouter", "OPENROUTER_API_KEY", "OPENROUTER_BASE_URL"],
    ["groq", "GROQ_API_KEY", "GROQ_BASE_URL"],
    ["mistral", "MISTRAL_API_KEY", "MISTRAL_BASE_URL"],
    ["deepseek", "DEEPSEEK_API_KEY", "DEEPSEEK_BASE_URL"],
    ["xai", "XAI_API_KEY", "XAI_BASE_URL"],
    ["ollama", "NO_KEY", "OLLAMA_BASE_URL"],
    ["lmstudio", "NO_KEY", "LMSTUDIO_BASE_URL"],
  ])("%s speaks chat completions", async (provider, key, url) => {
    const env = { [key]: "k1", [url]: server.urls.openai };
    const { asked, origin, path, headers } = await ask(`${provider}:some/model`, env);
    expect(asked.result?.content).toBe("Hello");
    expect(origin).toStrictEqual({ provider, baseUrl: server.urls.openai });
    expect(path).toBe("/v1/chat/completions");
    expect(headers?.authorization).toBe(key === "NO_KEY" ? undefined : "Bearer k1");
  });

  test.each([
    ["openrouter:x", "https://openrouter.ai/api/v1"],
    ["groq:x", "https://api.groq.com/openai/v1"],
    ["mistral:x", "https://api.mistral.ai/v1"],
    ["deepseek:x", "https://api.deepseek.com/v1"],
    ["xai:x", "https://api.x.ai/v1"],
    ["ollama:x", "http://127.0.0.1:11434/v1"],
    ["lmstudio:x", "http://127.0.0.1:1234/v1"],
    ["azure:x", "https://mine.openai.azure.com/openai/v1"],
    ["openai:x", "https://api.openai.com/v1"],
  ])("%s answers from its own address", (spec, baseUrl) => {
    const keys = ["OPENROUTER", "GROQ", "MISTRAL", "DEEPSEEK", "XAI", "AZURE", "OPENAI"];
    const env = Object.fromEntries(keys.map((name) => [`${name}_API_KEY`, "k"]));
    const { origin } = resolveModel(spec, { ...env, AZURE_RESOURCE_NAME: "mine" });
    expect(origin.baseUrl).toBe(baseUrl);
  });

  test("azure keeps the query of its address and has its own header for the key", async () => {
    const env = {
      AZURE_API_KEY: "k1",
      AZURE_BASE_URL: `${server.urls.openai}?api-version=2024-10-21`,
    };
    const { asked, path, headers } = await ask("azure:deployment", env);
    expect(asked.result?.content).toBe("Hello");
    expect(path).toBe("/v1/chat/completions?api-version=2024-10-21");
    expect(headers?.["api-key"]).toBe("k1");
    expect(() => resolveModel("azure:x", { AZURE_API_KEY: "k" })).toThrow(
      "set AZURE_RESOURCE_NAME",
    );
  });

  test.each([
    ["bedrock:some.model", "npm install @ai-sdk/amazon-bedrock@4"],
    ["vertex:some-model", "npm install @ai-sdk/google-vertex@4"],
  ])("%s says which package to install", (spec, command) => {
    expect(() => resolveModel(spec, {})).toThrow(command);
  });
});

describe("a key without a model", () => {
  test.each([
    ["ANTHROPIC_API_KEY", "anthropic:claude-sonnet-4-5"],
    ["OPENAI_API_KEY", "openai:gpt-5"],
    ["GEMINI_API_KEY", "google:gemini-2.5-pro"],
    ["OPENROUTER_API_KEY", "openrouter:openrouter/auto"],
    ["MISTRAL_API_KEY", "mistral:mistral-large-latest"],
  ])("%s selects its provider", (name, label) => {
    expect(resolveModel(undefined, { [name]: "k" }).label).toBe(label);
    expect(resolveModel(undefined, { [name]: "k", CALLBOARD_MODEL: "rehearsal" }).isRehearsal).toBe(
      true,
    );
  });
});

describe("options in the model's name", () => {
  test("are settings, and settings in code count more", () => {
    const spec =
      "openai:gpt-5?effort=high&maxOutputTokens=200&temperature=0.5&timeout=30&thinkingBudget=4096&header.x-a=b&option.user=u1";
    const env = { OPENAI_API_KEY: "k" };
    expect(
      resolveModel(spec, env, { temperature: 1, headers: { "x-c": "d" } }).settings,
    ).toStrictEqual({
      effort: "high",
      maxOutputTokens: 200,
      temperature: 1,
      timeoutMs: 30_000,
      thinkingBudget: 4096,
      headers: { "x-a": "b", "x-c": "d" },
      providerOptions: { openai: { user: "u1" } },
    });
  });

  test.each([
    ["openai:gpt-5?efort=high", "efort=high is not an option of a model"],
    ["openai:gpt-5?effort=huge", 'the effort "huge" is not one of none, minimal, low'],
    ["openai:gpt-5?maxOutputTokens=many", 'maxOutputTokens must be a number, not "many"'],
    ["openai:gpt-5?maxOutputTokens=1.5", 'maxOutputTokens must be a whole number, not "1.5"'],
  ])("%s is refused in words", (spec, message) => {
    expect(() => resolveModel(spec, { OPENAI_API_KEY: "k" })).toThrow(message);
  });
});
