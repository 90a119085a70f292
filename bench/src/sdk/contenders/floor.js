/**
 * The least that anybody must do who shows a current value on each delta: read the bytes, split them
 * into events, parse each event's JSON, and push the delta into an incremental reader.
 */
import { createParser } from "eventsource-parser";
import { createJsonReader } from "../../../../packages/run-log/dist/partialJson/index.js";
import { seen } from "../../json/seen.js";
import { question } from "./tool.js";

/** @type {import("./index.js").Work} */
export async function readFloor({ url, kind, dialect }) {
  const response = await fetch(
    `${url}/v1/${dialect === "openai" ? "chat/completions" : "messages"}`,
    {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ model: "bench", messages: [{ role: "user", content: question }] }),
    },
  );
  const deltaOf = dialect === "openai" ? openaiDelta : anthropicDelta;
  const reader = createJsonReader();
  let text = "";
  let updates = 0;
  const parser = createParser({
    onEvent: ({ data }) => {
      if (data === "[DONE]") return;
      const delta = deltaOf(JSON.parse(data));
      if (delta === undefined || delta === "") return;
      updates += 1;
      if (kind === "text") {
        text += delta;
        seen.value = text;
      } else {
        reader.push(delta);
        seen.value = reader.value;
      }
    },
  });
  const decoder = new TextDecoder();
  const body = response.body?.getReader();
  for (;;) {
    const chunk = await body?.read();
    if (chunk === undefined || chunk.done) break;
    parser.feed(decoder.decode(chunk.value, { stream: true }));
  }
  return { result: kind === "text" ? text : reader.end().value, updates };
}

/**
 * @param {any} frame
 * @returns {string | undefined}
 */
function openaiDelta(frame) {
  const delta = frame.choices[0]?.delta;
  return delta?.tool_calls?.[0]?.function?.arguments ?? delta?.content ?? undefined;
}

/**
 * @param {any} frame
 * @returns {string | undefined}
 */
function anthropicDelta(frame) {
  return frame.delta?.partial_json ?? frame.delta?.text;
}
