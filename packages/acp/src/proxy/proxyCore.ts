/**
 * Between any editor and any agent: updates about calls go through the engine, calls that the agent leaves open are
 * closed before the turn's end, and everything else passes unchanged, in its order: pending updates are sent first. It
 * handles messages, not bytes; it starts nothing and reads no clock.
 */
import { isJsonList, isJsonObject, type JsonObject, type JsonValue } from "@callboard/run-log";
import { type AskedRequest, backgroundIn, hear, newConnection } from "@callboard/run-log/acp";
import { longestLine } from "@callboard/run-log/intake";
import type { AcpVersion } from "@callboard/run-log/projections";
import { profileOf } from "../updates/profiles.js";
import { type SessionUpdate, textItem } from "../updates/sessionUpdate.js";
import type { UpdateEngine } from "../updates/updateEngine.js";
import { isMended, isSpecial } from "../updates/updateKinds.js";
import { createCallJudge } from "./callJudge.js";
import { createCallNames } from "./callNames.js";
import { createIntroducedCalls, introducesCall } from "./introducedCalls.js";
import { askedCallOpening, mendedToolCall } from "./mendedQuestion.js";
import {
  clientNameOf,
  isTellingAnew,
  isUpdate,
  isWithinTurn,
  parsedId,
  turnMethods,
} from "./messageParts.js";
import {
  questionForClient,
  requestForAgent,
  requestForClient,
  stateForClient,
} from "./namedMessages.js";
import type { ProxyCore, ProxyCoreOptions } from "./proxyTypes.js";
import { continuesCall, createUpdateWriter, updateMessage } from "./updateWriter.js";

/** Requests whose answer ends a session on this connection. */
const closingMethods: ReadonlySet<string> = new Set(["session/close", "session/delete"]);
const internalError = -32603;

export function createProxyCore(options: ProxyCoreOptions): ProxyCore {
  const { toClient, toAgent, witness } = options;
  let connection = newConnection;
  const judge = createCallJudge();
  const names = createCallNames();
  const introductions = createIntroducedCalls();
  /** Sessions that are working, by the states of v2. */
  const running = new Set<string>();
  const writer = createUpdateWriter(toClient);
  let profile = options.profile ?? profileOf(undefined);
  let engine: UpdateEngine | undefined;
  let closedCalls = 0;

  const version = (): AcpVersion => connection.version ?? 1;

  const engineNow = (): UpdateEngine => {
    // Nothing of the agent's is cut: what fits on a line of it fits on one of ours.
    const setup = { version: version(), profile, write: writer.write, maxText: longestLine };
    engine ??= options.createEngine(setup);
    return engine;
  };

  /** Pending updates come before anything that passes unchanged. */
  function settled(sessionId: JsonValue | undefined): Promise<void> {
    return engineNow().settle(typeof sessionId === "string" ? sessionId : undefined);
  }

  function endCall(
    sessionId: string,
    toolCallId: string,
    shown: JsonObject,
    kept: JsonObject = shown,
  ): void {
    const update = { sessionUpdate: "tool_call_update", toolCallId };
    engineNow().offer(sessionId, { ...update, ...shown });
    names.ended(sessionId, toolCallId);
    witness?.passed(updateMessage(sessionId, { ...update, ...kept }), "agent");
    closedCalls += 1;
  }

  /** The client refused the only thing that it has of the call: it needs no end, a record does. */
  function endRefused(sessionId: string, toolCallId: string): void {
    engineNow().withdraw(sessionId, toolCallId);
    introductions.reported(sessionId, toolCallId);
    names.ended(sessionId, toolCallId);
    const end = { sessionUpdate: "tool_call_update", toolCallId, status: "failed" };
    witness?.passed(updateMessage(sessionId, end), "agent");
  }

  /** `excused` are calls that the agent reports as running in the background. */
  async function closeLeftOpen(
    sessionId: string,
    stopReason: string,
    excused: ReadonlySet<string> = new Set(),
  ): Promise<void> {
    const status = version() === 2 && stopReason === "cancelled" ? "cancelled" : "failed";
    for (const toolCallId of engineNow().openCalls(sessionId)) {
      if (excused.has(toolCallId)) continue;
      if (introductions.isRefused(sessionId, toolCallId)) {
        endRefused(sessionId, toolCallId);
        continue;
      }
      // A record has a word for it, whatever the client's version has.
      const kept = stopReason === "cancelled" ? "cancelled" : "failed";
      endCall(sessionId, toolCallId, { status }, { status: kept });
    }
    judge.turnEnded(sessionId);
    await settled(sessionId);
  }

  /** The calls in the background, by the client's names. */
  function goingOn(sessionId: string, end: JsonValue | undefined): ReadonlySet<string> {
    const ids = isJsonObject(end) ? backgroundIn(end) : [];
    return new Set(ids.map((id) => names.nameOf(sessionId, id)));
  }

  /** From now on the session is sent to a reader that knows nothing of it. */
  function forget(sessionId: string): void {
    engineNow().forget(sessionId);
    names.forget(sessionId);
    introductions.forget(sessionId);
    writer.forget(sessionId);
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
      await closeLeftOpen(sessionId, reason, goingOn(sessionId, body));
      running.delete(sessionId);
    } else if (isState) running.add(sessionId);
    await settled(sessionId);
    const told = stateForClient(message, names);
    witness?.passed(told, "agent");
    return toClient(told);
  }

  async function mended(
    message: JsonObject,
    sessionId: string,
    body: SessionUpdate,
    around: JsonObject,
  ): Promise<void> {
    const judged = judge.judged(sessionId, names.named(sessionId, body, version()), version());
    if (typeof judged.toolCallId === "string") introductions.reported(sessionId, judged.toolCallId);
    const hasAround = Object.keys(around).length > 0;
    const isInexact = options.isInexact?.(message) === true;
    const isWhole = isInexact && judged === body && continuesCall(engineNow(), sessionId, body);
    const isAlone = hasAround || isInexact || isSpecial(body);
    if (isAlone) await settled(sessionId);
    writer.offers(sessionId, {
      ...{ update: judged, around, isWhole },
      ...(judged === body ? { message } : {}),
    });
    const taken = engineNow().offer(sessionId, judged);
    if (taken !== "suppressed") witness?.passed(updateMessage(sessionId, judged), "agent");
    if (isAlone) {
      const whole = isWhole
        ? message
        : { ...message, params: { ...around, sessionId, update: judged } };
      // The fields around an update belong to this one alone, and are always sent.
      if (taken === "suppressed" && (isWhole || hasAround)) await toClient(whole);
      await settled(sessionId);
      writer.forget(sessionId);
    }
    await engineNow().ready(sessionId);
  }

  /** The client gets a question that is complete by itself, after its call if that is not in the question. */
  async function permission(message: JsonObject, params: JsonObject): Promise<void> {
    const { sessionId, subject } = params;
    const holder = isJsonObject(subject) ? subject : params;
    const { toolCall } = holder;
    const id = isJsonObject(toolCall) ? toolCall.toolCallId : undefined;
    if (typeof sessionId !== "string" || !isJsonObject(toolCall) || typeof id !== "string") {
      await settled(sessionId);
      return toClient(questionForClient(message, names));
    }
    const toolCallId = names.asked(sessionId, id);
    const isShown = engineNow().openCalls(sessionId).includes(toolCallId);
    const isIntroduced = !isShown && introducesCall(toolCall, profile);
    if (isIntroduced) introductions.introduced(sessionId, toolCallId);
    else if (!isShown) engineNow().offer(sessionId, askedCallOpening(toolCall, toolCallId));
    await settled(sessionId);
    const asking = mendedToolCall(toolCall, {
      toolCallId,
      fieldOf: (field) => engineNow().fieldOf(sessionId, toolCallId, field),
    });
    const named = { ...holder, toolCall: asking };
    const question =
      asking === toolCall
        ? message
        : { ...message, params: holder === params ? named : { ...params, subject: named } };
    witness?.passed(question, "agent");
    await toClient(question);
    // What was left out of a known call is with the client already.
    const { toolCallId: _, ...own } = isIntroduced ? asking : toolCall;
    const { content } = asking;
    engineNow().shown(sessionId, toolCallId, content === undefined ? own : { ...own, content });
  }

  function clientAnswered(message: JsonObject, request: AskedRequest | undefined): void {
    const question = request?.question;
    if (!question) return;
    introductions.answered(names.nameOf(question.session, question.call), question, message);
  }

  /** `isInner`: an earlier prompt of the session waits still, so its turn continues. */
  async function answer(message: JsonObject, request?: AskedRequest, isInner = false) {
    const { result, error } = message;
    const isFailed = error !== undefined;
    const sessionId = request?.session ?? "";
    const endsTurn = version() === 1 ? !isInner : isFailed && !running.has(sessionId);
    if (request && turnMethods.has(request.method) && endsTurn) {
      const stopReason = isJsonObject(result) ? result.stopReason : undefined;
      const reason = typeof stopReason === "string" ? stopReason : "end_turn";
      await closeLeftOpen(sessionId, isFailed ? "error" : reason, goingOn(sessionId, result));
    }
    const isClosing = request && closingMethods.has(request.method) && !isFailed;
    if (isClosing) await closeLeftOpen(sessionId, "cancelled");
    if (engine) await settled(request?.session);
    witness?.passed(message, "agent");
    if (isClosing) forget(sessionId);
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
      const heard = hear(connection, message, "client");
      connection = heard.connection;
      if (heard.message.type === "answer") clientAnswered(message, heard.message.request);
      if (heard.message.type === "request") {
        const { method, session: sessionId = "" } = heard.message.request;
        const fields = isJsonObject(message.params) ? message.params : {};
        if (method === "initialize") profile = options.profile ?? profileOf(clientNameOf(fields));
        if (method === "session/cancel") judge.cancelRequested(sessionId);
        if (isTellingAnew(method, fields)) forget(sessionId);
        if (method === "session/prompt") names.turnBegan(sessionId);
      }
      witness?.passed(message, "client");
      return toAgent(requestForAgent(message, names));
    },
    async fromAgent(message) {
      const waiting = connection.waiting.client;
      const heard = hear(connection, message, "agent");
      connection = heard.connection;
      if (heard.message.type === "answer") {
        const { key, request } = heard.message;
        return answer(message, request, isWithinTurn(waiting, key));
      }
      if (heard.message.type === "neither") return answer(message);
      const params = isJsonObject(message.params) ? message.params : {};
      const { method } = heard.message.request;
      if (method === "session/update") return update(message, params);
      if (method === "session/request_permission") return permission(message, params);
      if (engine) await settled(params.sessionId);
      return toClient(requestForClient(message, names));
    },
    settle: async () => engine?.settle(),
    isAsking: (sessionId) =>
      [...connection.waiting.agent.values()].some(({ session }) => session === sessionId),
    closeCall(sessionId, toolCallId, reason) {
      const content = engineNow().fieldOf(sessionId, toolCallId, "content");
      const items = isJsonList(content) ? content : [];
      endCall(sessionId, toolCallId, { status: "failed", content: [...items, textItem(reason)] });
    },
    async agentEnded(reason) {
      for (const sessionId of engineNow().sessions()) {
        if (engineNow().openCalls(sessionId).length > 0) await closeLeftOpen(sessionId, "error");
      }
      const failure = { code: internalError, message: reason };
      for (const sessionId of running) {
        const idle = { sessionUpdate: "state_update", state: "idle", stopReason: "error" };
        const update = { ...idle, error: failure };
        witness?.passed(updateMessage(sessionId, update), "agent");
        await writer.write(sessionId, update);
      }
      running.clear();
      for (const [key, { method, session = "" }] of connection.waiting.client) {
        if (turnMethods.has(method)) await closeLeftOpen(session, "error");
        const refusal = { jsonrpc: "2.0", id: parsedId(key), error: failure };
        witness?.passed(refusal, "agent");
        await toClient(refusal);
      }
      connection = { ...connection, waiting: newConnection.waiting };
    },
  };
}
