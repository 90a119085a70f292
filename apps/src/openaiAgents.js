/** The OpenAI Agents SDK: a run that streams is itself the stream of its events. */
import { recordStream } from "@callboard/agent-sdk/sessions";
import { Agent, OpenAIProvider, Runner, setTracingDisabled, tool } from "@openai/agents";
import { answers, cities, city, toolWords } from "./script.js";

setTracingDisabled(true);

const runnerAt = (baseURL) =>
  new Runner({ modelProvider: new OpenAIProvider({ apiKey: "none", baseURL }) });

const weatherWith = (more) =>
  tool({ name: "weather", ...toolWords, parameters: city, execute: cities, ...more });

const agentWith = (tools, name = "helper") =>
  new Agent({ name, instructions: "Help.", model: "scripted", tools });

/** @type {import("./apps-cli.js").App} */
export const openaiAgents = {
  name: "OpenAI Agents SDK",
  packages: ["@openai/agents"],
  features: {
    async "calls that work and fail"({ provider, board, prompt }) {
      const agent = agentWith([weatherWith({})]);
      const runner = runnerAt(provider.open(answers.twoCalls));
      const result = await runner.run(agent, prompt, { stream: true });
      await recordStream(result, { prompt, sessions: board.sessions });
      return [
        "assistant: Looking.",
        "weather completed: Ghent: 21",
        "weather error: An error occurred while running the tool. Please try again.",
        "assistant: It is 21.",
        "run closed ok",
      ];
    },
    async "a call that was denied"({ provider, board, prompt }) {
      const agent = agentWith([weatherWith({ needsApproval: true })]);
      const runner = runnerAt(provider.open(answers.oneCall));
      await recordStream(deniedRun(runner, agent, prompt), { prompt, sessions: board.sessions });
      return [
        "weather error: Tool execution was not approved.",
        "assistant: It is 21.",
        "run closed ok",
      ];
    },
    async "an agent as a tool"({ provider, board, prompt }) {
      const runner = runnerAt(provider.open(answers.nested));
      const events = createQueue();
      const inner = agentWith([weatherWith({})], "inner").asTool({
        toolName: "ask_inner",
        toolDescription: "Asks the other agent.",
        onStream: events.push,
      });
      const result = await runner.run(agentWith([inner]), prompt, { stream: true });
      void events.follow(result);
      await recordStream(events, { prompt, sessions: board.sessions });
      return [
        "nested weather completed: Ghent: 21",
        "ask_inner completed: 21 in Ghent.",
        "assistant: It is 21.",
        "run closed ok",
      ];
    },
  },
};

async function* deniedRun(runner, agent, prompt) {
  const first = await runner.run(agent, prompt, { stream: true });
  yield* first;
  await first.completed;
  for (const interruption of first.interruptions) first.state.reject(interruption);
  yield* await runner.run(agent, first.state, { stream: true });
}

/** The events of the outer run and those that `onStream` gives of the inner one, as they come. */
function createQueue() {
  const waiting = [];
  let isOver = false;
  let wake = () => {};
  const push = (event) => {
    waiting.push(event);
    wake();
  };
  return {
    push,
    async follow(stream) {
      for await (const event of stream) push(event);
      isOver = true;
      wake();
    },
    async *[Symbol.asyncIterator]() {
      for (;;) {
        yield* waiting.splice(0);
        if (isOver && waiting.length === 0) return;
        if (waiting.length > 0) continue;
        await new Promise((resolve) => {
          wake = () => resolve(undefined);
        });
      }
    },
  };
}
