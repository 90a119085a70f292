/**
 * Reads an ACP connection: raw JSON-RPC lines or `{ t, m }` recordings, v1 and v2, any number of
 * sessions, one direction or both. It finds out which session a line is about; what the line says of
 * calls is read by `acpSession.ts`.
 */
import {
  type Fields,
  fieldsOf,
  isFields,
  listOf,
  nameOf,
  numberOf,
  textOf,
} from "../../lines/fields.js";
import {
  type CallRef,
  type DialectFacts,
  nothing,
  observed,
  type Reader,
  type Reading,
  remarked,
} from "../observations.js";
import { type Remark, suspicion, violation } from "../rules.js";
import { agentMethods, clientMethods } from "./acpMethods.js";
import {
  type AcpSession,
  createAcpSession,
  onlyV1,
  onlyV2,
  stopReasonRemarks,
  turnEnded,
} from "./acpSession.js";
import type { Spoken } from "./acpShapes.js";
import { type AskedRequest, createAcpTalk } from "./acpTalk.js";

export const acpFacts: DialectFacts = {
  startRequired: false,
  endRequired: false,
  inputIsClosed: false,
};

export function isAcpLine(value: Fields): boolean {
  return messageOf(value).jsonrpc === "2.0";
}

interface Question {
  readonly call: CallRef;
  readonly allowing: ReadonlySet<string>;
}

export function createAcpReader(): Reader {
  const sessions = new Map<string, AcpSession>();
  /** Sessions that said something since their last turn ended. */
  const active = new Set<string>();
  const talk = createAcpTalk();
  const questions = new Map<string, Question>();
  const unknown = new Set<string>();
  let version: 1 | 2 | undefined;
  /** Whether the connection said which version it speaks. */
  let isSure = false;

  const spoken = (): Spoken => ({ version: version ?? 1, isSure });

  const sessionOf = (id: string): AcpSession => {
    const session = sessions.get(id) ?? createAcpSession(id);
    sessions.set(id, session);
    active.add(id);
    return session;
  };

  const update = (params: Fields): Reading => {
    const id = nameOf(params.sessionId);
    const body = fieldsOf(params.update);
    if (id === undefined) return missing("a session update", "sessionId");
    if (body === undefined) return missing("a session update", "update");
    const kind = textOf(body.sessionUpdate) ?? "";
    if (onlyV1.has(kind)) version ??= 1;
    if (onlyV2.has(kind)) version ??= 2;
    const reading = sessionOf(id).read(body, spoken());
    return withRemarks(reading, otherVersion(kind));
  };

  const otherVersion = (kind: string): readonly Remark[] => {
    const isWrong = isSure && (version === 1 ? onlyV2 : onlyV1).has(kind);
    if (!isWrong || unknown.has(kind)) return [];
    unknown.add(kind);
    return [violation("wrong-version", `${kind} is not of v${version}`)];
  };

  const permission = (params: Fields, requestId: unknown): Reading => {
    const scope = nameOf(params.sessionId);
    if (scope === undefined) return missing("a permission request", "sessionId");
    const subject = fieldsOf(params.subject);
    const toolCall = fieldsOf(params.toolCall) ?? fieldsOf(subject?.toolCall) ?? subject;
    const id = nameOf(toolCall?.toolCallId);
    if (id !== undefined) {
      const allowing = allowingOptions(params.options);
      questions.set(JSON.stringify(requestId), { call: { scope, id }, allowing });
    }
    if (toolCall === undefined || (subject === toolCall && id === undefined)) return nothing;
    return sessionOf(scope).readPermission(toolCall, version ?? 1, talk.isClientRecorded);
  };

  const request = (method: string, message: Fields): Reading => {
    const params = fieldsOf(message.params) ?? {};
    if (clientMethods.has(method)) {
      const remarks = talk.clientAsked(method, params, message.id);
      return withRemarks(clientRequest(method, params), remarks);
    }
    const remarks = talk.agentAsked(method, params, message.id);
    return withRemarks(agentRequest(method, params, message.id), remarks);
  };

  const agentRequest = (method: string, params: Fields, id: unknown): Reading => {
    if (method === "session/update") return update(params);
    if (method === "session/request_permission") return permission(params, id);
    if (agentMethods.has(method) || /^[_$]/.test(method) || unknown.has(method)) return nothing;
    unknown.add(method);
    return remarked(suspicion("unknown-type", `unknown method ${method}`));
  };

  const clientRequest = (method: string, params: Fields): Reading => {
    const session = nameOf(params.sessionId) ?? "";
    if (method === "session/cancel") {
      return observed({ type: "turn.cancelRequested", scope: session });
    }
    const isTurn = method === "session/prompt" || method === "session/load";
    return isTurn ? observed({ type: "turn.started", scope: session }) : nothing;
  };

  const answer = (message: Fields): Reading => {
    const { request: question, remarks } = talk.answered(message);
    return withRemarks(answerOf(message, question), remarks);
  };

  const answerOf = (message: Fields, question: AskedRequest | undefined): Reading => {
    const key = JSON.stringify(message.id);
    const result = fieldsOf(message.result);
    const outcome = fieldsOf(result?.outcome);
    if (outcome) return permissionAnswer(key, outcome);
    const said = numberOf(result?.protocolVersion);
    if (said === 1 || said === 2) {
      version = said;
      isSure = true;
    }
    const stopReason = nameOf(result?.stopReason);
    if (stopReason !== undefined) {
      const reading = promptAnswer(question?.session, stopReason);
      return withRemarks(reading, stopReasonRemarks(stopReason, version ?? 1));
    }
    if (question?.method === "session/load")
      return observed(turnEnded(question.session, undefined));
    if (question?.method === "session/prompt" && isFields(message.error)) {
      return observed(turnEnded(question.session, "error"));
    }
    return sessionAnswer(nameOf(result?.sessionId));
  };

  const permissionAnswer = (key: string, outcome: Fields): Reading => {
    const question = questions.get(key);
    questions.delete(key);
    if (!question) return nothing;
    const option = textOf(outcome.optionId) ?? "";
    const allowed = outcome.outcome === "selected" && question.allowing.has(option);
    return observed({ type: "call.approval.answered", call: question.call, allowed });
  };

  /** Without the client's side the answer names no session; it is told by who was active. */
  const promptAnswer = (asker: string | undefined, stopReason: string): Reading => {
    const candidates = active.size > 0 ? active : new Set(sessions.keys());
    const [only] = candidates;
    const session = asker ?? (candidates.size === 1 ? only : undefined);
    if (session === undefined) {
      if (candidates.size === 0) return nothing;
      const message = `${candidates.size} sessions are active and the answer names none`;
      return remarked(suspicion("unattributable-answer", message));
    }
    active.delete(session);
    return observed(turnEnded(session, stopReason));
  };

  const sessionAnswer = (id: string | undefined): Reading => {
    if (id === undefined) return nothing;
    if (!sessions.has(id)) {
      sessions.set(id, createAcpSession(id));
      return nothing;
    }
    return remarked(violation("update-before-session", `session ${id} was already updated`));
  };

  return {
    read(payload) {
      if (payload.type === "done") return nothing;
      const message = messageOf(payload.value);
      const method = nameOf(message.method);
      if (method !== undefined) return request(method, message);
      if ("result" in message || "error" in message) return answer(message);
      return remarked(violation("missing-field", "neither method nor result nor error"));
    },
    end: () => [],
    endRemarks: () => talk.end(),
  };
}

function withRemarks(reading: Reading, remarks: readonly Remark[]): Reading {
  if (remarks.length === 0) return reading;
  return { observations: reading.observations, remarks: [...remarks, ...reading.remarks] };
}

function messageOf(value: Fields): Fields {
  return "jsonrpc" in value ? value : (fieldsOf(value.m) ?? value);
}

function missing(what: string, field: string): Reading {
  return remarked(violation("missing-field", `${what} without ${field}`));
}

function allowingOptions(options: unknown): ReadonlySet<string> {
  return new Set(
    listOf(options).flatMap((item) => {
      const option = fieldsOf(item) ?? {};
      const isAllowing = textOf(option.kind)?.startsWith("allow") ?? false;
      return isAllowing ? (nameOf(option.optionId) ?? []) : [];
    }),
  );
}
