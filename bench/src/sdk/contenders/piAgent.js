/** pi's agent with its own loop and its own chat-completions provider. */
import { Agent } from "@mariozechner/pi-agent-core";
import { seen } from "../../json/seen.js";
import { question, toolAnswer, toolDescription, toolName, toolSchema } from "./tool.js";

/** @type {import("./index.js").Work} */
export async function readPi({ url, kind }) {
  /** @type {unknown} */
  let input;
  let updates = 0;
  const agent = new Agent({
    initialState: {
      systemPrompt: "",
      model: {
        id: "bench",
        name: "bench",
        api: "openai-completions",
        provider: "bench",
        baseUrl: `${url}/v1`,
        reasoning: false,
        input: ["text"],
        cost: { input: 0, output: 0, cacheRead: 0, cacheWrite: 0 },
        contextWindow: 1_000_000,
        maxTokens: 1_000,
      },
      tools: [
        {
          name: toolName,
          label: toolName,
          description: toolDescription,
          parameters: /** @type {any} */ (toolSchema),
          execute: async (_id, given) => {
            input = given;
            return { content: [{ type: "text", text: toolAnswer }], details: undefined };
          },
        },
      ],
    },
    getApiKey: () => "bench",
  });
  agent.subscribe((event) => {
    if (event.type !== "message_update") return;
    updates += 1;
    seen.value = event.message;
  });
  await agent.prompt(question);
  const last = /** @type {any} */ (agent.state.messages.at(-1));
  if (agent.state.errorMessage !== undefined) throw new Error(agent.state.errorMessage);
  const text = last.content.map((/** @type {any} */ block) => block.text ?? "").join("");
  return { result: kind === "text" ? text : input, updates };
}
