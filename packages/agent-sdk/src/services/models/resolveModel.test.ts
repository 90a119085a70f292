import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { ConfigurationError } from "../../modelError.js";
import { askModel } from "../../testing/askModel.js";
import { hello, replyFor } from "../../testing/providerModels.js";
import { type ProviderServer, startProviderServer } from "../../testing/providerServer.js";
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
    '"gpt-5" names no provider. Write provider:model, for example openai:gpt-5, anthropic:claude-sonnet-4-5, google:gemini-2.5-pro, or rehearsal.',
  ],
  [
    "toString:x",
    {},
    'There is no provider "toString". Write provider:model, for example openai:gpt-5, anthropic:claude-sonnet-4-5, google:gemini-2.5-pro, or rehearsal.',
  ],
  ["openai:", {}, '"openai:" names no model. Write for example openai:gpt-5.'],
  [
    "openai:x",
    { OPENAI_BASE_URL: "localhost:11434" },
    'OPENAI_BASE_URL is "localhost:11434", which is no URL. Set it to one that begins with http.',
  ],
])("%s with %j", (spec, env, message) => {
  const attempt = () => resolveModel(spec, env);
  expect(attempt).toThrow(ConfigurationError);
  expect(attempt).toThrow(message);
});
