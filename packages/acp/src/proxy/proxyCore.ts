/**
 * Between any editor and any agent: what the agent says about calls goes through the engine, calls that
 * it leaves open are closed before the turn's end, and everything else passes as it is, in its place:
 * what waits is settled first. It knows messages, not bytes; it starts nothing and reads no clock.
 */
import {
  isJsonList,
  isJsonObject,
  isSameJson,
  type JsonObject,
  type JsonValue,
} from "@callboard/run-log";
import type { AcpVersion } from "@callboard/run-log/projections";
import { type ClientProfile, profileOf } from "../updates/profiles.js";
import { isMended } from "../updates/sessionQueue.js";
import type { SessionUpdate } from "../updates/sessionUpdate.js";
import type { UpdateEngine } from "../updates/updateEngine.js";
import { createCallJudge } from "./callJudge.js";
import { createCallNames } from "./callNames.js";
import { mendedToolCall } from "./mendedQuestion.js";

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

export interface EngineSetup {
  readonly version: AcpVersion;
  readonly profile: ClientProfile;
  readonly write: (sessionId: string, update: SessionUpdate) => Promise<void>;
}

export interface ProxyCoreOptions {
  /** Made when the agent has said which version it speaks. */
  readonly createEngine: (made: EngineSetup) => UpdateEngine;
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
  const names = createCallNames();
  /** Sessions that are at work, as v2 tells it. */
  const running = new Set<string>();
  /** The last update of each session that may be written as it came, and what stands around one. */
  const offered = new Map<string, Offered>();
  let profile = options.profile ?? profileOf(undefined);
  let version: AcpVersion = 1;
  let engine: UpdateEngine | undefined;
  let closedCalls = 0;

  const engineNow = (): UpdateEngine => {
    engine ??= options.createEngine({ version, profile, write });
    return engine;
  };

  /** An update that the engine left as it was is written with the very bytes that came. */
  function write(sessionId: string, update: SessionUpdate): Promise<void> {
    const last = offered.get(sessionId);
    if (last?.message && isSameJson(last.update, update)) return toClient(last.message);
    const params = { ...last?.around, sessionId, update };
    return toClient({ jsonrpc: "2.0", method: "session/update", params });
  }

  /** What waits comes before whatever passes as it is. */
  function settled(sessionId: JsonValue | undefined): Promise<void> {
    return engineNow().settle(typeof sessionId === "string" ? sessionId : undefined);
  }

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
      names.ended(sessionId, toolCallId);
      // A record has a word for it, whatever the client's version has.
      const kept = stopReason === "cancelled" ? "cancelled" : "failed";
      witness?.updated(sessionId, { ...update, status: kept });
      closedCalls += 1;
    }
    judge.turnEnded(sessionId);
    await settled(sessionId);
    witness?.turnEnded(sessionId, stopReason);
  }

  /** What is told of the session from now on is told to somebody who knows nothing of it. */
  function forget(sessionId: string): void {
    engineNow().forget(sessionId);
    names.forget(sessionId);
    offered.delete(sessionId);
    running.delete(sessionId);
    judge.turnEnded(sessionId);
    witness?.sessionEnded(sessionId);
  }

  async function update(message: JsonObject, params: JsonObject): Promise<void> {
    const { sessionId, update: body, ...around } = params;
    if (typeof sessionId !== "string" || !isUpdate(body)) {
      await settled(sessionId);
      return toClient(message);
    }
    if (isMended(body)) return mended(message, sessionId, body, around);
    const isState = body.sessionUpdate === "state_update";
    if (isState && body.state === "idle") {
      const reason = typeof body.stopReason === "string" ? body.stopReason : "end_turn";
      const nameOf = (id: string): string => names.nameOf(sessionId, id);
      await closeLeftOpen(sessionId, reason, new Set(backgroundOf(body).map(nameOf)));
      running.delete(sessionId);
    } else if (isState) running.add(sessionId);
    await settled(sessionId);
    witness?.updated(sessionId, body);
    return toClient(message);
  }

  async function mended(
    message: JsonObject,
    sessionId: string,
    body: SessionUpdate,
    around: JsonObject,
  ): Promise<void> {
    const judged = judge.judged(sessionId, names.named(sessionId, body, version), version);
    const isAlone = Object.keys(around).length > 0;
    if (isAlone) await settled(sessionId);
    offered.set(sessionId, {
      ...{ update: judged, around: isAlone ? around : {} },
      ...(judged === body ? { message } : {}),
    });
    const taken = engineNow().offer(sessionId, judged);
    if (taken !== "suppressed") witness?.updated(sessionId, judged);
    if (isAlone) {
      // What stands around an update belongs to this one alone, and is news by itself.
      if (taken === "suppressed") await toClient({ ...message, params: { ...params(judged) } });
      await settled(sessionId);
      offered.delete(sessionId);
    }
    await engineNow().ready(sessionId);

    function params(told: SessionUpdate): JsonObject {
      return { ...around, sessionId, update: told };
    }
  }

  /** The client gets the call first, and then a question that is complete by itself. */
  async function permission(message: JsonObject, params: JsonObject): Promise<void> {
    const { sessionId, subject } = params;
    const holder = isJsonObject(subject) ? subject : params;
    const { toolCall } = holder;
    const id = isJsonObject(toolCall) ? toolCall.toolCallId : undefined;
    if (typeof sessionId !== "string" || !isJsonObject(toolCall) || typeof id !== "string") {
      await settled(sessionId);
      return toClient(message);
    }
    const toolCallId = names.asked(sessionId, id);
    const isShown = engineNow().openCalls(sessionId).includes(toolCallId);
    if (!isShown) engineNow().offer(sessionId, openingOf(toolCall, toolCallId));
    witness?.updated(sessionId, { ...toolCall, toolCallId, sessionUpdate: "tool_call_update" });
    await settled(sessionId);
    const subjectOf = { ...holder, toolCall: { toolCallId } };
    const question = holder === params ? subjectOf : { ...params, subject: subjectOf };
    witness?.asked(sessionId, message.id ?? null, question);
    const asking = mendedToolCall(toolCall, {
      toolCallId,
      fieldOf: (field) => engineNow().fieldOf(sessionId, toolCallId, field),
    });
    if (asking === toolCall) return toClient(message);
    const named = { ...holder, toolCall: asking };
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
    if (engine) await settled(question?.sessionId || undefined);
    return toClient(message);
  }

  /** A client that names a call by the name that it was given means the agent's. */
  function forAgent(message: JsonObject, fields: JsonObject, sessionId: string): JsonObject {
    const { toolCallId } = fields;
    if (typeof toolCallId !== "string") return message;
    const id = names.agentIdOf(sessionId, toolCallId);
    return id === toolCallId ? message : { ...message, params: { ...fields, toolCallId: id } };
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
        names.turnBegan(sessionId);
        witness?.prompted(sessionId, isJsonList(fields.prompt) ? fields.prompt : []);
      }
      return toAgent(forAgent(message, fields, sessionId));
    },
    async fromAgent(message) {
      const { method, params } = message;
      if (typeof method !== "string") return answer(message);
      const fields = isJsonObject(params) ? params : {};
      if (method === "session/update") return update(message, fields);
      if (method === "session/request_permission") return permission(message, fields);
      if (engine) await settled(fields.sessionId);
      return toClient(message);
    },
    async agentEnded(reason) {
      for (const sessionId of engineNow().sessions()) {
        if (engineNow().openCalls(sessionId).length > 0) await closeLeftOpen(sessionId, "error");
      }
      const failure = { code: internalError, message: reason };
      for (const sessionId of running) {
        witness?.turnEnded(sessionId, "error");
        const idle = { sessionUpdate: "state_update", state: "idle", stopReason: "error" };
        await write(sessionId, { ...idle, error: failure });
      }
      running.clear();
      for (const [key, { method, sessionId }] of asked) {
        if (turnMethods.has(method)) await closeLeftOpen(sessionId, "error");
        await toClient({ jsonrpc: "2.0", id: parsedId(key), error: failure });
      }
      asked.clear();
    },
  };
}

interface Offered {
  readonly update: SessionUpdate;
  /** The message that it came in, where it is offered as it is. */
  readonly message?: JsonObject;
  /** What stood beside the update in its message. */
  readonly around: JsonObject;
}

/** As much of a call as has to be shown before it is asked about; the question says the rest. */
function openingOf(toolCall: JsonObject, toolCallId: string): SessionUpdate {
  const { title, kind, name } = toolCall;
  return {
    ...{ sessionUpdate: "tool_call", toolCallId, status: "pending" },
    ...(typeof title === "string" ? { title } : {}),
    ...(typeof kind === "string" ? { kind } : {}),
    ...(typeof name === "string" ? { name } : {}),
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

function backgroundOf({ background }: SessionUpdate): readonly string[] {
  const works = isJsonList(background) ? background : [];
  return works.flatMap((work) => (isJsonObject(work) ? [String(work.toolCallId ?? "")] : []));
}

function parsedId(key: string): JsonValue {
  const id: unknown = JSON.parse(key);
  return typeof id === "string" || typeof id === "number" ? id : null;
}
