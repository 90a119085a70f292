/**
 * The Agent Client Protocol, v1 and v2: JSON-RPC lines of a connection, any number of sessions, with or without
 * the client's side.
 */

import {
  type AcpConnection,
  type AcpMessage,
  type AcpRequest,
  hear,
  newConnection,
} from "../../lines/acp/connection.js";
import { askedCallIn, isAllowed, questionIn } from "../../lines/acp/question.js";
import { type Fields, fieldsOf, listOf, nameOf, textOf } from "../../values/fields.js";
import { withoutUndefined } from "../../values/optional.js";
import type { Claim } from "../claims.js";
import {
  type DialectStep,
  type IntakeDialect,
  silent,
  stepWithClaims,
  type Telling,
} from "../dialect.js";
import { inputClaims } from "./acpCall.js";
import { promptInputOf } from "./acpPrompt.js";
import {
  type AcpSessionMemory,
  acpCallStep,
  answerClaims,
  newSession,
  updateStep,
} from "./acpUpdates.js";
import { optionsOf } from "./endings.js";
import { remembered } from "./shared.js";

export interface AcpMemory {
  readonly connection: AcpConnection;
  readonly sessions: ReadonlyMap<string, AcpSessionMemory>;
  /** The session that was named last: an answer to an unseen prompt belongs to it. */
  readonly last?: string;
}

export const acp: IntakeDialect<AcpMemory> = {
  initial: { connection: newConnection, sessions: new Map() },
  isOwn: ({ value }) =>
    value.jsonrpc === "2.0" &&
    (/^session\//.test(textOf(value.method) ?? "") ||
      fieldsOf(value.result)?.protocolVersion !== undefined ||
      fieldsOf(value.result)?.stopReason !== undefined),
  step(memory, { value, isSent }) {
    const side = isSent === true ? "client" : undefined;
    const { connection, message } = hear(memory.connection, value, side);
    const next = { ...memory, connection };
    switch (message.type) {
      case "request":
        return requestStep(next, message.request);
      case "answer":
        return answerStep(next, message);
      case "neither":
        return silent(next);
      default:
        return message satisfies never;
    }
  },
};

function requestStep(memory: AcpMemory, request: AcpRequest): DialectStep<AcpMemory> {
  const { session, params } = request;
  if (session === undefined) return silent(memory);
  const known = { ...memory, last: session };
  switch (request.method) {
    case "session/prompt":
      return promptStep(known, session, params);
    case "session/update":
      return sessionStep(known, session, fieldsOf(params.update) ?? {});
    case "session/request_permission":
      return questionStep(known, request);
    default:
      return silent(known);
  }
}

function withSession(memory: AcpMemory, id: string, session: AcpSessionMemory): AcpMemory {
  return { ...memory, sessions: remembered(memory.sessions, id, session) };
}

function tellingOf(memory: AcpMemory, session: string, claims: readonly Claim[]): Telling {
  const { agent } = memory.connection;
  const named: readonly Claim[] = agent === undefined ? [] : [{ type: "session", agent }];
  return { session, claims: [...named, ...claims] };
}

function sessionStep(memory: AcpMemory, id: string, update: Fields): DialectStep<AcpMemory> {
  const step = updateStep(memory.sessions.get(id) ?? newSession, update);
  const next = withSession(memory, id, step.memory);
  if (step.claims.length === 0) return silent(next);
  return { memory: next, tellings: [tellingOf(memory, id, step.claims)] };
}

function promptStep(memory: AcpMemory, session: string, params: Fields): DialectStep<AcpMemory> {
  const known = memory.sessions.get(session) ?? newSession;
  const next = withSession(memory, session, { ...known, isPrompted: true });
  const { text, images } = promptInputOf(listOf(params.prompt));
  const role = "user";
  const claims: readonly Claim[] = [
    { type: "turnStarted" },
    { type: "messageOpened", role },
    ...(text === "" && images.length > 0
      ? []
      : [{ type: "textSaid", kind: "text", text, role } as const]),
    ...images.map((image): Claim => ({ type: "imageShown", image, role })),
    { type: "messageEnded", role },
  ];
  return { memory: next, tellings: [tellingOf(memory, session, claims)] };
}

function questionStep(memory: AcpMemory, { params, key = "" }: AcpRequest): DialectStep<AcpMemory> {
  const question = questionIn(params);
  if (!question) return silent(memory);
  const { session, call } = question;
  const { status: _, ...fields } = askedCallIn(params) ?? {};
  const step = acpCallStep(memory.sessions.get(session) ?? newSession, fields, call);
  const state = step.memory.calls.get(call);
  const options = optionsOf(
    listOf(params.options).map((option) => {
      const { optionId, name, kind } = fieldsOf(option) ?? {};
      return { optionId, name, kind };
    }),
  );
  const reason = nameOf(params.description);
  const asked: Claim = {
    type: "approvalAsked",
    call,
    approval: `${call}-${key}`,
    options,
    ...withoutUndefined({ reason }),
  };
  const given = state ? inputClaims(state, call) : [];
  return {
    memory: withSession(memory, session, step.memory),
    tellings: [tellingOf(memory, session, [...step.claims, ...given, asked])],
  };
}

/** The answer to a prompt, to a question, or to a request that concerns no call. */
function answerStep(
  memory: AcpMemory,
  { request, result = {}, error }: Extract<AcpMessage, { type: "answer" }>,
): DialectStep<AcpMemory> {
  const outcome = fieldsOf(result.outcome);
  const question = request?.question;
  if (outcome && question) {
    const optionId = nameOf(outcome.optionId);
    const claim: Claim = {
      type: "approvalAnswered",
      call: question.call,
      allowed: isAllowed(question, outcome),
      ...withoutUndefined({ optionId }),
    };
    return stepWithClaims(memory, [claim], { session: question.session });
  }
  const isPrompt = request?.method === "session/prompt";
  const session = (isPrompt ? request.session : undefined) ?? memory.last;
  if (session === undefined) return silent(memory);
  // On v2 a prompt is answered when it is taken, not when its turn is over.
  const isEnd = isPrompt && memory.connection.version !== 2;
  if (result.stopReason !== undefined || (isEnd && error === undefined)) {
    const known = memory.sessions.get(session) ?? newSession;
    const next = withSession(memory, session, { ...known, isPrompted: false });
    return stepWithClaims(next, answerClaims(result), { session });
  }
  if (!error || !isPrompt) return silent(memory);
  const reason = nameOf(error.message) ?? "the prompt was answered with an error";
  return stepWithClaims(memory, [{ type: "turnEnded", outcome: "error", reason }], { session });
}
