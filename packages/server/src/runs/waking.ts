/**
 * Parked runs belong to no node. A node with a command for one takes it over first: the run then waits in memory for the
 * command, and is parked again if more answers are missing.
 */
import { RunNotContinuableError } from "@callboard/agent-sdk";
import { overridesSchema } from "@callboard/run-log/http";
import { HttpProblem } from "../http/problem.js";
import type { ServerParts } from "../parts.js";
import type { ParkedRun, RunStore } from "../stores/runStore.js";
import { type ClientTool, clientToolsBeside, clientToolsSchema } from "./clientTools.js";
import { queuedAsksIn } from "./queueCommands.js";
import type { RunHost } from "./runHost.js";
import type { Beginning } from "./runRequest.js";
import { agentOptionsFor } from "./servedAgent.js";
import { isOfRival } from "./startRun.js";

/** Call it once the run got the command: only then may it be parked again. */
export type LetGo = () => void;

/** What resuming a run needs of a server. */
export type WakingParts = Pick<ServerParts, "directory" | "builtinTools" | "clientCalls"> & {
  readonly store: Pick<RunStore, "findParked" | "readSetup" | "queuedAsks">;
  readonly host: Pick<RunHost, "wake">;
};

/** Undefined if the run is not parked, or another node was faster. Throws if its agent cannot run here. */
export async function wake(parts: WakingParts, runId: string): Promise<LetGo | undefined> {
  const run = await parts.store.findParked(runId);
  if (!run) return undefined;
  try {
    return await parts.host.wake(await beginningOf(parts, run));
  } catch (error) {
    const isHere = error instanceof HttpProblem && error.kind === "run-exists";
    const isOver = error instanceof RunNotContinuableError;
    if (isHere || isOver || isOfRival(error)) return undefined;
    throw error;
  }
}

/** The settings of a run's request, for a node that resumes it. */
export async function beginningOf(
  { store, directory, builtinTools, clientCalls }: Omit<WakingParts, "host">,
  { runId, conversationId, userId }: ParkedRun,
): Promise<Beginning> {
  const setup = await store.readSetup(conversationId);
  const asks = queuedAsksIn(await store.queuedAsks.read(conversationId));
  const { agent } = directory.find(setup?.agentName);
  const overrides = overridesSchema.parse(setup?.overrides ?? {});
  const user = { userId };
  const own = agent.tools ?? builtinTools(agent, user);
  const asked = clientToolsSchema.parse(setup?.clientTools ?? []);
  const toolFor = (tool: ClientTool) => clientCalls.toolFor(userId, tool);
  const asking = clientCalls.askToolsOf(agent);
  const tools = await clientToolsBeside([...own, ...asking], asked, toolFor, "client_tools");
  const { variables = {}, instructions } = setup ?? {};
  const options = agentOptionsFor(
    agent,
    overrides,
    variables,
    [...asking, ...tools],
    () => own,
    instructions,
  );
  const share = { owner: userId, clientTools: tools.length };
  return { runId, conversationId, user, options, share, asks };
}
