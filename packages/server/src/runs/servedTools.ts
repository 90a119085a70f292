/**
 * The built-in tools of the agents of a server. On a server for many users each has notes of their own, and commands get
 * nothing of the server's environment.
 */
import { type Clock, callboardHome, createBuiltinTools, defaultLimits } from "@callboard/agent-sdk";
import type { MemoryStore } from "@callboard/store";
import type { ServerParts } from "../parts.js";
import type { Viewer } from "../stores/runStore.js";
import { toolEnvironment } from "./toolEnvironment.js";

export interface ServedToolsOptions {
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly clock: Clock;
  /** Undefined if the server has one user. */
  readonly memoryOf: ((user: Viewer) => MemoryStore) | undefined;
}

export function createServedTools({
  env,
  clock,
  memoryOf,
}: ServedToolsOptions): ServerParts["builtinTools"] {
  return (agent, user) =>
    createBuiltinTools({
      workdir: agent.workdir ?? process.cwd(),
      additionalDirectories: agent.additionalDirectories ?? [],
      home: callboardHome(env, process.platform),
      maxOutputChars: agent.limits?.maxOutputChars ?? defaultLimits.maxOutputChars,
      env: memoryOf ? toolEnvironment(env, agent.environment) : { ...env, ...agent.environment },
      clock,
      ...(memoryOf ? { memory: memoryOf(user) } : {}),
    });
}
