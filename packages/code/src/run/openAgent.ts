/** An agent by the settings, in a session on disk, that emits every stored event. */

import { resolve } from "node:path";
import {
  Agent,
  type AgentOptions,
  type Clock,
  callboardHome,
  createBuiltinTools,
  createFileSessionStore,
  createRedactor,
  defaultLimits,
  type Hook,
  type Logger,
  SessionLockedError,
  type SessionStore,
  type ToolDefinition,
} from "@callboard/agent-sdk";
import { createCommandHook } from "@callboard/agent-sdk/hooks";
import { collectorFrom, withSpanExport } from "@callboard/agent-sdk/tracing";
import { withoutUndefined } from "@callboard/run-log/values";
import type { Project } from "../project/project.js";
import { skillTools } from "../project/skills.js";
import type { PermissionMode, Settings } from "../settings/settings.js";
import { UsageError } from "../usageError.js";
import { versionOf } from "../version.js";
import { type TellEvent, watchedStore } from "./watchedStore.js";

export interface OpenAgentOptions {
  readonly settings: Settings;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly cwd: string;
  readonly project: Project;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly store: SessionStore;
  readonly sessionId: string | undefined;
  readonly tell: TellEvent;
  /** `ask_user`, as it is answered here. */
  readonly askTool: ToolDefinition;
}

export function openAgent(options: OpenAgentOptions): Promise<Agent> {
  const { cwd, env, clock, project, store, sessionId, tell, askTool } = options;
  const { additionalDirectories = [], ...rest } = agentOptionsOf(options);
  const builtin = createBuiltinTools({
    workdir: cwd,
    additionalDirectories,
    home: callboardHome(env),
    maxOutputChars: defaultLimits.maxOutputChars,
    env,
    clock,
  });
  return Agent.create({
    ...rest,
    additionalDirectories,
    tools: [...builtin, askTool, ...skillTools(project.skills)],
    systemPrompt: project.systemPrompt,
    agents: project.agents,
    workdir: cwd,
    store: watchedStore(exportingSpans(store, options), tell, options.logger),
    ...withoutUndefined({ sessionId }),
  }).catch(withWayOut);
}

/** A session that another process has can still be copied. */
function withWayOut(error: unknown): never {
  if (!(error instanceof SessionLockedError)) throw error;
  const fork = `callboard -r ${error.sessionId.slice(0, 8)} --fork`;
  throw new Error(`${error.message}, or continue a copy with ${fork}`, { cause: error });
}

type Surroundings = Pick<OpenAgentOptions, "env" | "clock" | "logger">;

/** Sends the spans of runs to the collector that the environment names, if it names one. */
function exportingSpans(store: SessionStore, { env, clock, logger }: Surroundings): SessionStore {
  const collector = collectorFrom(env);
  if (collector === undefined) return store;
  const redactor = createRedactor({ env });
  const version = versionOf();
  return withSpanExport(store, { collector, redactor, version, clock, logger });
}

/** The sessions of the home. */
function homeSessions({ env, clock, logger }: Surroundings): SessionStore {
  return createFileSessionStore({ home: callboardHome(env), clock, logger });
}

/** The agent options of the settings, for any folder. */
export function agentOptionsOf(
  options: Pick<OpenAgentOptions, "settings" | "env" | "cwd" | "clock" | "logger">,
): AgentOptions {
  const { settings, env, cwd, clock, logger } = options;
  const { maxTurns, maxCost, timeout, onLimit = "ask" } = settings;
  const { effort, maxOutputTokens, temperature, modelTimeout } = settings;
  const { TRACEPARENT: traceparent } = env;
  return {
    env,
    clock,
    logger,
    ...(collectorFrom(env) ? { store: exportingSpans(homeSessions(options), options) } : {}),
    approval: approvalOf(settings),
    mcpServers: settings.mcpServers,
    ...withoutUndefined({ traceparent }),
    callRules: settings.callRules.map(({ silenceTimeout, ...rule }) => ({
      ...rule,
      ...(silenceTimeout === undefined ? {} : { silenceTimeoutMs: silenceTimeout * 1_000 }),
    })),
    hooks: [
      ...(settings.permissionMode === "plan" ? [planHook] : []),
      ...hooksOf(settings, cwd, env),
    ],
    additionalDirectories: settings.directories.map((folder) => resolve(cwd, folder)),
    limits: {
      ...withoutUndefined({ maxTurns, maxCostUsd: maxCost }),
      ...(timeout === undefined ? {} : { maxRunMs: timeout * 1_000 }),
      onLimit,
    },
    ...withoutUndefined({ systemPrompt: settings.systemPrompt }),
    ...modelOf(settings),
    modelSettings: {
      ...withoutUndefined({ effort, maxOutputTokens, temperature }),
      ...(modelTimeout === undefined ? {} : { timeoutMs: modelTimeout * 1000 }),
    },
  };
}

function hooksOf(
  { hooks }: Settings,
  cwd: string,
  env: OpenAgentOptions["env"],
): NonNullable<AgentOptions["hooks"]> {
  return hooks.map(({ timeout, ...hook }) =>
    createCommandHook({
      ...hook,
      cwd,
      env,
      ...(timeout === undefined ? {} : { timeoutMs: timeout * 1_000 }),
    }),
  );
}

/** The model with its options, as it is written in one name. */
function modelOf({ model, modelOptions }: Settings): Pick<AgentOptions, "model"> {
  if (modelOptions.length === 0) return withoutUndefined({ model });
  if (model === undefined) {
    throw new UsageError("--model-option needs a model: give --model, or set CALLBOARD_MODEL.");
  }
  const query = new URLSearchParams(modelOptions.map(optionOf)).toString();
  return { model: `${model}${model.includes("?") ? "&" : "?"}${query}` };
}

function optionOf(option: string): [name: string, value: string] {
  const equals = option.indexOf("=");
  return [option.slice(0, equals), option.slice(equals + 1)];
}

function approvalOf(settings: Settings): NonNullable<AgentOptions["approval"]> {
  const { permissionMode, allow, deny } = settings;
  return {
    ...questionExpiry(settings),
    allow: [...allow, ...allowedBy(permissionMode)],
    deny: permissionMode === "plan" ? [...deny, ...deniedInPlans] : deny,
    otherwise: otherwiseOf(permissionMode),
  };
}

/** How long approvals and questions of the model wait for an answer. */
export function questionExpiry({ approvalTimeout }: Pick<Settings, "approvalTimeout">): {
  readonly timeoutMs?: number | null;
} {
  if (approvalTimeout === undefined) return {};
  return { timeoutMs: approvalTimeout === "none" ? null : approvalTimeout * 1_000 };
}

/** Whatever rules were saved: who plans changes nothing. */
const deniedInPlans: readonly string[] = ["write", "shell"];

const changing: ReadonlySet<string> = new Set(["edit", "delete", "move", "execute"]);

/** The rules would deny too; this gives the model and the person the reason. */
const planHook: Hook = {
  name: "plan mode",
  beforeCall({ kind, openedBy }) {
    if (openedBy === "user" || !changing.has(kind)) return null;
    const reason = "nothing is changed and no command runs until the person turns plan mode off";
    return { decision: "deny", reason };
  },
};

/** Files inside the working folders only: the tools themselves refuse every other path. */
export function allowedBy(mode: PermissionMode): readonly string[] {
  return mode === "accept-edits" ? ["write(**)"] : [];
}

function otherwiseOf(mode: PermissionMode): "ask" | "allow" | "deny" {
  switch (mode) {
    case "ask":
    case "accept-edits":
      return "ask";
    case "allow":
      return "allow";
    case "plan":
    case "deny":
      return "deny";
    default:
      return mode satisfies never;
  }
}

/** Whether no approval is ever requested: this must be reported. */
export function allowsEverything({ permissionMode, allow }: Settings): boolean {
  return permissionMode === "allow" || allow.includes("*");
}
