/** What an agent is put together from: options made whole with defaults, servers connected, rules read. */
import { randomUUID } from "node:crypto";
import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { CompactParams } from "@callboard/run-log";
import { createDelegateTool } from "./delegate.js";
import { defaultLimits } from "./limits.js";
import { consoleLogger, redactingLogger } from "./loggers.js";
import { type ApprovalManager, createApprovalManager } from "./managers/approvalManager.js";
import { createGuardManager } from "./managers/guardManager.js";
import { connectMcpServers, type McpConnections } from "./mcp/index.js";
import type { RunSetup } from "./run.js";
import { resolveModel } from "./services/models/resolveModel.js";
import { outputFileName } from "./services/outputFile.js";
import { callboardHome, createFileSessionStore } from "./sessions/index.js";
import { systemClock } from "./systemClock.js";
import { createBuiltinTools } from "./tools/builtinTools.js";
import type { AgentOptions } from "./types/agent.js";
import type { SessionStore } from "./types/sessions.js";
import { createRedactor } from "./utils/redaction.js";

export interface AgentParts {
  readonly setup: Omit<RunSetup, "conversation" | "tools">;
  readonly store: SessionStore;
  readonly approvals: ApprovalManager;
  readonly mcp: McpConnections;
  /** The agent's own tools and those of its servers, as they are now. */
  readonly tools: () => RunSetup["tools"];
  readonly compactParams: CompactParams;
}

export async function createAgentParts(options: AgentOptions): Promise<AgentParts> {
  const env = options.env ?? process.env;
  const clock = options.clock ?? systemClock;
  const newId = options.newId ?? randomUUID;
  const redactor = createRedactor({ values: secretsIn(env) });
  const logger = redactingLogger(options.logger ?? consoleLogger, redactor);
  const workdir = options.workdir ?? process.cwd();
  const additionalDirectories = options.additionalDirectories ?? [];
  const limits = { ...defaultLimits, ...options.limits };
  const home = callboardHome(env, process.platform);
  const outputs = join(home, "outputs");
  const own =
    options.tools ??
    createBuiltinTools({
      workdir,
      additionalDirectories,
      home,
      maxOutputChars: limits.maxOutputChars,
      env,
      clock,
    });
  const byName = new Map([...own, delegateShape].map((tool) => [tool.name, tool]));
  const model = resolveModel(options.model, env);
  const approvals = createApprovalManager(options.approval ?? {}, { clock, workdir });
  const mcp = await connectMcpServers(options.mcpServers ?? {}, { logger, clock, env });
  return {
    store: options.store ?? createFileSessionStore({ home, logger, clock }),
    approvals,
    mcp,
    tools: () => [...own, ...mcp.tools()],
    compactParams(toolName, input) {
      const tool = byName.get(toolName) ?? mcp.tools().find(({ name }) => name === toolName);
      return tool?.compactParams(input);
    },
    setup: {
      approvals,
      guards: createGuardManager(limits, { clock }),
      limits,
      clock,
      logger,
      workdir,
      additionalDirectories,
      newId,
      saveRule: options.approval?.saveRule,
      model,
      resolveModel: (named) => resolveModel(named.model, env),
      agents: options.agents ?? {},
      canDelegate: options.tools === undefined || options.tools.length > 0,
      systemPrompt: options.systemPrompt,
      stream: options.stream ?? true,
      async keepOutput(key, text) {
        const persistKey = outputFileName(key);
        const filePath = join(outputs, `${persistKey}.txt`);
        await mkdir(outputs, { recursive: true, mode: 0o700 });
        await writeFile(filePath, text, { mode: 0o600 });
        return { persistKey, filePath };
      },
    },
  };
}

/** Delegation is set up for each run; what its calls look like is always the same. */
const delegateShape = createDelegateTool({
  agents: {},
  run: () => Promise.reject(new Error("this is only a shape")),
});

const secretName = /(?:_KEY|_TOKEN|_SECRET|PASSWORD)$/;

/** Values of the environment that look like secrets by their name. */
function secretsIn(env: Readonly<Record<string, string | undefined>>): readonly string[] {
  return Object.entries(env).flatMap(([name, value]) =>
    secretName.test(name) && value !== undefined && value.length >= 8 ? [value] : [],
  );
}
