/** OpenAI's own SDK: its stream helper, which keeps the completion so far and tells it on each delta. */
import OpenAI from "openai";
import { seen } from "../../json/seen.js";
import { question, toolDescription, toolName, toolSchema } from "./tool.js";

/** @type {import("./index.js").Work} */
export async function readOpenai({ url, kind, variant }) {
  const client = new OpenAI({ baseURL: `${url}/v1`, apiKey: "bench", maxRetries: 0 });
  const strict = variant === "strict";
  let updates = 0;
  const stream = client.chat.completions.stream({
    model: "bench",
    messages: [{ role: "user", content: question }],
    tools: [
      {
        type: "function",
        function: {
          name: toolName,
          description: toolDescription,
          parameters: toolSchema,
          ...(strict ? { strict } : {}),
        },
      },
    ],
  });
  stream.on("tool_calls.function.arguments.delta", (event) => {
    updates += 1;
    seen.value = strict ? event.parsed_arguments : event.arguments;
  });
  stream.on("content.delta", (event) => {
    updates += 1;
    seen.value = event.snapshot;
  });
  const message = (await stream.finalChatCompletion()).choices[0]?.message;
  const call = message?.tool_calls?.[0];
  const result = kind === "text" ? message?.content : JSON.parse(call?.function.arguments ?? "");
  return { result, updates };
}
