/**
 * The names of calls as the client knows them. Agents pass on their provider's ids, which may be used again in later
 * turns; a client takes a known id for the call that it has. So a call that starts with the id of an ended one gets a
 * name of its own, and keeps it until it ends.
 */
import { createHash } from "node:crypto";
import { isJsonList, isJsonObject, type JsonObject, type JsonValue } from "@callboard/run-log";
import type { AcpVersion } from "@callboard/run-log/projections";
import { withoutUndefined } from "@callboard/run-log/values";
import { isFinal, type SessionUpdate } from "../updates/sessionUpdate.js";

export interface CallNames {
  /** A prompt starts a turn: ended calls before it are final. */
  turnBegan(sessionId: string): void;
  /** The update with the client's names; an ended id that starts again gets a new one. */
  named(sessionId: string, update: SessionUpdate, version: AcpVersion): SessionUpdate;
  /** The name of the call that a question is about: never one that has ended. */
  asked(sessionId: string, toolCallId: string): string;
  nameOf(sessionId: string, toolCallId: string): string;
  /** The agent's own id for what the client names. */
  agentIdOf(sessionId: string, name: string): string;
  /** The call has its end, from either side. */
  ended(sessionId: string, name: string): void;
  forget(sessionId: string): void;
}

interface Named {
  readonly name: string;
  readonly turn: number;
  isEnded: boolean;
  /** What the agent said last that it does. */
  work: Work;
}

/** A call does one thing: another title or other arguments under its id are another call. */
interface Work {
  readonly title?: string;
  /** Of the arguments, which may be long. */
  readonly digest?: string;
}

function workIn({ title, rawInput }: SessionUpdate): Work {
  const digest =
    rawInput === undefined || rawInput === null ? undefined : argumentsDigest(rawInput);
  return withoutUndefined({ title: typeof title === "string" ? title : undefined, digest });
}

function argumentsDigest(value: JsonValue): string {
  return createHash("sha256").update(JSON.stringify(value)).digest("base64url");
}

function isOther(before: Work, { title, digest }: Work): boolean {
  const hasOtherTitle = title !== undefined && title !== before.title;
  return hasOtherTitle || (digest !== undefined && digest !== before.digest);
}

interface SessionNames {
  turn: number;
  /** By the agent's id. */
  readonly calls: Map<string, Named>;
  readonly agentIds: Map<string, string>;
}

/** How many calls of one session are remembered. */
const keptCalls = 10_000;

export function createCallNames(): CallNames {
  const sessions = new Map<string, SessionNames>();

  function namesOf(sessionId: string): SessionNames {
    const names = sessions.get(sessionId) ?? { turn: 0, calls: new Map(), agentIds: new Map() };
    sessions.set(sessionId, names);
    return names;
  }

  function opened(names: SessionNames, id: string): Named {
    let name = id;
    for (let count = 2; names.agentIds.has(name); count += 1) name = `${id}~${count}`;
    const call: Named = { name, turn: names.turn, isEnded: false, work: {} };
    names.calls.delete(id);
    names.calls.set(id, call);
    names.agentIds.set(name, id);
    const [oldest] = names.agentIds;
    if (names.agentIds.size > keptCalls && oldest) {
      names.agentIds.delete(oldest[0]);
      if (names.calls.get(oldest[1])?.name === oldest[0]) names.calls.delete(oldest[1]);
    }
    return call;
  }

  function callOf(names: SessionNames, update: SessionUpdate, version: AcpVersion): Named {
    const id = String(update.toolCallId);
    const call = names.calls.get(id) ?? opened(names, id);
    const work = workIn(update);
    const isAnother = call.turn < names.turn || isOther(call.work, work);
    const begins = call.isEnded && isBeginning(update, version, isAnother);
    const meant = begins ? opened(names, id) : call;
    meant.work = { ...meant.work, ...work };
    return meant;
  }

  function terminalOf(names: SessionNames, update: SessionUpdate): string {
    const id = String(update.terminalId);
    const call = names.calls.get(id);
    if (!call) return id;
    const isBare = update.exitStatus === undefined && update.output === undefined;
    const begins = call.isEnded && update.sessionUpdate === "terminal_update" && isBare;
    return begins ? opened(names, id).name : call.name;
  }

  return {
    turnBegan(sessionId) {
      namesOf(sessionId).turn += 1;
    },
    named(sessionId, update, version) {
      const names = namesOf(sessionId);
      if (typeof update.terminalId === "string") {
        const terminalId = terminalOf(names, update);
        return terminalId === update.terminalId ? update : { ...update, terminalId };
      }
      if (typeof update.toolCallId !== "string") return update;
      const call = callOf(names, update, version);
      if (isFinal(update.status)) call.isEnded = true;
      return call.name === update.toolCallId ? update : renamed(update, call.name);
    },
    asked(sessionId, toolCallId) {
      const names = namesOf(sessionId);
      const call = names.calls.get(toolCallId);
      return (call && !call.isEnded ? call : opened(names, toolCallId)).name;
    },
    nameOf: (sessionId, toolCallId) =>
      sessions.get(sessionId)?.calls.get(toolCallId)?.name ?? toolCallId,
    agentIdOf: (sessionId, name) => sessions.get(sessionId)?.agentIds.get(name) ?? name,
    ended(sessionId, name) {
      const names = sessions.get(sessionId);
      const call = names?.calls.get(names.agentIds.get(name) ?? name);
      if (call?.name === name) call.isEnded = true;
    },
    forget: (sessionId) => void sessions.delete(sessionId),
  };
}

/**
 * Whether an update of an ended id is the start of another call, and not a late update of the old one. `isAnother`: it
 * comes in a later turn, or says that it does something else.
 */
function isBeginning(update: SessionUpdate, version: AcpVersion, isAnother: boolean): boolean {
  const { sessionUpdate, status, title } = update;
  if (sessionUpdate === "tool_call") return isAnother || !isFinal(status);
  if (sessionUpdate !== "tool_call_update") return false;
  const isOpen = status === "pending" || status === "in_progress";
  if (version === 1) return isAnother && isOpen;
  return isOpen || (isAnother && typeof title === "string");
}

const terminalKeys: ReadonlySet<string> = new Set([
  "terminal_info",
  "terminal_output",
  "terminal_output_delta",
  "terminal_exit",
]);

/** A terminal that is named after its call goes with it. */
function renamed(update: SessionUpdate, name: string): SessionUpdate {
  const { toolCallId: id, content, _meta: meta } = update;
  return {
    ...update,
    toolCallId: name,
    ...renamedContent(content, id, name),
    ...(isJsonObject(meta) ? { _meta: renamedMeta(meta, id, name) } : {}),
  };
}

/** A list, or the one item of a chunk. */
function renamedContent(
  content: JsonValue | undefined,
  id: JsonValue | undefined,
  name: string,
): JsonObject {
  if (content === undefined) return {};
  const renamed = isJsonList(content)
    ? content.map((item) => renamedItem(item, id, name))
    : renamedItem(content, id, name);
  return { content: renamed };
}

function renamedItem(item: JsonValue, id: JsonValue | undefined, name: string): JsonValue {
  const isOwn = isJsonObject(item) && item.type === "terminal" && item.terminalId === id;
  return isOwn ? { ...item, terminalId: name } : item;
}

function renamedMeta(meta: JsonObject, id: JsonValue | undefined, name: string): JsonObject {
  return Object.fromEntries(
    Object.entries(meta).map(([key, value]): [string, JsonValue] => {
      const isOwn = terminalKeys.has(key) && isJsonObject(value) && value.terminal_id === id;
      return [key, isOwn ? { ...value, terminal_id: name } : value];
    }),
  );
}
