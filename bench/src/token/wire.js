/** The bytes of `stream-json` for arguments that come in many pieces, as an agent streams them by default. */
import {
  Agent,
  createMemorySessionStore,
  defineTool,
  systemClock,
} from "../../../packages/agent-sdk/dist/index.js";
import {
  createProjector,
  createStreamJsonProjection,
} from "../../../packages/run-log/dist/projections/index.js";
import { nameOf } from "../sdk/cases.js";
import {
  question,
  toolAnswer,
  toolDescription,
  toolName,
  toolSchema,
} from "../sdk/contenders/tool.js";
import { startProvider } from "../sdk/processes.js";

const logger = { debug() {}, info() {}, warn() {}, error: console.error };

export async function streamJsonBytes() {
  const provider = await startProvider();
  const projector = createProjector(createStreamJsonProjection({ sessionId: "s" }));
  let bytes = 0;
  try {
    const of = nameOf({ kind: "write", size: 8e4, delta: 8 });
    const tool = defineTool({
      ...{ name: toolName, description: toolDescription, kind: "edit", input: toolSchema },
      needsApproval: false,
      run: () => toolAnswer,
    });
    const agent = await Agent.create({
      model: "openai:bench",
      tools: [tool],
      store: createMemorySessionStore({ clock: systemClock }),
      env: { ...process.env, OPENAI_BASE_URL: `${provider.origin}/${of}/v1` },
      logger,
    });
    const reading = (async () => {
      for await (const event of agent.events()) {
        for (const line of projector.push(event)) bytes += JSON.stringify(line).length + 1;
      }
    })();
    const { outcome, reason } = await agent.sendMessage(question);
    if (outcome !== "ok") throw new Error(`the run ended with ${outcome}: ${reason}`);
    await agent.destroy();
    await reading;
  } finally {
    provider.stop();
  }
  return {
    bar: "stream-json for 80 KB of arguments in 10,000 deltas ≤ 0.5 MB",
    isMet: bytes > 8e4 && bytes <= 0.5e6,
    measured: `${(bytes / 1e6).toFixed(2)} MB`,
  };
}
