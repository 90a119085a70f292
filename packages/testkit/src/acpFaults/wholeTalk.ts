/**
 * The agent's lines of a session as a talk of both sides: what the client must have said is added, and the session and
 * the options have the names by which faults are planted.
 */
import { isJson, isJsonList, isJsonObject, type JsonObject } from "@callboard/run-log";
import { type AcpLife, askedIdOf, callIdOf, rpc, sessionId, updateBodyOf } from "./acpLines.js";

const capabilities = { fs: { readTextFile: true, writeTextFile: true }, terminal: true };
const newSession = rpc({
  ...{ id: 1, method: "session/new" },
  params: { cwd: "/project", mcpServers: [] },
});

/** `text` has one message on a line, or `{ t, m }` recordings of them. */
export function wholeTalk(text: string): AcpLife {
  const agent = messagesIn(text).map(renamed);
  const isStarted = agent.some(({ result }) => Object(result).protocolVersion !== undefined);
  const protocolVersion =
    agent.map(({ result }) => Object(result).protocolVersion).find(Boolean) ??
    (text.includes('"state_update"') ? 2 : 1);
  const hello = { protocolVersion, clientCapabilities: capabilities };
  const talk: JsonObject[] = [rpc({ id: 0, method: "initialize", params: hello })];
  const info = { name: "agent", version: "1" };
  if (!isStarted) talk.push(rpc({ id: 0, result: { protocolVersion, info } }), newSession);
  if (!isStarted) talk.push(rpc({ id: 1, result: { sessionId } }));
  let isPrompted = false;
  for (const [at, message] of agent.entries()) {
    const reason = stopReasonOf(message);
    const isAnswer = message.method === undefined;
    if (at === cancelPlaceIn(agent)) {
      talk.push(rpc({ method: "session/cancel", params: { sessionId } }));
    }
    if (isAnswer && message.id === 1 && isStarted) talk.push(newSession);
    if (!isPrompted && updateBodyOf(message).sessionUpdate !== undefined && mayBegin(agent, at)) {
      isPrompted = isTurn(message, protocolVersion);
      if (isPrompted) talk.push(...promptBefore(agent, at, protocolVersion));
    }
    talk.push(message);
    if (reason !== undefined) isPrompted = false;
    if (!isAnswer && message.id !== undefined) talk.push(answerTo(message, agent, at));
  }
  return talk;
}

/** The prompt of a turn that has no answer in the recording. */
const endlessPrompt = 2_000;

/** A turn begins where its end follows, and the first one also without. */
function mayBegin(agent: readonly JsonObject[], at: number): boolean {
  const ends = agent.flatMap((message, index) => (stopReasonOf(message) ? [index] : []));
  return ends.length === 0 || ends.some((end) => end >= at);
}

/** Before the calls that end together with the cancelled turn. */
function cancelPlaceIn(agent: readonly JsonObject[]): number {
  let at = agent.findIndex((message) => stopReasonOf(message) === "cancelled");
  const isEnd = (message: JsonObject | undefined): boolean =>
    /^(?:failed|cancelled)$/.test(String(updateBodyOf(message ?? {}).status));
  while (isEnd(agent[at - 1])) at -= 1;
  return at;
}

function messagesIn(text: string): readonly JsonObject[] {
  return text.split("\n").flatMap((line) => {
    if (line === "") return [];
    const value: unknown = JSON.parse(line);
    if (!isJson(value) || !isJsonObject(value)) throw new Error(`no message: ${line}`);
    return [isJsonObject(value.m) ? value.m : value];
  });
}

/** One session, and options that are `yes` and `no`. */
function renamed(message: JsonObject): JsonObject {
  const { params, result } = message;
  if (isJsonObject(result) && result.sessionId !== undefined) {
    return { ...message, result: { ...result, sessionId } };
  }
  if (!isJsonObject(params) || params.sessionId === undefined) return message;
  const named = { ...params, sessionId };
  if (!isJsonList(params.options)) return { ...message, params: named };
  const names = new Map([
    ["allow_once", "yes"],
    ["reject_once", "no"],
  ]);
  const options = params.options.map((option) => {
    const { kind, optionId } = Object(option);
    return { ...Object(option), optionId: names.get(kind) ?? optionId };
  });
  return { ...message, params: { ...named, options } };
}

/** Why a turn ended; its prompt may also be answered with an error. */
const stopReasonOf = (message: JsonObject): unknown =>
  Object(message.result).stopReason ??
  updateBodyOf(message).stopReason ??
  (message.error === undefined ? undefined : "error");

/** On v2 a state starts a turn; on v1 whatever is said of a call or by the agent. */
function isTurn(message: JsonObject, version: unknown): boolean {
  const { sessionUpdate, state } = updateBodyOf(message);
  if (version === 2) return state === "running";
  return /^(?:tool_call|agent_|user_|plan)/.test(String(sessionUpdate));
}

function promptBefore(
  agent: readonly JsonObject[],
  at: number,
  version: unknown,
): readonly JsonObject[] {
  const end = agent.find(
    (message, index) => index >= at && message.method === undefined && stopReasonOf(message),
  );
  const id = (version === 2 ? undefined : end?.id) ?? endlessPrompt;
  const prompt = rpc({ id, method: "session/prompt", params: { sessionId, prompt: [] } });
  return version === 2 ? [prompt, rpc({ id, result: { messageId: `m${at}` } })] : [prompt];
}

/** A person allows what runs afterwards, and refuses the rest. */
function answerTo(message: JsonObject, agent: readonly JsonObject[], at: number): JsonObject {
  const id = message.id ?? 0;
  if (message.method !== "session/request_permission") return rpc({ id, result: {} });
  const { subject } = Object(message.params);
  const asked = askedIdOf(message) ?? Object(Object(subject).toolCall).toolCallId;
  const runs = agent
    .slice(at)
    .some(
      (line) =>
        callIdOf(line) === asked &&
        /^(?:in_progress|completed)$/.test(String(updateBodyOf(line).status)),
    );
  const optionId = runs ? "yes" : "no";
  return rpc({ id, result: { outcome: { outcome: "selected", optionId } } });
}
