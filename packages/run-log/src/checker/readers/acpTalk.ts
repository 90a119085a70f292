/**
 * The rules for requests and answers: which side may send which request, in which session, and how a cancelled turn is
 * answered. The connection knows the open requests; other modules read what a request means for calls.
 */
import type { AcpConnection, AcpMessage, AcpRequest } from "../../lines/acp/connection.js";
import { type Fields, fieldsOf, nameOf } from "../../values/fields.js";
import { type Remark, suspicion, violation } from "../rules.js";
import { isOffered } from "./acpMessages.js";
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
  const sessions = new Set<string>();
  const closed = new Set<string>();
  const resuming = new Map<string, string>();
  const cancelled = new Map<string, { isWorking: boolean }>();
  const reported = new Set<string>();
  const terminals = createAcpTerminals();
  let capabilities: Fields | undefined;

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
    const isKnown = sessions.size === 0 || sessions.has(session);
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

  function replays({ session = "", params }: AcpRequest): readonly Remark[] {
    const kind = nameOf(fieldsOf(params.update)?.sessionUpdate) ?? "";
    const isResuming = resuming.size > 0 && [...resuming.values()].includes(session);
    if (!isResuming || !replayed.test(kind)) return [];
    return once(
      `resume ${session}`,
      violation("resume-replays", `${kind} before the resumed session's answer`),
    );
  }

  function promptRemarks(session: string, result: Fields | undefined): readonly Remark[] {
    const reason = nameOf(result?.stopReason);
    const cancel = cancelled.get(session);
    cancelled.delete(session);
    if (!cancel || reason === "cancelled" || (result && reason === undefined)) return [];
    const how = reason === undefined ? "with an error" : reason;
    const isCertain = reason === undefined || cancel.isWorking;
    const remark = isCertain ? violation : suspicion;
    return [remark("cancel-not-honoured", `the cancelled turn was answered ${how}`)];
  }

  function clientAsked(request: AcpRequest, connection: AcpConnection): readonly Remark[] {
    const { method, params, key, session = "" } = request;
    if (method === "initialize") {
      // v2 has no such capabilities.
      const isDraft = params.protocolVersion === 2;
      capabilities = isDraft ? undefined : (fieldsOf(params.clientCapabilities) ?? {});
    }
    if (method === "session/prompt") cancelled.delete(session);
    if (method === "session/cancel") {
      const isPrompted = [...connection.waiting.client.values()].some(
        (asked) => asked.method === "session/prompt" && (asked.session ?? "") === session,
      );
      if (isPrompted) cancelled.set(session, { isWorking: false });
    }
    if (naming.has(method)) {
      sessions.add(session);
      closed.delete(session);
    }
    terminals.asked(request, connection);
    const isResume = method === "session/resume" && (params.replayFrom ?? null) === null;
    if (isResume && key !== undefined) resuming.set(key, session);
    const isOfOpen = method.startsWith("session/") && !stored.has(method);
    return isOfOpen ? unknownSession(request.session, connection) : [];
  }

  function agentAsked(request: AcpRequest, connection: AcpConnection): readonly Remark[] {
    const { method, session } = request;
    const isUpdate = method === "session/update";
    const cancel = cancelled.get(session ?? "");
    if (cancel && isUpdate) cancel.isWorking = true;
    return [
      ...(isUpdate ? replays(request) : []),
      ...missingCapability(request),
      ...terminals.asked(request, connection),
      ...unknownSession(session, connection),
    ];
  }

  return {
    asked: (request, connection) =>
      request.side === "client"
        ? clientAsked(request, connection)
        : agentAsked(request, connection),
    answered(answer, { isClientHeard }) {
      const { key, asker, request, result } = answer;
      terminals.answered(answer);
      if (request === undefined) {
        const isRepeated = done.has(key);
        // Where only the agent is recorded, every answer is its own.
        if (!isClientHeard) done.add(key);
        if (!isRepeated) return [];
        return [violation("answered-twice", `request ${key} was answered before`)];
      }
      done.add(key);
      if (asker === "agent") return [];
      resuming.delete(key);
      if (closing.has(request.method) && result) closed.add(request.session ?? "");
      const created = nameOf(result?.sessionId);
      if (created !== undefined) sessions.add(created);
      const isPrompt = request.method === "session/prompt";
      return isPrompt ? promptRemarks(request.session ?? "", result) : [];
    },
    end: ({ waiting, isClientHeard }) => [
      ...[...waiting.client].map(([key, { method }]) =>
        unanswered(key, method, method === "session/prompt"),
      ),
      ...[...waiting.agent]
        .filter(() => isClientHeard)
        .map(([key, { method }]) => unanswered(key, method, false)),
    ],
  };
}

function unanswered(key: string, method: string, isCertain: boolean): Remark {
  const remark = isCertain ? violation : suspicion;
  return remark("request-unanswered", `${method} (id ${key}) was never answered`);
}
