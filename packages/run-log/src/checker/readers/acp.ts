/**
 * Reads an ACP connection: raw JSON-RPC lines or `{ t, m }` recordings, v1 and v2, any number of sessions, one direction
 * or both. It finds the session of a line; `acpSession.ts` reads what the line contains about calls.
 */
import {
  type AcpConnection,
  type AcpMessage,
  type AcpRequest,
  hear,
  isAcpMessage,
  type KnownVersion,
  newConnection,
} from "../../lines/acp/connection.js";
import { agentMethods, clientMethods } from "../../lines/acp/methods.js";
import { type AcpQuestion, askedCallIn, isAllowed } from "../../lines/acp/question.js";
import { type Fields, fieldsOf, nameOf, textOf } from "../../values/fields.js";
import {
  type DialectFacts,
  type Excuse,
  missing,
  nothing,
  observed,
  type Reader,
  type Reading,
  remarked,
} from "../observations.js";
import { type Remark, suspicion, violation } from "../rules.js";
import {
  answerFormRemarks,
  questionFormRemarks,
  requestFormRemarks,
  updateFormRemarks,
  versionRemarks,
} from "./acpForms.js";
import { questionRemarks, updateRemarks } from "./acpMessages.js";
import {
  type AcpSession,
  createAcpSession,
  excuseOf,
  onlyV1,
  onlyV2,
  stopReasonRemarks,
  turnEnded,
} from "./acpSession.js";
import type { Spoken } from "./acpShapes.js";
import { createAcpTalk } from "./acpTalk.js";

type Answer = Extract<AcpMessage, { type: "answer" }>;

export const acpFacts: DialectFacts = {
  startRequired: false,
  endRequired: false,
  inputIsClosed: false,
};

export function isAcpLine(value: Fields): boolean {
  return isAcpMessage(jsonRpcMessageOf(value));
}

export function createAcpReader(): Reader {
  const sessions = new Map<string, AcpSession>();
  /** Sessions with a line since their last turn ended. */
  const active = new Set<string>();
  const talk = createAcpTalk();
  const unknown = new Set<string>();
  let connection = newConnection;
  /** The version that the kinds of updates imply, if the connection never named one. */
  let guessed: KnownVersion | undefined;

  const versionNow = (): KnownVersion => connection.version ?? guessed ?? 1;
  const spoken = (): Spoken => {
    return { version: versionNow(), isSure: connection.version !== undefined };
  };

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
    if (onlyV1.has(kind)) guessed ??= 1;
    if (onlyV2.has(kind)) guessed ??= 2;
    const reading = sessionOf(id).read(body, spoken());
    return withRemarks(reading, [
      ...otherVersion(kind),
      ...updateFormRemarks(body, versionNow()),
      ...updateRemarks(body, versionNow()),
    ]);
  };

  const otherVersion = (kind: string): readonly Remark[] => {
    const { version } = connection;
    const isWrong = version !== undefined && (version === 1 ? onlyV2 : onlyV1).has(kind);
    if (!isWrong || unknown.has(kind)) return [];
    unknown.add(kind);
    return [violation("wrong-version", `${kind} is not of v${version}`)];
  };

  const permission = (params: Fields): Reading => {
    const scope = nameOf(params.sessionId);
    if (scope === undefined) return missing("a permission request", "sessionId");
    const toolCall = askedCallIn(params);
    const remarks = [
      ...questionRemarks(params, versionNow()),
      ...questionFormRemarks(params, versionNow()),
    ];
    if (toolCall === undefined) return { observations: [], remarks };
    const isHeard = connection.isClientHeard;
    return withRemarks(sessionOf(scope).readPermission(toolCall, versionNow(), isHeard), remarks);
  };

  const requestRead = (request: AcpRequest): Reading => {
    const reading = request.side === "client" ? clientRequest(request) : agentRequest(request);
    return withRemarks(reading, [
      ...requestFormRemarks(request, spoken()),
      ...talk.asked(request, connection),
    ]);
  };

  const agentRequest = ({ method, params }: AcpRequest): Reading => {
    if (method === "session/update") return update(params);
    if (method === "session/request_permission") return permission(params);
    if (agentMethods.has(method) || /^[_$]/.test(method) || unknown.has(method)) return nothing;
    unknown.add(method);
    return remarked(suspicion("unknown-type", `unknown method ${method}`));
  };

  const clientRequest = ({ method, session: scope = "" }: AcpRequest): Reading => {
    if (method === "session/cancel") return observed({ type: "turn.cancelRequested", scope });
    const isTurn = method === "session/prompt" || method === "session/load";
    return isTurn ? observed({ type: "turn.started", scope }) : nothing;
  };

  const answerRead = ({ request, result, error }: Answer): Reading => {
    const outcome = fieldsOf(result?.outcome);
    if (outcome) return permissionAnswer(request?.question, outcome);
    const stopReason = nameOf(result?.stopReason);
    const session = request?.session ?? "";
    if (stopReason !== undefined) {
      const reading = promptAnswer(request?.session, stopReason, excuseOf(result ?? {}));
      return withRemarks(reading, stopReasonRemarks(stopReason, versionNow()));
    }
    if (request?.method === "session/load") return observed(turnEnded(session, undefined));
    if (request?.method === "session/prompt" && error) return observed(turnEnded(session, "error"));
    return sessionAnswer(nameOf(result?.sessionId));
  };

  const permissionAnswer = (question: AcpQuestion | undefined, outcome: Fields): Reading => {
    if (!question) return nothing;
    const call = { scope: question.session, id: question.call };
    const allowed = isAllowed(question, outcome);
    return observed({ type: "call.approval.answered", call, allowed });
  };

  /** Without the lines of the client, the answer names no session; the session that was active last is used. */
  const promptAnswer = (asker: string | undefined, stopReason: string, excuse: Excuse): Reading => {
    const candidates = active.size > 0 ? active : new Set(sessions.keys());
    const [only] = candidates;
    const session = asker ?? (candidates.size === 1 ? only : undefined);
    if (session === undefined) {
      if (candidates.size === 0) return nothing;
      const message = `${candidates.size} sessions are active and the answer names none`;
      return remarked(suspicion("unattributable-answer", message));
    }
    active.delete(session);
    return observed(turnEnded(session, stopReason, excuse));
  };

  const sessionAnswer = (id: string | undefined): Reading => {
    if (id === undefined) return nothing;
    if (!sessions.has(id)) {
      sessions.set(id, createAcpSession(id));
      return nothing;
    }
    return remarked(violation("update-before-session", `session ${id} was already updated`));
  };

  /** Where only one side is recorded, its requests seem to wait for ever. */
  const reusedId = (
    { side, key, method }: AcpRequest,
    waiting: AcpConnection["waiting"],
  ): readonly Remark[] => {
    const other = key === undefined ? undefined : waiting[side].get(key)?.method;
    const known = side === "client" ? clientMethods : agentMethods;
    if (!connection.isClientHeard || other === undefined) return [];
    if (!known.has(method) || !known.has(other)) return [];
    return [violation("id-reused", `${method} has the id ${key} of a request that waits still`)];
  };

  return {
    read(payload) {
      if (payload.type === "done") return nothing;
      const value = jsonRpcMessageOf(payload.value);
      const { waiting } = connection;
      const heard = hear(connection, value);
      const { message } = heard;
      connection = heard.connection;
      switch (message.type) {
        case "request":
          return withRemarks(requestRead(message.request), [
            ...versionRemarks(value),
            ...reusedId(message.request, waiting),
          ]);
        case "answer":
          return withRemarks(answerRead(message), [
            ...versionRemarks(value),
            ...talk.answered(message, connection),
            ...answerFormRemarks(value, message.request, versionNow()),
          ]);
        case "neither":
          return remarked(violation("missing-field", "neither method nor result nor error"));
        default:
          return message satisfies never;
      }
    },
    end: () => [],
    endRemarks: () => talk.end(connection),
  };
}

function withRemarks(reading: Reading, remarks: readonly Remark[]): Reading {
  if (remarks.length === 0) return reading;
  return { observations: reading.observations, remarks: [...remarks, ...reading.remarks] };
}

function jsonRpcMessageOf(value: Fields): Fields {
  return "jsonrpc" in value ? value : (fieldsOf(value.m) ?? value);
}
