/** Callboard from its built packages: the door by itself, and everything that a program gets. */
import {
  Agent,
  callAgent,
  createMemorySessionStore,
  defineTool,
  resolveModel,
  systemClock,
} from "../../../../packages/agent-sdk/dist/index.js";
import { question, toolAnswer, toolDescription, toolName, toolSchema } from "./tool.js";

const logger = { debug: ignore, info: ignore, warn: ignore, error: complain };

function ignore() {}

/**
 * @param {string} message
 * @param {unknown} fields
 */
function complain(message, fields) {
  console.error(message, fields);
}

/** What the tool was last run with. */
const given = { input: /** @type {unknown} */ (undefined) };

/** Defined once, as a program does it: its schema is compiled outside of the measured time. */
const tool = defineTool({
  name: toolName,
  description: toolDescription,
  kind: "edit",
  needsApproval: false,
  input: toolSchema,
  run: (input) => {
    given.input = input;
    return toolAnswer;
  },
});

/**
 * @param {string} url
 * @param {import("../frames.js").Dialect} dialect
 */
function environment(url, dialect) {
  return dialect === "openai"
    ? { OPENAI_BASE_URL: `${url}/v1` }
    : { ANTHROPIC_BASE_URL: url, ANTHROPIC_API_KEY: "bench" };
}

/** @type {import("./index.js").Work} */
export async function readDoor({ url, kind, dialect }) {
  const { model } = resolveModel(`${dialect}:bench`, environment(url, dialect));
  let updates = 0;
  const answer = await callAgent({
    model,
    prompt: [{ role: "user", content: [{ type: "text", text: question }] }],
    tools: [
      {
        type: "function",
        name: toolName,
        description: toolDescription,
        inputSchema: /** @type {any} */ (toolSchema),
      },
    ],
    retries: 0,
    timeoutMs: 120_000,
    clock: systemClock,
    logger,
    onPart: () => {
      updates += 1;
    },
  });
  const result =
    kind === "text" ? answer.content : JSON.parse(answer.toolCalls[0]?.parameters ?? "");
  return { result, updates };
}

/** @type {import("./index.js").Work} */
export async function readWhole({ url, kind, dialect }) {
  const told = { blocks: 0, messages: 0, contents: 0, characters: 0 };
  const agent = await Agent.create({
    model: `${dialect}:bench`,
    env: { ...process.env, ...environment(url, dialect) },
    tools: [tool],
    store: createMemorySessionStore({ clock: systemClock }),
    logger,
    callbacks: {
      onToolBlockUpdated: (params) => {
        told.blocks += 1;
        told.characters += params.parametersChunk?.length ?? 0;
      },
      onMessagesChange: (messages) => {
        told.messages += messages.length > 0 ? 1 : 0;
      },
      onAssistantContentUpdated: (chunk) => {
        told.contents += 1;
        told.characters += chunk.length;
      },
    },
  });
  const { outcome, reason, text } = await agent.sendMessage(question);
  await agent.destroy();
  if (outcome !== "ok") throw new Error(`the run ended with ${outcome}: ${reason}`);
  return { result: kind === "text" ? text : given.input, updates: told.blocks + told.contents };
}
