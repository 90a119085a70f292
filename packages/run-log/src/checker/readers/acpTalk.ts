/**
 * The rules for requests and answers: which side may send which request, in which session, and how a cancelled turn is
 * answered. The connection knows the open requests; other modules read what a request means for calls.
 */
import type {
  AcpConnection,
  AcpMessage,
  AcpRequest,
  AskedRequest,
} from "../../lines/acp/connection.js";
import { agentMethods, clientMethods } from "../../lines/acp/methods.js";
import { type Fields, fieldsOf, listOf, nameOf } from "../../values/fields.js";
import { type Remark, suspicion, violation } from "../rules.js";
import { createAcpCancels } from "./acpCancels.js";
import { isOffered, isOfferedByAgent } from "./acpMessages.js";
import { createAcpTerminals } from "./acpTerminals.js";

type Answer = Extract<AcpMessage, { type: "answer" }>;

export interface AcpTalk {
  /** `connection` is the one that received it. */
  asked(request: AcpRequest, connection: AcpConnection): readonly Remark[];
  answered(answer: Answer, connection: AcpConnection): readonly Remark[];
  end(connection: AcpConnection): readonly Remark[];
}

/** Methods that make a session known on a connection, before they are answered. */
const naming: ReadonlySet<string> = new Set([
  "session/load",
  "session/resume",
  "session/close",
  "session/delete",
]);
/** Methods for stored sessions, which need not be open on the connection. */
const stored: ReadonlySet<string> = new Set(["session/fork", "session/set_title"]);
/** Methods whose answer makes a session unknown again. */
const closing: ReadonlySet<string> = new Set(["session/close", "session/delete"]);
/** The updates of a session that are allowed while it is resumed; any other would be a replay. */
const replayed = /^(?:tool_call|terminal_|user_message|agent_message|agent_thought|plan)/;

export function createAcpTalk(): AcpTalk {
  const done = new Set<string>();
  /** The ids of requests that no side is known to send: an answer may belong to one of them. */
  const extensions = new Set<string>();
  const sessions = new Set<string>();
  const closed = new Set<string>();
  const resuming = new Map<string, string>();
  /** Resumed sessions without a prompt since. */
  const resumed = new Set<string>();
  const cancels = createAcpCancels();
  const reported = new Set<string>();
  const terminals = createAcpTerminals();
  /** The modes that the agent offered, by session. */
  const modes = new Map<string, ReadonlySet<string>>();
  let capabilities: Fields | undefined;
  let agentCapabilities: Fields | undefined;
  /** The recording has the start of the connection, so every session is known. */
  let isWhole = false;
  let isTalking = false;

  function once(key: string, remark: Remark): readonly Remark[] {
    if (reported.has(key)) return [];
    reported.add(key);
    return [remark];
  }

  function unknownSession(
    session: string | undefined,
    { isClientHeard }: AcpConnection,
  ): readonly Remark[] {
    if (session === undefined || !isClientHeard) return [];
    const isKnown = (sessions.size === 0 && !isWhole) || sessions.has(session);
    if (isKnown && !closed.has(session)) return [];
    const how = closed.has(session) ? "was closed before" : "was neither created nor loaded";
    const message = `session ${session} ${how}`;
    return once(`session ${session}`, violation("unknown-session", message));
  }

  function missingCapability(request: AcpRequest): readonly Remark[] {
    if (capabilities === undefined || isOffered(request, capabilities)) return [];
    const { method } = request;
    const message = `the client did not declare that it can ${method}`;
    return once(`capability ${method}`, violation("capability-not-given", message));
  }

  function notOffered(request: AcpRequest): readonly Remark[] {
    if (agentCapabilities === undefined || isOfferedByAgent(request, agentCapabilities)) return [];
    const { method } = request;
    const message = `the agent did not say that it can ${method} in this way`;
    return once(`agent's capability ${method}`, violation("capability-not-given", message));
  }

  function unknownMode(
    session: string,
    { sessionUpdate, currentModeId }: Fields,
  ): readonly Remark[] {
    const mode = sessionUpdate === "current_mode_update" ? nameOf(currentModeId) : undefined;
    if (mode === undefined || (modes.get(session)?.has(mode) ?? true)) return [];
    return [violation("unknown-value", `the mode ${mode} was not offered`)];
  }

  function questionAnswered(
    key: string,
    { session = "", question }: AskedRequest,
    result: Fields | undefined,
  ): readonly Remark[] {
    if (!question) return [];
    const chosen = nameOf(fieldsOf(result?.outcome)?.optionId);
    const isOffered = chosen === undefined || question.offered.has(chosen);
    return [
      ...(isOffered
        ? []
        : [violation("approval-mismatch", `${chosen} was chosen, which was not offered`)]),
      ...cancels.answered(session, key, result),
    ];
  }

  function replays({ session = "", params }: AcpRequest): readonly Remark[] {
    const kind = nameOf(fieldsOf(params.update)?.sessionUpdate) ?? "";
    const isResuming = resuming.size > 0 && [...resuming.values()].includes(session);
    if (isResuming && replayed.test(kind)) {
      const message = `${kind} before the resumed session's answer`;
      return once(`resume ${session}`, violation("resume-replays", message));
    }
    if (!resumed.has(session) || !/^user_message/.test(kind)) return [];
    const message = `${kind} of a resumed session before its next prompt`;
    return once(`resume ${session}`, suspicion("resume-replays", message));
  }

  function clientAsked(request: AcpRequest, connection: AcpConnection): readonly Remark[] {
    const { method, params, key, session = "" } = request;
    const start: Remark[] = [];
    if (method === "initialize") {
      // v2 has no such capabilities.
      const isDraft = params.protocolVersion === 2;
      capabilities = isDraft ? undefined : (fieldsOf(params.clientCapabilities) ?? {});
      if (isWhole) start.push(violation("started-twice", "the connection is initialized again"));
      else if (isTalking) start.push(violation("missing-start", "a request before initialize"));
      isWhole = !isTalking;
    }
    isTalking = true;
    if (method === "session/prompt") {
      cancels.prompted(session);
      resumed.delete(session);
    }
    if (method === "session/cancel") cancels.cancelled(session, connection);
    if (naming.has(method)) {
      sessions.add(session);
      closed.delete(session);
    }
    terminals.asked(request, connection);
    const isResume = method === "session/resume" && (params.replayFrom ?? null) === null;
    if (isResume && key !== undefined) resuming.set(key, session);
    const isOfOpen = method.startsWith("session/") && !stored.has(method);
    return [
      ...start,
      ...notOffered(request),
      ...(isOfOpen ? unknownSession(request.session, connection) : []),
    ];
  }

  function agentAsked(request: AcpRequest, connection: AcpConnection): readonly Remark[] {
    const { method, params, session } = request;
    const isUpdate = method === "session/update";
    const update = isUpdate ? (fieldsOf(params.update) ?? {}) : {};
    return [
      ...(isUpdate ? replays(request) : []),
      ...(isUpdate ? unknownMode(session ?? "", update) : []),
      ...(isUpdate && connection.isClientHeard ? cancels.updated(session ?? "", update) : []),
      ...missingCapability(request),
      ...terminals.asked(request, connection),
      ...unknownSession(session, connection),
    ];
  }

  return {
    asked(request, connection) {
      const { side, method, key, session = "" } = request;
      if (!agentMethods.has(method) && !clientMethods.has(method)) {
        if (key !== undefined) extensions.add(key);
        if (method.startsWith("_")) cancels.extended(session);
      }
      return side === "client" ? clientAsked(request, connection) : agentAsked(request, connection);
    },
    answered(answer, { isClientHeard }) {
      const { key, asker, request, result } = answer;
      terminals.answered(answer);
      if (request === undefined) {
        const isRepeated = done.has(key);
        // Where only the agent is recorded, every answer is its own.
        if (!isClientHeard) done.add(key);
        if (isRepeated) {
          return [violation("answered-twice", `request ${key} was answered before`)];
        }
        if (!isWhole || extensions.has(key)) return [];
        return [violation("answer-without-request", `nobody asked what ${key} answers`)];
      }
      done.add(key);
      const session = request.session ?? "";
      if (asker === "agent") return questionAnswered(key, request, result);
      if (resuming.delete(key) && result) resumed.add(session);
      if (request.method === "initialize") {
        agentCapabilities = fieldsOf(result?.agentCapabilities);
      }
      if (closing.has(request.method) && result) closed.add(session);
      const created = nameOf(result?.sessionId);
      if (created !== undefined) sessions.add(created);
      const offered = listOf(fieldsOf(result?.modes)?.availableModes);
      const ids = offered.flatMap((mode) => nameOf(fieldsOf(mode)?.id) ?? []);
      if (ids.length > 0) modes.set(created ?? session, new Set(ids));
      const isPrompt = request.method === "session/prompt";
      return isPrompt ? cancels.promptAnswered(session, result) : [];
    },
    end: ({ waiting, isClientHeard }) => [
      ...[...waiting.client].map(([key, { method }]) =>
        unanswered(key, method, method === "session/prompt"),
      ),
      ...[...waiting.agent]
        .filter(() => isClientHeard)
        .map(([key, { method }]) => unanswered(key, method, false)),
      ...[...cancels.working()].map((session) =>
        violation("request-unanswered", `the turn of session ${session} never became idle`),
      ),
      ...terminals.end(),
    ],
  };
}

function unanswered(key: string, method: string, isCertain: boolean): Remark {
  const remark = isCertain ? violation : suspicion;
  return remark("request-unanswered", `${method} (id ${key}) was never answered`);
}
