/**
 * Between any editor and any agent: what the agent says about calls goes through the engine, calls that
 * it leaves open are closed before the turn's end, and everything else passes as it is, in order. It
 * knows messages, not bytes; it starts nothing and reads no clock.
 */
import {
  type AcpVersion,
  isJsonList,
  isJsonObject,
  type JsonObject,
  type JsonValue,
} from "@callboard/run-log";
import { type ClientProfile, profileOf } from "../updates/profiles.js";
import { isMerged } from "../updates/sessionQueue.js";
import type { SessionUpdate } from "../updates/sessionUpdate.js";
import type { UpdateEngine } from "../updates/updateEngine.js";
import { createCallJudge } from "./callJudge.js";

/** What is told to whoever keeps a record of the sessions. */
export interface ProxyWitness {
  initialized(agent: JsonObject): void;
  prompted(sessionId: string, prompt: readonly JsonValue[]): void;
  updated(sessionId: string, update: SessionUpdate): void;
  asked(sessionId: string, requestId: JsonValue, params: JsonObject): void;
  answered(requestId: JsonValue, outcome: JsonValue | undefined): void;
  turnEnded(sessionId: string, stopReason: string): void;
  /** The session is closed, or will be told anew: what is kept of it may go. */
  sessionEnded(sessionId: string): void;
}

export interface ProxyCoreOptions {
  /** Made when the agent has said which version it speaks. */
  readonly createEngine: (version: AcpVersion, profile: ClientProfile) => UpdateEngine;
  /** Given the very object that came in where it passes as it is. */
  readonly toClient: (message: JsonObject) => Promise<void>;
  readonly toAgent: (message: JsonObject) => Promise<void>;
  readonly profile?: ClientProfile;
  readonly witness?: ProxyWitness;
}

export interface ProxyCore {
  fromClient(message: JsonObject): Promise<void>;
  /** One message at a time: it resolves when the next may come. */
  fromAgent(message: JsonObject): Promise<void>;
  /** The agent is gone: its calls are closed and its turns answered. */
  agentEnded(reason: string): Promise<void>;
  readonly engine: UpdateEngine;
  /** How many calls were closed in the agent's place. */
  readonly closedCalls: number;
}

interface Asked {
  readonly method: string;
  readonly sessionId: string;
}

/** Requests whose answer ends a turn: everything that was told of it must be closed by then. */
const turnMethods: ReadonlySet<string> = new Set(["session/prompt", "session/load"]);
/** Requests whose answer ends a session on this connection. */
const closingMethods: ReadonlySet<string> = new Set(["session/close", "session/delete"]);
const internalError = -32603;

export function createProxyCore(options: ProxyCoreOptions): ProxyCore {
  const { toClient, toAgent, witness } = options;
  const asked = new Map<string, Asked>();
  const judge = createCallJudge();
  let profile = options.profile ?? profileOf(undefined);
  let version: AcpVersion = 1;
  let engine: UpdateEngine | undefined;
  let closedCalls = 0;

  const engineNow = (): UpdateEngine => {
    engine ??= options.createEngine(version, profile);
    return engine;
  };

  /** `excused` are calls that the agent says go on in the background. */
  async function closeLeftOpen(
    sessionId: string,
    stopReason: string,
    excused: ReadonlySet<string> = new Set(),
  ): Promise<void> {
    const status = version === 2 && stopReason === "cancelled" ? "cancelled" : "failed";
    for (const toolCallId of engineNow().openCalls(sessionId)) {
      if (excused.has(toolCallId)) continue;
      const update = { sessionUpdate: "tool_call_update", toolCallId };
      engineNow().offer(sessionId, { ...update, status });
      // A record has a word for it, whatever the client's version has.
      const kept = stopReason === "cancelled" ? "cancelled" : "failed";
      witness?.updated(sessionId, { ...update, status: kept });
      closedCalls += 1;
    }
    judge.turnEnded(sessionId);
    await engineNow().settle(sessionId);
    witness?.turnEnded(sessionId, stopReason);
  }

  /** What is told of the session from now on is told to somebody who knows nothing of it. */
  function forget(sessionId: string): void {
    engineNow().forget(sessionId);
    judge.turnEnded(sessionId);
    witness?.sessionEnded(sessionId);
  }

  async function update(message: JsonObject, params: JsonObject): Promise<void> {
    const { sessionId, update: body } = params;
    if (typeof sessionId !== "string" || !isUpdate(body)) return toClient(message);
    const isIdle = body.sessionUpdate === "state_update" && body.state === "idle";
    if (isIdle) {
      const reason = typeof body.stopReason === "string" ? body.stopReason : "end_turn";
      await closeLeftOpen(sessionId, reason, backgroundOf(body));
    }
    if (!isMerged(body.sessionUpdate)) {
      await engineNow().settle(sessionId);
      witness?.updated(sessionId, body);
      return toClient(message);
    }
    const judged = judge.judged(sessionId, body, version);
    const taken = engineNow().offer(sessionId, judged);
    if (taken !== "suppressed") witness?.updated(sessionId, judged);
    await engineNow().ready(sessionId);
  }

  /** The client gets the call first, and then a question that only names it. */
  async function permission(message: JsonObject, params: JsonObject): Promise<void> {
    const { sessionId, subject } = params;
    const holder = isJsonObject(subject) ? subject : params;
    const { toolCall } = holder;
    const id = isJsonObject(toolCall) ? toolCall.toolCallId : undefined;
    if (typeof sessionId !== "string" || !isJsonObject(toolCall) || typeof id !== "string") {
      return toClient(message);
    }
    const body = { ...toolCall, sessionUpdate: "tool_call_update" };
    engineNow().offer(sessionId, body);
    witness?.updated(sessionId, body);
    await engineNow().settle(sessionId);
    witness?.asked(sessionId, message.id ?? null, params);
    const repeated = profile.withPermission.flatMap((field): [string, JsonValue][] => {
      const value = engineNow().fieldOf(sessionId, id, field);
      return value === undefined ? [] : [[field, value]];
    });
    const named = { ...holder, toolCall: { toolCallId: id, ...Object.fromEntries(repeated) } };
    return toClient({
      ...message,
      params: holder === params ? named : { ...params, subject: named },
    });
  }

  async function answer(message: JsonObject): Promise<void> {
    const key = JSON.stringify(message.id);
    const question = asked.get(key);
    asked.delete(key);
    const { result, error } = message;
    if (question?.method === "initialize" && isJsonObject(result)) {
      version = result.protocolVersion === 2 ? 2 : 1;
      witness?.initialized(result);
    }
    if (question && turnMethods.has(question.method) && !(version === 2 && error === undefined)) {
      const stopReason = isJsonObject(result) ? result.stopReason : undefined;
      const reason = typeof stopReason === "string" ? stopReason : "end_turn";
      await closeLeftOpen(question.sessionId, error === undefined ? reason : "error");
    }
    if (question && closingMethods.has(question.method) && error === undefined) {
      await closeLeftOpen(question.sessionId, "cancelled");
      forget(question.sessionId);
    }
    return toClient(message);
  }

  return {
    get engine() {
      return engineNow();
    },
    get closedCalls() {
      return closedCalls;
    },
    async fromClient(message) {
      const { method, id, params, result } = message;
      if (typeof method !== "string") {
        const outcome = isJsonObject(result) ? result.outcome : undefined;
        witness?.answered(id ?? null, outcome);
        return toAgent(message);
      }
      const fields = isJsonObject(params) ? params : {};
      const sessionId = typeof fields.sessionId === "string" ? fields.sessionId : "";
      if (id !== undefined) asked.set(JSON.stringify(id), { method, sessionId });
      if (method === "initialize") profile = options.profile ?? profileOf(clientNameOf(fields));
      if (method === "session/cancel") judge.cancelRequested(sessionId);
      if (isTellingAnew(method, fields)) forget(sessionId);
      if (method === "session/prompt") {
        witness?.prompted(sessionId, isJsonList(fields.prompt) ? fields.prompt : []);
      }
      return toAgent(message);
    },
    fromAgent(message) {
      const { method, params } = message;
      if (typeof method !== "string") return answer(message);
      const fields = isJsonObject(params) ? params : {};
      if (method === "session/update") return update(message, fields);
      if (method === "session/request_permission") return permission(message, fields);
      return toClient(message);
    },
    async agentEnded(reason) {
      for (const [key, { method, sessionId }] of asked) {
        if (turnMethods.has(method)) await closeLeftOpen(sessionId, "error");
        const error = { code: internalError, message: reason };
        await toClient({ jsonrpc: "2.0", id: parsedId(key), error });
      }
      asked.clear();
    },
  };
}

/** Whether a session is told from its beginning: calls that have ended are opened again. */
function isTellingAnew(method: string, { replayFrom = null }: JsonObject): boolean {
  return method === "session/load" || (method === "session/resume" && replayFrom !== null);
}

function isUpdate(value: JsonValue | undefined): value is SessionUpdate {
  return isJsonObject(value) && typeof value.sessionUpdate === "string";
}

function clientNameOf(params: JsonObject): string | undefined {
  const info = params.clientInfo ?? params.info;
  return isJsonObject(info) && typeof info.name === "string" ? info.name : undefined;
}

function backgroundOf({ background }: SessionUpdate): ReadonlySet<string> {
  const works = isJsonList(background) ? background : [];
  return new Set(
    works.flatMap((work) => (isJsonObject(work) ? [String(work.toolCallId ?? "")] : [])),
  );
}

function parsedId(key: string): JsonValue {
  const id: unknown = JSON.parse(key);
  return typeof id === "string" || typeof id === "number" ? id : null;
}
