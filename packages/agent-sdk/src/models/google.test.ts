import { afterEach, beforeEach, expect, test } from "vitest";
import { askModel } from "../testing/askModel.js";
import { google } from "../testing/providerFrames.js";
import { modelFor } from "../testing/providerModels.js";
import { type ProviderServer, startProviderServer } from "../testing/providerServer.js";

let server: ProviderServer;
beforeEach(async () => {
  server = await startProviderServer();
});
afterEach(() => server.close());

test("the request is Gemini's, with the key in its header", async () => {
  server.reply({ steps: [google.text("Hi"), google.finish("STOP")] });
  await askModel(modelFor("google", server), {
    tools: [
      {
        type: "function",
        name: "read",
        inputSchema: { type: "object", properties: { p: { type: "string" } } },
      },
    ],
    prompt: [
      { role: "system", content: "Be brief." },
      { role: "user", content: [{ type: "text", text: "Hello" }] },
    ],
  });
  const [request] = server.requests;
  expect(request?.path).toBe("/v1beta/models/test-model:streamGenerateContent?alt=sse");
  expect(request?.headers["x-goog-api-key"]).toBe("test-key");
  expect(request?.body).toMatchObject({
    contents: [{ role: "user", parts: [{ text: "Hello" }] }],
    systemInstruction: { parts: [{ text: "Be brief." }] },
    tools: [{ functionDeclarations: [{ name: "read" }] }],
  });
});

test("ids are Gemini's where it gives them, else made up, never twice the same", async () => {
  server.reply({
    steps: [
      google.calls(
        { name: "read", args: {}, id: "same" },
        { name: "read", args: {}, id: "same" },
        { name: "list", args: {} },
      ),
      google.finish("STOP"),
    ],
  });
  const { result } = await askModel(modelFor("google", server));
  const ids = result?.toolCalls.map(({ id }) => id) ?? [];
  expect(ids.slice(0, 2)).toStrictEqual(["same", "same_2"]);
  expect(new Set(ids).size).toBe(3);
});

test("a malformed call and a blocked answer are told as such", async () => {
  server.reply(
    { steps: [google.finish("MALFORMED_FUNCTION_CALL")] },
    { steps: [google.finish("SAFETY")] },
  );
  expect((await askModel(modelFor("google", server))).result?.finishReason).toBe("error");
  expect((await askModel(modelFor("google", server))).result?.finishReason).toBe("content-filter");
});
