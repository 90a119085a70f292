/**
 * Anthropic's own SDK: its stream helper. The `inputJson` event brings the input so far; without a
 * listener for it the input is parsed once, at the end.
 */
import Anthropic from "@anthropic-ai/sdk";
import { seen } from "../../json/seen.js";
import { question, toolDescription, toolName, toolSchema } from "./tool.js";

/** @type {import("./index.js").Work} */
export async function readAnthropic({ url, variant }) {
  const client = new Anthropic({ baseURL: url, apiKey: "bench", maxRetries: 0 });
  let updates = 0;
  const stream = client.messages.stream({
    model: "bench",
    max_tokens: 1_000,
    messages: [{ role: "user", content: question }],
    tools: [
      {
        name: toolName,
        description: toolDescription,
        input_schema: /** @type {any} */ (toolSchema),
      },
    ],
  });
  if (variant === "looking") {
    stream.on("inputJson", (_delta, soFar) => {
      updates += 1;
      seen.value = soFar;
    });
  } else {
    stream.on("streamEvent", (event) => {
      if (event.type === "content_block_delta") updates += 1;
    });
  }
  stream.on("text", (_delta, soFar) => {
    seen.value = soFar;
  });
  const [block] = (await stream.finalMessage()).content;
  const result = block?.type === "tool_use" ? block.input : block?.type === "text" && block.text;
  return { result, updates };
}
