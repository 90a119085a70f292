/** The AI SDK as its documentation shows it for a chat: streamText, its message stream, the messages. */
import { createOpenAICompatible } from "@ai-sdk/openai-compatible";
import { jsonSchema, readUIMessageStream, stepCountIs, streamText, tool } from "ai";
import { seen } from "../../json/seen.js";
import { question, toolAnswer, toolDescription, toolName, toolSchema } from "./tool.js";

/** @type {import("./index.js").Work} */
export async function readAiSdk({ url, kind }) {
  const provider = createOpenAICompatible({ name: "bench", baseURL: `${url}/v1` });
  /** @type {unknown} */
  let input;
  const answer = streamText({
    model: provider("bench"),
    prompt: question,
    stopWhen: stepCountIs(3),
    tools: {
      [toolName]: tool({
        description: toolDescription,
        inputSchema: jsonSchema(/** @type {any} */ (toolSchema)),
        execute: async (given) => {
          input = given;
          return toolAnswer;
        },
      }),
    },
  });
  let updates = 0;
  for await (const message of readUIMessageStream({ stream: answer.toUIMessageStream() })) {
    updates += 1;
    seen.value = message;
  }
  return { result: kind === "text" ? await answer.text : input, updates };
}
