/** The parts of an agent: options with defaults, connected servers, parsed rules. */
import { randomUUID } from "node:crypto";
import { join, resolve } from "node:path";
import { askToolName } from "@callboard/run-log/asking";
import type { CompactParams } from "@callboard/run-log/projections";
import { defaultPulseMs } from "@callboard/run-log/writing";
import { type ApprovalManager, createApprovalManager } from "../approvals/approvalManager.js";
import {
  readRuleFile,
  removeFromRuleFile,
  ruleFileName,
  saveToRuleFile,
} from "../approvals/ruleFile.js";
import { connectMcpServers, type McpConnections } from "../mcp/index.js";
import { createFileLogins, loginFileName } from "../mcp/logins.js";
import { serverSecrets } from "../mcp/serverSecrets.js";
import { knownPrices } from "../models/knownPrices.js";
import { createPriceBook } from "../models/priceBook.js";
import { checkedPrices, priceFileName, readPriceFile } from "../models/priceFile.js";
import { resolveModel } from "../models/resolveModel.js";
import { createRedactor } from "../redaction/redaction.js";
import { createFileSessionStore } from "../sessions/fileSessionStore.js";
import { callboardHome } from "../sessions/home.js";
import { consoleLogger, redactingLogger } from "../system/loggers.js";
import { systemClock } from "../system/systemClock.js";
import { createBuiltinTools } from "../tools/builtinTools.js";
import { createDelegateTool } from "../tools/delegate.js";
import { isolatedTool } from "../tools/isolatedTool.js";
import { keepText } from "../tools/outputFile.js";
import { createToolRegistry } from "../tools/toolRegistry.js";
import type { AgentOptions } from "../types/agent.js";
import type { HeldRule } from "../types/approvals.js";
import type { ModelSettings } from "../types/model.js";
import type { SessionStore } from "../types/sessions.js";
import type { OfferedTool, ToolDefinition } from "../types/tools.js";
import { ConfigurationError } from "../utils/configurationError.js";
import { defaultLimits } from "../utils/defaultLimits.js";
import { outputsRoot, sessionOutputFolder } from "../utils/outputPaths.js";
import { createCallRules } from "./callRules.js";
import { createContextManager } from "./contextManager.js";
import { createGuardManager } from "./guard/guardManager.js";
import { createMessageQueue } from "./messageQueue.js";
import type { RunSetup } from "./runParts.js";

export interface AgentParts {
  readonly setup: Omit<RunSetup, "conversation" | "tools" | "nextRunId" | "sessionStart">;
  readonly store: SessionStore;
  readonly approvals: ApprovalManager;
  readonly mcp: McpConnections;
  /** The agent's own tools and those of its servers, as they are now. */
  readonly tools: () => RunSetup["tools"];
  /** Those, and what every run adds to them. */
  readonly offered: () => readonly OfferedTool[];
  readonly compactParams: CompactParams;
  /** Throws if there is no such model; then the previous one stays. */
  readonly setModel: (model: AgentOptions["model"], settings: ModelSettings) => void;
  /** Forgets a rule, also in the file; false for one of the policy, or that does not hold. */
  readonly removeRule: (held: HeldRule) => Promise<boolean>;
  /** Whether another process starts the runs of waiting messages. */
  readonly leavesQueue: boolean;
  readonly nextRunOf: NonNullable<AgentOptions["nextRunOf"]>;
}

export async function createAgentParts(options: AgentOptions): Promise<AgentParts> {
  const env = options.env ?? process.env;
  const clock = options.clock ?? systemClock;
  const newId = options.newId ?? randomUUID;
  const redactor = createRedactor({ env, values: serverSecrets(options.mcpServers ?? {}) });
  const logger = redactingLogger(options.logger ?? consoleLogger, redactor);
  const workdir = resolve(options.workdir ?? "");
  const additionalDirectories = options.additionalDirectories ?? [];
  const limits = { ...defaultLimits, ...options.limits };
  const home = callboardHome(env, process.platform);
  const outputs = outputsRoot(home);
  const given =
    options.tools ??
    createBuiltinTools({
      workdir,
      additionalDirectories,
      home,
      maxOutputChars: limits.maxOutputChars,
      env,
      clock,
    });
  const own = given.map((tool) => isolatedTool(tool, logger));
  // Two tools of one name are refused here, before anything runs.
  createToolRegistry(own);
  const agents = options.agents ?? {};
  const canDelegate = options.tools === undefined || options.tools.length > 0;
  /** Delegation is set up for each run; what its calls look like is always the same. */
  const delegate = createDelegateTool({
    agents,
    run: () => Promise.reject(new Error("this is only a shape")),
  });
  const byName = new Map([...own, delegate].map((tool) => [tool.name, tool]));
  let model = resolveModel(options.model, env, options.modelSettings);
  const prices = createPriceBook(
    checkedPrices(options.prices ?? {}),
    await readPriceFile(join(home, priceFileName)),
    knownPrices,
  );
  const approvals = createApprovalManager(options.approval ?? {}, { clock, workdir });
  const ruleFile = join(home, ruleFileName);
  const saved = options.approval?.saveRule ? [] : await readRuleFile(ruleFile);
  for (const { rule, effect, folder = workdir } of saved) {
    if (resolve(folder) === workdir) approvals.remember({ rule, effect, from: "saved" });
  }
  const canAsk = own.some(({ name, remote }) => name === askToolName && remote !== undefined);
  const mcp = await connectMcpServers(options.mcpServers ?? {}, {
    ...{ logger, clock, env, canAsk },
    logins: options.mcpLogins ?? createFileLogins(join(home, loginFileName)),
    howToLogIn: (server) => `Run \`callboard mcp login ${server}\` to log in.`,
  });
  const tools = (): RunSetup["tools"] => [...own, ...mcp.tools()];
  return {
    store: options.store ?? createFileSessionStore({ home, logger, clock }),
    approvals,
    mcp,
    tools,
    offered: () => (canDelegate ? [...tools(), delegate] : tools()).map(offeredTool),
    setModel(named, settings) {
      model = resolveModel(named, env, settings);
    },
    compactParams(toolName, input) {
      const tool = byName.get(toolName) ?? mcp.tools().find(({ name }) => name === toolName);
      return tool?.compactParams(input);
    },
    async removeRule(held) {
      if (held.from === "policy") return false;
      if (held.from === "saved" && options.approval?.saveRule === undefined) {
        await removeFromRuleFile(ruleFile, { ...held, folder: workdir });
      }
      return approvals.forget(held);
    },
    leavesQueue: options.nextRunOf !== undefined,
    nextRunOf: options.nextRunOf ?? (() => undefined),
    setup: {
      queue: createMessageQueue(options.queue),
      context: createContextManager(options.contextWindow ?? windowOf(env)),
      approvals,
      guards: createGuardManager(limits, { clock, canAsk: approvals.canAsk }),
      callRules: createCallRules(options.callRules ?? [], workdir),
      hooks: options.hooks ?? [],
      limits,
      prices,
      clock,
      logger,
      workdir,
      additionalDirectories,
      newId,
      saveRule:
        options.approval?.saveRule ??
        ((rule, effect) => saveToRuleFile(ruleFile, { rule, effect, folder: workdir })),
      get model() {
        return model;
      },
      modelNow: () => model,
      resolveModel: (named) => resolveModel(named.model, env),
      agents,
      canDelegate,
      systemPrompt: options.systemPrompt,
      stream: options.stream ?? true,
      pulse: options.pulse ?? defaultPulseMs,
      userId: options.userId,
      traceparent: options.traceparent,
      parkAfterMs: options.parkAfterMs,
      keepOutput: (sessionId, key, text) =>
        keepText(text, { folder: sessionOutputFolder(outputs, sessionId), key }),
    },
  };
}

/** `CALLBOARD_CONTEXT_WINDOW`, if it is a number of tokens. */
function windowOf(env: Readonly<Record<string, string | undefined>>): number | undefined {
  const { CALLBOARD_CONTEXT_WINDOW: text } = env;
  if (text === undefined || text === "") return undefined;
  const tokens = Number(text);
  if (Number.isInteger(tokens) && tokens > 0) return tokens;
  throw new ConfigurationError(
    `CALLBOARD_CONTEXT_WINDOW is a number of tokens such as 200000, not ${text}.`,
  );
}

function offeredTool(tool: ToolDefinition): OfferedTool {
  const { name, description, kind, toolType, inputSchema, needsApproval } = tool;
  return { name, description, kind, toolType, inputSchema, needsApproval };
}
