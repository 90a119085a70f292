/**
 * All sessions of one connection: created, loaded, resumed, listed, closed. It knows no version of the protocol; the
 * modules of the versions translate.
 */

import {
  Agent,
  type AgentOptions,
  type Clock,
  callboardHome,
  createBuiltinTools,
  createFileSessionStore,
  createRedactor,
  defaultLimits,
  type Logger,
  type ToolDefinition,
} from "@callboard/agent-sdk";
import type { ModelSettings } from "@callboard/agent-sdk/models";
import { copySession, forkSession } from "@callboard/agent-sdk/sessions";
import type { JsonValue, RunEvent } from "@callboard/run-log";
import { askToolName } from "@callboard/run-log/asking";
import { withoutUndefined } from "@callboard/run-log/values";
import type { UpdateEngine } from "../updates/updateEngine.js";
import type { AcpSession } from "./acpSession.js";
import type { ClientPort } from "./clientPort.js";
import { withClientTools } from "./clientTools.js";
import type { EffortId } from "./configOptions.js";
import type { FolderSetup, SessionAgentOptions } from "./folderSetup.js";
import { leftEventsOf } from "./leftRun.js";
import { mcpConfigsOf } from "./mcpServers.js";
import type { ModeId } from "./modes.js";
import type { Folders } from "./pathInside.js";
import { createQuestionRequester, type QuestionRequester } from "./questionRequester.js";
import { openSession } from "./session.js";
import { replayHistory, storedEvents } from "./sessionHistory.js";
import {
  requireAbsolute,
  requireFolder,
  type SessionPlace,
  type SessionPlaces,
} from "./sessionPlaces.js";
import { SessionRefusedError } from "./sessionRefused.js";
import { createShownTerminals, type ShownTerminals } from "./shownTerminals.js";

export interface AgentHostOptions {
  readonly agent: SessionAgentOptions;
  /** What the folder of a session adds to it. */
  readonly folder: (cwd: string) => Promise<FolderSetup>;
  readonly places: SessionPlaces;
  readonly client: ClientPort;
  readonly engine: UpdateEngine;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly newId: () => string;
  readonly contextSizeOf: (model: string) => number | undefined;
  /** The folder of sessions that no editor started. */
  readonly workdir: string;
  /** The mode of a new session. */
  readonly mode: ModeId;
}

export interface SessionRequest {
  readonly cwd: string;
  readonly additionalDirectories: readonly string[];
  readonly mcpServers: readonly JsonValue[];
}

export interface ListedSession extends Pick<SessionPlace, "cwd" | "additionalDirectories"> {
  readonly sessionId: string;
  readonly title: string;
  readonly updatedAt: string;
}

export interface AgentHost {
  create(request: SessionRequest): Promise<AcpSession>;
  /** Opens a stored session; with `replay` the client receives its whole history. */
  open(sessionId: string, request: SessionRequest, replay: boolean): Promise<AcpSession>;
  /** A copy of a session, open with an id of its own; nothing of it is sent. */
  fork(sessionId: string, request: SessionRequest): Promise<AcpSession>;
  sessionOf(sessionId: string): AcpSession;
  /** Stops the work of the session; no answer is expected, so a missing session is not an error. */
  cancel(sessionId: string): void;
  list(
    filter: { readonly cwd?: string | undefined },
    cursor: number,
  ): Promise<{ readonly sessions: readonly ListedSession[]; readonly next: number | undefined }>;
  closeSession(sessionId: string): Promise<void>;
  remove(sessionId: string): Promise<void>;
  /** Once: whoever asks again waits for the same end. */
  close(): Promise<void>;
}

const pageSize = 100;

export function createAgentHost(options: AgentHostOptions): AgentHost {
  const { client, engine, logger, clock, places, newId } = options;
  const env = options.agent.env ?? process.env;
  const home = callboardHome(env, process.platform);
  const store = options.agent.store ?? createFileSessionStore({ home, logger, clock });
  const redactor = createRedactor();
  const sessions = new Map<string, AcpSession>();
  let closing: Promise<unknown> | undefined;

  function toolsFor(
    sessionId: string,
    folders: Folders,
    { terminals, questions }: SessionParts,
    agent: SessionAgentOptions,
  ): Pick<AgentOptions, "tools"> {
    const hasOwn = client.createTerminal !== undefined || client.files.read !== undefined;
    if (agent.tools !== undefined) return { tools: withQuestions(agent.tools, questions) };
    if (!hasOwn && questions === undefined) return {};
    const { maxOutputChars } = { ...defaultLimits, ...agent.limits };
    const tools = createBuiltinTools({
      ...{ ...folders, home, maxOutputChars, env, clock },
    });
    const { showsTerminals } = client.facts.profile;
    const shown = showsTerminals ? terminals.shown : async () => undefined;
    const own = withClientTools(tools, { client, sessionId, clock, maxOutputChars, shown });
    return { tools: withQuestions(own, questions) };
  }

  function questionsFor(
    sessionId: string,
    { approval: { timeoutMs } = {} }: SessionAgentOptions,
  ): QuestionRequester | undefined {
    const { elicit } = client;
    if (elicit === undefined) return undefined;
    return createQuestionRequester({
      ...{ sessionId, elicit, logger, settle: () => engine.settle(sessionId) },
      ...(timeoutMs === undefined ? {} : { timeoutMs }),
      cancelCall: (toolCallId) => {
        sessions.get(sessionId)?.cancelCall(toolCallId);
      },
    });
  }

  async function opened(
    sessionId: string,
    request: SessionRequest,
    past: readonly RunEvent[],
  ): Promise<AcpSession> {
    const { cwd, additionalDirectories } = request;
    const place = { cwd, additionalDirectories };
    let kept: SessionPlace = { ...(await places.placeOf(sessionId)), ...place };
    const keep = (chosen: Partial<SessionPlace>): Promise<void> => {
      kept = { ...kept, ...chosen };
      return places.keep(sessionId, kept);
    };
    const folder = await options.folder(cwd);
    const own: SessionAgentOptions = { ...options.agent, ...folder.agent };
    // The settings of the folder may name more than the client does.
    const named = new Set([...(own.additionalDirectories ?? []), ...additionalDirectories]);
    const folders: Folders = { workdir: cwd, additionalDirectories: [...named] };
    const servers = { ...own.mcpServers, ...mcpConfigsOf(request.mcpServers) };
    const model = kept.model ?? own.model;
    const effort = kept.effort ?? own.modelSettings?.effort ?? "default";
    const settingsOf = (chosen: EffortId): ModelSettings => withEffort(own.modelSettings, chosen);
    const terminals = createShownTerminals(clock);
    const questions = questionsFor(sessionId, own);
    const session = await openSession({
      ...{ sessionId, place, client, engine, clock, logger, redactor, newId, terminals, questions },
      ...{ after: past.length, left: leftEventsOf(past) },
      contextSizeOf: options.contextSizeOf,
      ...{ model, effort },
      mode: kept.mode ?? folder.mode ?? options.mode,
      commands: folder.commands ?? [],
      keep: (chosen) =>
        void keep(chosen).catch((error: unknown) =>
          logger.warn("What was chosen for a session was not kept.", { sessionId, error }),
        ),
      settingsOf,
      openAgent: () =>
        Agent.create({
          ...own,
          ...toolsFor(sessionId, folders, { terminals, questions }, own),
          modelSettings: settingsOf(effort),
          ...{ store, clock, logger, env, sessionId },
          ...{ ...folders, mcpServers: servers },
          ...withoutUndefined({ model }),
        }),
    });
    sessions.set(sessionId, session);
    await keep({});
    return session;
  }

  async function placed(sessionId: string): Promise<SessionPlace> {
    const place = await places.placeOf(sessionId);
    return place ?? { cwd: options.workdir, additionalDirectories: [] };
  }

  /** Copies a stored session; one that is open here continues meanwhile. */
  async function copy(sessionId: string, copyId: string): Promise<void> {
    const open = sessions.get(sessionId);
    if (open === undefined) await forkSession(store, sessionId, copyId, newId);
    else await copySession(store, await open.toldRuns(), copyId, newId);
  }

  async function closeSession(sessionId: string): Promise<void> {
    const session = sessions.get(sessionId);
    sessions.delete(sessionId);
    await session?.close();
  }

  return {
    async create(request) {
      requireAbsolute(request);
      await requireFolder(request.cwd);
      return opened(newId(), request, []);
    },
    async open(sessionId, request, replay) {
      requireAbsolute(request);
      await closeSession(sessionId);
      const events = await storedEvents(store, sessionId);
      if (replay)
        await replayHistory({ sessionId, place: request, events }, { ...options, redactor });
      return opened(sessionId, request, events);
    },
    async fork(sessionId, request) {
      requireAbsolute(request);
      await requireFolder(request.cwd);
      const copyId = newId();
      await copy(sessionId, copyId);
      const { mode, model, effort } = (await places.placeOf(sessionId)) ?? {};
      const { cwd, additionalDirectories } = request;
      await places.keep(copyId, {
        ...{ cwd, additionalDirectories },
        ...withoutUndefined({ mode, model, effort }),
      });
      return opened(copyId, request, await storedEvents(store, copyId));
    },
    sessionOf(sessionId) {
      const session = sessions.get(sessionId);
      if (session) return session;
      throw new SessionRefusedError(`There is no open session ${sessionId}: create or load it.`);
    },
    cancel(sessionId) {
      const session = sessions.get(sessionId);
      if (session) session.cancel();
      else logger.debug("Ignored a cancel for a session that is not open.", { sessionId });
    },
    async list({ cwd }, cursor) {
      if (!Number.isSafeInteger(cursor) || cursor < 0) {
        throw new SessionRefusedError("Unknown page. Start without a cursor.");
      }
      const all = (await store.list()).toSorted((left, right) => right.updatedAt - left.updatedAt);
      const sessions: ListedSession[] = [];
      let found = 0;
      for (const { sessionId, title, updatedAt } of all) {
        // Without a filter, the places of other pages need not be known.
        const isOnPage = found >= cursor;
        const place = isOnPage || cwd !== undefined ? await placed(sessionId) : undefined;
        if (cwd !== undefined && place?.cwd !== cwd) continue;
        if (place && isOnPage) {
          if (sessions.length === pageSize) return { sessions, next: found };
          const iso = new Date(updatedAt).toISOString();
          const { cwd: folder, additionalDirectories } = place;
          const named = place.title ?? title;
          const where = { cwd: folder, additionalDirectories };
          sessions.push({ sessionId, title: named, updatedAt: iso, ...where });
        }
        found += 1;
      }
      return { sessions, next: undefined };
    },
    closeSession,
    async remove(sessionId) {
      await closeSession(sessionId);
      await store.remove(sessionId);
      await places.remove(sessionId);
    },
    async close() {
      closing ??= Promise.allSettled([...sessions.keys()].map(closeSession));
      await closing;
    },
  };
}

interface SessionParts {
  readonly terminals: ShownTerminals;
  readonly questions: QuestionRequester | undefined;
}

/** An agent without tools has none at all. */
function withQuestions(
  tools: readonly ToolDefinition[],
  questions: QuestionRequester | undefined,
): readonly ToolDefinition[] {
  const isOffered = tools.some(({ name }) => name === askToolName);
  return questions === undefined || isOffered || tools.length === 0
    ? tools
    : [...tools, questions.tool];
}

function withEffort(settings: ModelSettings = {}, effort: EffortId): ModelSettings {
  const { effort: _, ...others } = settings;
  return effort === "default" ? others : { ...others, effort };
}
