/**
 * From a request to a started run, or to the run that an earlier request with the same key started. The run's id is
 * derived from the key, so that every node finds the same run; the id of the user's message is derived from the body, so
 * that the log itself shows whether the request is the same.
 */

import { createHash } from "node:crypto";
import {
  ConfigurationError,
  LogWriteError,
  type ToolDefinition,
  UnknownToolError,
} from "@callboard/agent-sdk";
import type { WaitingMessage } from "@callboard/agent-sdk/serving";
import { withoutUndefined } from "@callboard/run-log/values";
import { FencedError, SessionBusyError, SessionMovedError } from "@callboard/store";
import type { Caller } from "../auth/caller.js";
import { HttpProblem, notFound } from "../http/problem.js";
import { sortedJson } from "../http/sortedJson.js";
import { namedUuid } from "../ids.js";
import type { NodeMessage } from "../live/nodeBus.js";
import type { ServerParts } from "../parts.js";
import type { Resources } from "../resources.js";
import { isAtLeast, type RunFacts, type Viewer } from "../stores/runStore.js";
import { type ClientTool, clientToolsBeside, nameTaken } from "./clientTools.js";
import { ToolNameTakenError } from "./refusals.js";
import type { QueuedAsks, RunRequest, Wish } from "./runRequest.js";
import { createRunViewer, type LoggedRun } from "./runView.js";
import { awaited } from "./runWatch.js";
import {
  agentOptionsFor,
  type Overrides,
  type ServedAgent,
  type Variables,
} from "./servedAgent.js";

export interface Ask {
  readonly agentName?: string | undefined;
  readonly conversationId?: string | undefined;
  /** False if the conversation must already exist. */
  readonly mayCreate: boolean;
  readonly wish: Wish;
  readonly variables: Variables;
  readonly overrides: Overrides;
  readonly clientTools: readonly ClientTool[];
  /** The caller's protocol's name for `client_tools`, if it differs. */
  readonly toolsField?: string;
  /** Additional instructions of the application: added to the system prompt. */
  readonly instructions?: string | undefined;
  /** The id of the run, if the caller has one. */
  readonly runId?: string | undefined;
  /** The caller's id of its message. Then `runId` distinguishes different requests. */
  readonly messageId?: string | undefined;
  /** The earlier run of the conversation that this one takes the place of. */
  readonly replaces?: string | undefined;
  /** The same key and the same request are the same run. */
  readonly idempotencyKey?: string | undefined;
}

export type BegunRun = Pick<RunFacts, "runId" | "conversationId" | "userId" | "lastSeq" | "status">;

export interface RunStarter {
  begin(user: Starter, ask: Ask): Promise<BegunRun>;
  /** Starts the run of a message that waited for the end of another. */
  beginTaken(user: Starter, ask: Ask, runId: string, taken: Taken): Promise<BegunRun>;
  /** Starts a run that only contains why the request cannot be done. No limit counts it. */
  beginRefused(request: RunRequest): Promise<void>;
}

/** A run that starts with a message that waited, and the messages behind it. */
export interface Taken {
  readonly messageId: string;
  readonly queue: readonly WaitingMessage[];
  readonly asks: QueuedAsks;
}

/** The ids of the run that a request starts, and of its message. */
export function namesOf(
  user: Viewer,
  ask: Ask,
  newId: () => string,
): { readonly runId: string; readonly messageId: string } {
  const runId = runIdFor(user, ask, newId);
  return { runId, messageId: messageIdOf(runId, ask) };
}

export function createRunStarter(parts: ServerParts, resources: Resources): RunStarter {
  const { store, host, directory, clientCalls, newId, metrics, bus, logger } = parts;
  /** Named runs that are starting here: requests with the same name are processed in order. */
  const beginning = new Map<string, Promise<void>>();

  async function begun(user: Starter, ask: Ask, runId: string, taken?: Taken): Promise<BegunRun> {
    const { name, agent } = directory.find(ask.agentName);
    await resources.assertEnough();
    const conversationId = await conversationFor(user, ask, runId);
    // A message that waited for another run is begun although its request was answered long ago.
    const tools = await clientToolsFor(user, ask, agent, taken ? undefined : user.left);
    const builtin = () => parts.builtinTools(agent, user);
    const { overrides, variables, instructions } = ask;
    const asking = clientCalls.askToolsOf(agent);
    const delegated = [...asking, ...tools];
    const options = agentOptionsFor(agent, overrides, variables, delegated, builtin, instructions);
    const { wish, replaces } = ask;
    const messageId = taken?.messageId ?? messageIdOf(runId, ask);
    const behind = taken === undefined ? {} : { queue: taken.queue };
    const asks = taken === undefined ? {} : { asks: taken.asks };
    // A call of a person is not resumed elsewhere: it is unknown how far its tool came.
    const keepRunsOpen = agent.isResumable === true && wish.type === "message";
    try {
      const kept = { ...options, ...behind, ...(keepRunsOpen ? { keepRunsOpen } : {}) };
      const share = { owner: user.limitedAs, clientTools: tools.length };
      const { traceparent } = user;
      const named = { runId, conversationId, user, messageId, replaces, traceparent };
      const setup = {
        agentName: name,
        variables,
        overrides: { ...overrides },
        clientTools: ask.clientTools.map((tool) => ({ ...tool })),
        ...withoutUndefined({ instructions }),
      };
      const request = { ...named, options: kept, wish, share, setup };
      await host.start({ ...request, ...asks });
    } catch (error) {
      if (error instanceof ConfigurationError) throw unusable(name, error);
      if (error instanceof UnknownToolError) throw unknownTool(error);
      if (error instanceof ToolNameTakenError) throw takenIn(ask, error);
      throw error;
    }
    tellBegun({ runId, conversationId, user });
    return { runId, conversationId, userId: user.userId, lastSeq: 0, status: "open" };
  }

  async function clientToolsFor(
    user: Viewer,
    ask: Ask,
    agent: ServedAgent,
    left: (() => AbortSignal) | undefined,
  ): Promise<readonly ToolDefinition[]> {
    if (ask.clientTools.length === 0) return [];
    const asking = clientCalls.askToolsOf(agent);
    const own = [...(agent.tools ?? parts.builtinTools(agent, user)), ...asking];
    const signal = left?.();
    const toolFor = (tool: ClientTool) => clientCalls.toolFor(user.userId, tool, signal);
    return clientToolsBeside(own, ask.clientTools, toolFor, toolsFieldOf(ask));
  }

  function tellBegun({ runId, conversationId, user }: Pick<RunRequest, NamedFields>): void {
    metrics.add("callboard_runs_started_total");
    announce({ type: "runStarted", runId, conversationId, userId: user.userId });
  }

  function announce(message: Extract<NodeMessage, { type: "runStarted" }>): void {
    bus.publish(message).catch((error) => {
      logger.warn("Notifying other nodes of a run failed; they find it by polling.", { error });
    });
  }

  async function conversationFor(user: Viewer, ask: Ask, runId: string): Promise<string> {
    const { conversationId } = ask;
    if (conversationId === undefined) {
      return ask.idempotencyKey === undefined ? newId() : namedUuid(runId, "conversation");
    }
    const access = await store.accessOf(user, conversationId);
    if (isAtLeast(access, "editor")) return conversationId;
    if (access !== undefined) {
      const detail =
        "You may read this conversation, not change it: ask its owner to let you edit.";
      throw new HttpProblem(403, "read-only", detail);
    }
    // An id of another user is refused like a missing one.
    if (!ask.mayCreate || (await store.hasConversation(conversationId))) {
      throw notFound(`conversation ${conversationId}`);
    }
    return conversationId;
  }

  /** The run that the same key started before. */
  async function earlier(user: Viewer, ask: Ask, runId: string): Promise<BegunRun | undefined> {
    const run = await store.findRun(user, runId);
    if (!run) return undefined;
    const [, opened] = await store.read(runId, { after: 0, limit: 2 });
    // A compaction has no message: its log starts with the compaction.
    if (ask.wish.type === "compact" && opened?.type === "status.reported") return run;
    const asked = opened?.type === "message.opened" ? opened.messageId : undefined;
    if (asked === messageIdOf(runId, ask)) return run;
    throw keyReused(ask);
  }

  async function begunOnce(user: Starter, ask: Ask, runId: string): Promise<BegunRun> {
    const before = await earlier(user, ask, runId);
    if (before) return before;
    try {
      return await begun(user, ask, runId);
    } catch (error) {
      // Another node may be starting it now: then it appears.
      if (!isOfRival(error)) throw error;
      const { clock } = parts;
      await awaited(store, runId, createRunViewer(), hasBegun, { clock, answerTimeoutMs });
      const other = await earlier(user, ask, runId);
      if (other) return other;
      throw error;
    }
  }

  return {
    beginTaken: begun,
    async beginRefused(request) {
      await host.start({ ...request, isUnlimited: true });
      tellBegun(request);
    },
    begin(user, ask) {
      const runId = runIdFor(user, ask, newId);
      if (ask.idempotencyKey === undefined && ask.runId === undefined) {
        return begun(user, ask, runId);
      }
      const before = beginning.get(runId) ?? Promise.resolve();
      const attempt = before.then(() => begunOnce(user, ask, runId));
      const settled = attempt.then(
        () => undefined,
        () => undefined,
      );
      beginning.set(runId, settled);
      void settled.then(() => {
        if (beginning.get(runId) === settled) beginning.delete(runId);
      });
      return attempt;
    },
  };
}

/** The identity with which a run starts. */
export type Starter = Pick<Caller, "userId" | "limitedAs" | "traceparent" | "left">;

type NamedFields = "runId" | "conversationId" | "user";

const answerTimeoutMs = 2_000;

function hasBegun({ state }: LoggedRun): true | undefined {
  return state.seq >= 2 ? true : undefined;
}

/** Whether a run could not start because another one was started. */
export function isOfRival(error: unknown): boolean {
  if (error instanceof HttpProblem) return error.kind === "conversation-busy";
  return (
    error instanceof SessionBusyError ||
    error instanceof SessionMovedError ||
    error instanceof FencedError ||
    error instanceof LogWriteError
  );
}

function runIdFor({ userId }: Viewer, ask: Ask, newId: () => string): string {
  if (ask.idempotencyKey !== undefined) return namedUuid("run", userId, ask.idempotencyKey);
  return ask.runId ?? newId();
}

/** The digest of a request: the same for the same request in any order of its fields. */
function messageIdOf(runId: string, ask: Ask): string {
  if (ask.messageId !== undefined) return ask.messageId;
  const { idempotencyKey: _, runId: __, ...asked } = ask;
  const digest = createHash("sha256").update(sortedJson(asked)).digest("base64url");
  return namedUuid(runId, digest);
}

function toolsFieldOf({ toolsField = "client_tools" }: Ask): string {
  return toolsField;
}

/** The agent's servers have a tool of the name that the client gave to its own. */
function takenIn(ask: Ask, error: ToolNameTakenError): Error {
  const index = ask.clientTools.findIndex(({ name }) => name === error.toolName);
  return index < 0 ? error : nameTaken(error.toolName, `${toolsFieldOf(ask)}.${index}`);
}

function keyReused({ idempotencyKey }: Ask): HttpProblem {
  const [field, what] = idempotencyKey === undefined ? ["runId", "id"] : ["Idempotency-Key", "key"];
  const detail = `This ${what} was used for another request: use a new one for a new request.`;
  return new HttpProblem(422, "idempotency-key-reused", detail, {
    errors: [{ field, message: detail }],
  });
}

function unknownTool({ message }: UnknownToolError): HttpProblem {
  return new HttpProblem(422, "unknown-tool", message, {
    errors: [{ field: "tool_name", message }],
  });
}

function unusable(name: string, error: Error): HttpProblem {
  return new HttpProblem(503, "agent-unavailable", `Agent ${name} cannot run: ${error.message}`);
}
