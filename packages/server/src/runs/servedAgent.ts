/**
 * The agents that a server offers, by name, and how a request may bend one: variables in its system
 * prompt, a model that is offered too, limits that are tighter. A request can never widen what it may do.
 */

import {
  type AgentOptions,
  ConfigurationError,
  type Limits,
  resolveModel,
  type ToolDefinition,
} from "@callboard/agent-sdk";
import { modelSpecOf } from "@callboard/agent-sdk/models";
import type { JsonObject } from "@callboard/run-log";
import { withoutUndefined } from "@callboard/run-log/values";
import { HttpProblem } from "../http/problem.js";
import type { Webhook } from "../webhooks/webhook.js";

type Environment = Readonly<Record<string, string | undefined>>;

/** One agent of the configuration. `{{name}}` in its system prompt is filled from a request's variables. */
export interface ServedAgent
  extends Pick<
    AgentOptions,
    | "model"
    | "tools"
    /** Connected once for all users of the node: nothing of one user belongs into their configuration. */
    | "mcpServers"
    | "agents"
    | "systemPrompt"
    | "workdir"
    | "additionalDirectories"
    | "approval"
    | "callRules"
    | "hooks"
    | "limits"
    | "contextWindow"
    | "pulse"
  > {
  readonly description?: string;
  /** Other models that a request may choose. */
  readonly models?: readonly string[];
  /** Variables that its commands get. On a server for many users they get no others of the server's own. */
  readonly environment?: Readonly<Record<string, string>>;
  /** Whether another node resumes its runs when their node stops. Default false: they are closed. */
  readonly isResumable?: boolean;
  /** Where a notice is sent when its runs wait for a person or have ended. Default the server's webhook; null: nowhere. */
  readonly webhook?: Webhook | null;
  /** Gives it `ask_user`: it may ask the reader of the run, who answers as a client sends the result of a call. */
  readonly asksUser?: boolean;
}

export interface AgentDirectory {
  /** The name of the agent that a request without a name gets. */
  readonly defaultName: string;
  readonly agents: ReadonlyMap<string, ServedAgent>;
  /** Throws if there is no such agent. */
  find(name: string | undefined): { readonly name: string; readonly agent: ServedAgent };
}

export const defaultName = "default";

export function createAgentDirectory(
  agents: Readonly<Record<string, ServedAgent>>,
): AgentDirectory {
  const all = new Map(Object.entries(agents));
  return {
    defaultName,
    agents: all,
    find(name = defaultName) {
      const agent = all.get(name);
      if (agent) return { name, agent };
      const known = [...all.keys()].join(", ");
      const detail = `There is no agent "${name}". There are: ${known}.`;
      throw new HttpProblem(422, "unknown-agent", detail, {
        errors: [{ field: "prompt_id", message: detail }],
      });
    },
  };
}

export interface Overrides {
  readonly model?: string;
  readonly max_turns?: number;
  readonly max_cost_usd?: number;
  readonly timeout_ms?: number;
}

export type Variables = JsonObject;

/** The agent as this request gets it. */
export function agentOptionsFor(
  agent: ServedAgent,
  overrides: Overrides,
  variables: Variables,
  clientTools: readonly ToolDefinition[],
  builtinTools: () => readonly ToolDefinition[],
  instructions?: string,
): AgentOptions {
  const { systemPrompt: template, tools = builtinTools(), ...rest } = agentPart(agent);
  const model = modelFor(agent, overrides);
  const own = template === undefined ? [] : [filled(template, variables)];
  const prompts = instructions === undefined ? own : [...own, fromApplication(instructions)];
  return {
    ...rest,
    ...withoutUndefined({ model }),
    ...(prompts.length === 0 ? {} : { systemPrompt: prompts.join("\n\n") }),
    tools: [...tools, ...clientTools],
    limits: tightened(agent.limits ?? {}, ceilingOf(overrides)),
  };
}

/** The options of a served agent that the agent itself gets. */
function agentPart(agent: ServedAgent): AgentOptions {
  const { description: _, models: __, isResumable: ___, ...others } = agent;
  const { environment: ____, webhook: _____, asksUser: ______, ...rest } = others;
  return rest;
}

/** The model of a request; refused if the agent does not offer it. */
export function modelFor(
  { model, models = [] }: ServedAgent,
  overrides: Overrides,
): AgentOptions["model"] {
  if (overrides.model === undefined || overrides.model === model) return model;
  const offered = [...(typeof model === "string" ? [model] : []), ...models];
  if (offered.includes(overrides.model)) return overrides.model;
  const chosen = withOptions(offered, overrides.model);
  if (chosen !== undefined) return chosen;
  const detail =
    offered.length === 0
      ? "This agent offers no choice of models: leave config_overrides.model out."
      : `This agent offers ${offered.join(", ")}: choose one of them.`;
  throw modelRefused("model-not-offered", detail);
}

/**
 * The model options of a request. Everything else is the operator's: headers and options of a provider could name
 * another account, another address or other rights.
 */
const requestOptions: ReadonlySet<string> = new Set([
  "effort",
  "thinkingBudget",
  "maxOutputTokens",
  "temperature",
  "timeout",
]);

/** The offered model with the options of the request; undefined if no such model is offered. */
function withOptions(offered: readonly string[], asked: string): string | undefined {
  const [name = "", said] = splitAt(asked);
  const found = offered.find((one) => splitAt(one)[0] === name);
  if (said === undefined || found === undefined) return undefined;
  const fixed = new URLSearchParams(splitAt(found)[1] ?? "");
  for (const key of new URLSearchParams(said).keys()) {
    if (!requestOptions.has(key)) {
      const detail = `A request cannot set the option ${key} of a model. It can set ${[...requestOptions].join(", ")}.`;
      throw modelRefused("model-option-refused", detail);
    }
    if (fixed.has(key)) {
      const detail = `The server has fixed the option ${key} of ${found}: leave it out.`;
      throw modelRefused("model-option-refused", detail);
    }
  }
  const chosen = `${found}${found.includes("?") ? "&" : "?"}${said}`;
  try {
    modelSpecOf(chosen);
  } catch (error) {
    if (error instanceof ConfigurationError) {
      throw modelRefused("model-option-refused", error.message);
    }
    throw error;
  }
  return chosen;
}

function splitAt(model: string): readonly [name: string, options?: string] {
  const question = model.indexOf("?");
  return question === -1 ? [model] : [model.slice(0, question), model.slice(question + 1)];
}

function modelRefused(kind: string, detail: string): HttpProblem {
  const errors = [{ field: "config_overrides.model", message: detail }];
  return new HttpProblem(422, kind, detail, { errors });
}

/** It comes after the agent's own instructions, and names its author for the model. */
function fromApplication(instructions: string): string {
  return `The application that sent this request adds:\n${instructions}`;
}

function filled(template: string, variables: Variables): string {
  return template.replace(/\{\{\s*([\w.-]+)\s*\}\}/g, (whole, name: string) => {
    if (!Object.hasOwn(variables, name)) return whole;
    const value = variables[name];
    return typeof value === "string" ? value : JSON.stringify(value);
  });
}

/** Limits that a request, or the server, may lower but never raise. */
export type Ceiling = Partial<Pick<Limits, "maxTurns" | "maxCostUsd" | "maxRunMs">>;

function ceilingOf({ max_turns, max_cost_usd, timeout_ms }: Overrides): Ceiling {
  return {
    ...withoutUndefined({ maxTurns: max_turns, maxCostUsd: max_cost_usd, maxRunMs: timeout_ms }),
  };
}

export function tightened(limits: Partial<Limits>, ceiling: Ceiling): Partial<Limits> {
  const least = (asked: number | undefined, limit: number | undefined): number | undefined =>
    asked === undefined || limit === undefined ? (asked ?? limit) : Math.min(asked, limit);
  const maxTurns = least(ceiling.maxTurns, limits.maxTurns);
  const maxCostUsd = least(ceiling.maxCostUsd, limits.maxCostUsd);
  const maxRunMs = least(ceiling.maxRunMs, limits.maxRunMs);
  return {
    ...limits,
    ...withoutUndefined({ maxTurns, maxCostUsd, maxRunMs }),
  };
}

/** The name of an agent's model for people. Throws a ConfigurationError if it lacks a key. */
export function modelOf(
  agent: ServedAgent,
  env: Environment,
): { readonly label: string; readonly isRehearsal: boolean } {
  const { label, isRehearsal } = resolveModel(agent.model, env);
  return { label, isRehearsal };
}
