/**
 * Requests and answers of both sides: which wait, which were answered, what the client can do, which
 * sessions there are. What a request means for calls is read elsewhere.
 */
import { type Fields, fieldsOf, nameOf } from "../../lines/fields.js";
import { type Remark, suspicion, violation } from "../rules.js";

export interface AskedRequest {
  readonly method: string;
  readonly session: string;
}

export interface AcpTalk {
  /** A request or notification of the client. */
  clientAsked(method: string, params: Fields, id: unknown): readonly Remark[];
  /** One of the agent, `session/update` among them. */
  agentAsked(method: string, params: Fields, id: unknown): readonly Remark[];
  /** Whose answer it is: the request that it ends, if one waits for it. */
  answered(message: Fields): {
    readonly request?: AskedRequest;
    readonly remarks: readonly Remark[];
  };
  /** Whether the client's side is in the recording. */
  readonly isClientRecorded: boolean;
  end(): readonly Remark[];
}

/** Methods by which a session begins to be known on a connection, before they are answered. */
const naming: ReadonlySet<string> = new Set([
  "session/load",
  "session/resume",
  "session/close",
  "session/delete",
]);
/** What a resumed session says while it is resumed; anything else would be a replay. */
const replayed = /^(?:tool_call|terminal_|user_message|agent_message|agent_thought|plan)/;

export function createAcpTalk(): AcpTalk {
  const ofClient = new Map<string, AskedRequest>();
  const ofAgent = new Map<string, AskedRequest>();
  const done = new Set<string>();
  const sessions = new Set<string>();
  const resuming = new Map<string, string>();
  const cancelled = new Map<string, { isWorking: boolean }>();
  const reported = new Set<string>();
  let capabilities: Fields | undefined;
  let isClientRecorded = false;

  function once(key: string, remark: Remark): readonly Remark[] {
    if (reported.has(key)) return [];
    reported.add(key);
    return [remark];
  }

  function unknownSession(session: string): readonly Remark[] {
    const isKnown = sessions.size === 0 || session === "" || sessions.has(session);
    if (isKnown || !isClientRecorded) return [];
    const message = `session ${session} was neither created nor loaded`;
    return once(`session ${session}`, violation("unknown-session", message));
  }

  function missingCapability(method: string): readonly Remark[] {
    if (capabilities === undefined) return [];
    const fs = fieldsOf(capabilities.fs) ?? {};
    const isGiven =
      method === "fs/read_text_file"
        ? fs.readTextFile === true
        : method === "fs/write_text_file"
          ? fs.writeTextFile === true
          : method.startsWith("terminal/")
            ? capabilities.terminal === true
            : true;
    if (isGiven) return [];
    const message = `the client did not say that it can ${method}`;
    return once(`capability ${method}`, violation("capability-not-given", message));
  }

  function replays(session: string, params: Fields): readonly Remark[] {
    const kind = nameOf(fieldsOf(params.update)?.sessionUpdate) ?? "";
    const isResuming = [...resuming.values()].includes(session);
    if (!isResuming || !replayed.test(kind)) return [];
    return once(
      `resume ${session}`,
      violation("resume-replays", `${kind} before the resumed session's answer`),
    );
  }

  function promptRemarks(request: AskedRequest, message: Fields): readonly Remark[] {
    const result = fieldsOf(message.result);
    const reason = nameOf(result?.stopReason);
    const cancel = cancelled.get(request.session);
    cancelled.delete(request.session);
    if (!cancel || reason === "cancelled" || (result && reason === undefined)) return [];
    const how = reason === undefined ? "with an error" : reason;
    const isCertain = reason === undefined || cancel.isWorking;
    const remark = isCertain ? violation : suspicion;
    return [remark("cancel-not-honoured", `the cancelled turn was answered ${how}`)];
  }

  return {
    get isClientRecorded() {
      return isClientRecorded;
    },
    clientAsked(method, params, id) {
      isClientRecorded = true;
      const session = nameOf(params.sessionId) ?? "";
      const key = JSON.stringify(id);
      if (id !== undefined) ofClient.set(key, { method, session });
      if (method === "initialize") capabilities = fieldsOf(params.clientCapabilities) ?? {};
      if (method === "initialize" && params.protocolVersion === 2) capabilities = undefined;
      if (method === "session/prompt") cancelled.delete(session);
      if (method === "session/cancel") {
        const isPrompted = [...ofClient.values()].some(
          (asked) => asked.method === "session/prompt" && asked.session === session,
        );
        if (isPrompted) cancelled.set(session, { isWorking: false });
      }
      if (naming.has(method)) sessions.add(session);
      if (method === "session/resume" && (params.replayFrom ?? null) === null && id !== undefined) {
        resuming.set(key, session);
      }
      return method.startsWith("session/") ? unknownSession(session) : [];
    },
    agentAsked(method, params, id) {
      const session = nameOf(params.sessionId) ?? "";
      if (id !== undefined) ofAgent.set(JSON.stringify(id), { method, session });
      const cancel = cancelled.get(session);
      if (cancel && method === "session/update") cancel.isWorking = true;
      const update = method === "session/update" ? replays(session, params) : [];
      return [...update, ...missingCapability(method), ...unknownSession(session)];
    },
    answered(message) {
      const key = JSON.stringify(message.id);
      // A client answers questions with an outcome; whatever else answers is the other side's.
      const isOutcome = fieldsOf(fieldsOf(message.result)?.outcome) !== undefined;
      const [first, second] = isOutcome ? [ofAgent, ofClient] : [ofClient, ofAgent];
      const pool = first.has(key) ? first : second;
      const request = pool.get(key);
      if (request === undefined) {
        const isRepeated = done.has(key);
        // Where only the agent is recorded, every answer is its own.
        if (!isClientRecorded) done.add(key);
        const remarks = isRepeated
          ? [violation("answered-twice", `request ${key} was answered before`)]
          : [];
        return { remarks };
      }
      pool.delete(key);
      done.add(key);
      if (pool === ofAgent) return { remarks: [] };
      resuming.delete(key);
      const created = nameOf(fieldsOf(message.result)?.sessionId);
      if (created !== undefined) sessions.add(created);
      const remarks = request.method === "session/prompt" ? promptRemarks(request, message) : [];
      return { request, remarks };
    },
    end: () => [
      ...[...ofClient].map(([key, { method }]) =>
        unanswered(key, method, method === "session/prompt"),
      ),
      ...[...ofAgent]
        .filter(() => isClientRecorded)
        .map(([key, { method }]) => unanswered(key, method, false)),
    ],
  };
}

function unanswered(key: string, method: string, isCertain: boolean): Remark {
  const remark = isCertain ? violation : suspicion;
  return remark("request-unanswered", `${method} (id ${key}) was never answered`);
}
