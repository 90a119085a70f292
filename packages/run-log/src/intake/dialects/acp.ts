/**
 * The Agent Client Protocol, v1 and v2: JSON-RPC lines of a connection, any number of sessions, with or without
 * the client's side.
 */
import { type Fields, fieldsOf, listOf, nameOf, textOf } from "../../lines/fields.js";
import type { Claim } from "../claims.js";
import { type DialectStep, type IntakeDialect, silent, type Telling, told } from "../dialect.js";
import { inputClaims } from "./acpCall.js";
import {
  type AcpSessionMemory,
  answerClaims,
  callStep,
  newSession,
  updateStep,
} from "./acpUpdates.js";
import { optionsOf } from "./endings.js";
import { remembered, userSaid } from "./shared.js";

interface Question {
  readonly session: string;
  readonly call: string;
  readonly allowing: readonly string[];
}

export interface AcpMemory {
  readonly sessions: ReadonlyMap<string, AcpSessionMemory>;
  /** Prompts that wait for their answer, by request id. */
  readonly prompts: ReadonlyMap<string, string>;
  readonly questions: ReadonlyMap<string, Question>;
  readonly agent?: string;
  /** The session that was spoken of last: an answer to an unseen prompt belongs to it. */
  readonly last?: string;
}

export const acp: IntakeDialect<AcpMemory> = {
  initial: { sessions: new Map(), prompts: new Map(), questions: new Map() },
  isOwn: ({ value }) =>
    value.jsonrpc === "2.0" &&
    (/^session\//.test(textOf(value.method) ?? "") ||
      fieldsOf(value.result)?.protocolVersion !== undefined ||
      fieldsOf(value.result)?.stopReason !== undefined),
  step(memory, { value }) {
    const method = textOf(value.method);
    const params = fieldsOf(value.params) ?? {};
    if (method === undefined) return answerStep(memory, value);
    const session = nameOf(params.sessionId);
    if (session === undefined) return silent(memory);
    const known = { ...memory, last: session };
    switch (method) {
      case "session/prompt":
        return promptStep(known, session, value, params);
      case "session/update":
        return sessionStep(known, session, fieldsOf(params.update) ?? {});
      case "session/request_permission":
        return questionStep(known, session, value, params);
      default:
        return silent(known);
    }
  },
};

function withSession(memory: AcpMemory, id: string, session: AcpSessionMemory): AcpMemory {
  return { ...memory, sessions: remembered(memory.sessions, id, session) };
}

function tellingOf(memory: AcpMemory, session: string, claims: readonly Claim[]): Telling {
  const named: readonly Claim[] =
    memory.agent === undefined ? [] : [{ type: "session", agent: memory.agent }];
  return { session, claims: [...named, ...claims] };
}

function sessionStep(memory: AcpMemory, id: string, update: Fields): DialectStep<AcpMemory> {
  const step = updateStep(memory.sessions.get(id) ?? newSession, update);
  const next = withSession(memory, id, step.memory);
  if (step.claims.length === 0) return silent(next);
  return { memory: next, tellings: [tellingOf(memory, id, step.claims)] };
}

function promptStep(
  memory: AcpMemory,
  session: string,
  value: Fields,
  params: Fields,
): DialectStep<AcpMemory> {
  const text = listOf(params.prompt)
    .map((block) => textOf(fieldsOf(block)?.text) ?? "")
    .join("");
  const known = memory.sessions.get(session) ?? newSession;
  const next = withSession(
    { ...memory, prompts: remembered(memory.prompts, String(JSON.stringify(value.id)), session) },
    session,
    { ...known, isPrompted: true },
  );
  const claims: readonly Claim[] = [{ type: "turnStarted" }, ...userSaid(text)];
  return { memory: next, tellings: [tellingOf(memory, session, claims)] };
}

function questionStep(
  memory: AcpMemory,
  session: string,
  value: Fields,
  params: Fields,
): DialectStep<AcpMemory> {
  const subject = fieldsOf(params.subject) ?? {};
  const toolCall = fieldsOf(params.toolCall) ?? fieldsOf(subject.toolCall);
  const call = nameOf(toolCall?.toolCallId);
  if (!toolCall || call === undefined) return silent(memory);
  const { status: _, ...fields } = toolCall;
  const known = memory.sessions.get(session) ?? newSession;
  const step = callStep(known, fields, call);
  const state = step.memory.calls.get(call);
  const options = optionsOf(
    listOf(params.options).map((option) => {
      const { optionId, name, kind } = fieldsOf(option) ?? {};
      return { optionId, name, kind };
    }),
  );
  const allowing = options.flatMap(({ optionId, kind }) =>
    kind.startsWith("allow") ? [optionId] : [],
  );
  const id = String(JSON.stringify(value.id));
  const reason = nameOf(params.description);
  const asked: Claim = {
    type: "approvalAsked",
    call,
    approval: `${call}-${id}`,
    options,
    ...(reason === undefined ? {} : { reason }),
  };
  const questions = remembered(memory.questions, id, { session, call, allowing });
  const given = state ? inputClaims(state, call) : [];
  return {
    memory: withSession({ ...memory, questions }, session, step.memory),
    tellings: [tellingOf(memory, session, [...step.claims, ...given, asked])],
  };
}

/** The answer to a prompt, to a question, or to something that no call is told by. */
function answerStep(memory: AcpMemory, value: Fields): DialectStep<AcpMemory> {
  const id = String(JSON.stringify(value.id));
  const result = fieldsOf(value.result) ?? {};
  const outcome = fieldsOf(result.outcome);
  const question = memory.questions.get(id);
  if (outcome && question) {
    const optionId = nameOf(outcome.optionId);
    const allowed = optionId !== undefined && question.allowing.includes(optionId);
    const chosen = optionId === undefined ? {} : { optionId };
    const claim: Claim = { type: "approvalAnswered", call: question.call, allowed, ...chosen };
    return told(memory, [claim], { session: question.session });
  }
  const agent = nameOf(fieldsOf(result.agentInfo)?.name);
  if (agent !== undefined) return silent({ ...memory, agent });
  const session = memory.prompts.get(id) ?? memory.last;
  if (session === undefined) return silent(memory);
  if (result.stopReason !== undefined) {
    const known = memory.sessions.get(session) ?? newSession;
    const next = withSession(memory, session, { ...known, isPrompted: false });
    return told(next, answerClaims(result), { session });
  }
  const error = fieldsOf(value.error);
  if (!error || !memory.prompts.has(id)) return silent(memory);
  const reason = nameOf(error.message) ?? "the prompt was answered with an error";
  return told(memory, [{ type: "turnEnded", outcome: "error", reason }], { session });
}
