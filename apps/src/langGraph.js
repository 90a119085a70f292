/** LangGraph.js: `streamEvents` of a graph. */
import { recordStream } from "@callboard/agent-sdk/sessions";
import { tool } from "@langchain/core/tools";
import { createReactAgent } from "@langchain/langgraph/prebuilt";
import { ChatOpenAI } from "@langchain/openai";
import { z } from "zod";
import { answers, cities, city, toolWords } from "./script.js";

const llmAt = (baseURL) =>
  new ChatOpenAI({
    model: "scripted",
    apiKey: "none",
    configuration: { baseURL },
    streaming: true,
    maxRetries: 0,
  });

const weather = tool(cities, { name: "weather", ...toolWords, schema: city });

/** @type {import("./apps-cli.js").App} */
export const langGraph = {
  name: "LangGraph.js",
  packages: ["@langchain/langgraph", "@langchain/core"],
  features: {
    async "calls that work and fail"({ provider, board, prompt }) {
      const llm = llmAt(provider.open(answers.twoCalls));
      const agent = createReactAgent({ llm, tools: [weather] });
      const events = agent.streamEvents(asked(prompt), { version: "v2" });
      await recordStream(events, { sessions: board.sessions });
      return [
        "assistant: Looking.",
        "weather completed: Ghent: 21",
        "weather error: no such city",
        "assistant: It is 21.",
        "run closed ok",
      ];
    },
    async "an agent as a tool"({ provider, board, prompt }) {
      const llm = llmAt(provider.open(answers.nested));
      const inner = createReactAgent({ llm, tools: [weather] });
      const askInner = tool(
        async ({ input }, config) => {
          const { messages } = await inner.invoke(asked(input), config);
          return messages.at(-1).content;
        },
        { name: "ask_inner", ...toolWords, schema: z.object({ input: z.string() }) },
      );
      const agent = createReactAgent({ llm, tools: [askInner] });
      const events = agent.streamEvents(asked(prompt), { version: "v2" });
      await recordStream(events, { sessions: board.sessions });
      return [
        "nested weather completed: Ghent: 21",
        "ask_inner completed: 21 in Ghent.",
        "assistant: It is 21.",
        "run closed ok",
      ];
    },
  },
};

const asked = (content) => ({ messages: [{ role: "user", content }] });
