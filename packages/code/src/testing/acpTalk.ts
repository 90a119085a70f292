/** A client of `callboard acp` in pipes: sends requests, answers permissions, and keeps every line it receives. */
import { isJsonList, isJsonObject, type JsonObject, type JsonValue } from "@callboard/run-log";
import type { ProgramEnd, TalkingProgram } from "./programHere.js";

export interface AcpTalk {
  request(method: string, params: JsonObject): Promise<JsonObject>;
  /** Answers when the turn is over. */
  prompt(sessionId: string, text: string): Promise<JsonObject>;
  newSession(params: JsonObject): Promise<string>;
  /** The updates of calls so far. */
  callUpdates(): readonly JsonObject[];
  said(): string;
  /** The commands that a session was last said to have. */
  commandsOf(sessionId: string): readonly JsonValue[];
  /** How many bytes the program has written. */
  readonly bytes: number;
  /** How many permissions it has asked for. */
  readonly permissions: number;
  end(): Promise<ProgramEnd>;
}

/** Initialised, by a client of the given name. Permissions are given at once, unless `isSilent`. */
export async function openAcpTalk(
  { child, ended }: TalkingProgram,
  name = "editor",
  isSilent = false,
): Promise<AcpTalk> {
  const waiting = new Map<number, (message: JsonObject) => void>();
  const updates: JsonObject[] = [];
  const commands = new Map<string, readonly JsonValue[]>();
  let rest = "";
  let bytes = 0;
  let ids = 0;
  let permissions = 0;
  const send = (message: JsonObject): void => {
    child.stdin.write(`${JSON.stringify({ jsonrpc: "2.0", ...message })}\n`);
  };
  child.stdout.on("data", (chunk: string) => {
    bytes += Buffer.byteLength(chunk);
    const lines = (rest + chunk).split("\n");
    rest = lines.pop() ?? "";
    for (const line of lines) hear(JSON.parse(line));
  });

  function hear(message: JsonObject): void {
    const { id, method, params } = message;
    if (method === "session/update" && isJsonObject(params)) {
      const update = objectOf(params.update);
      updates.push(update);
      const { availableCommands } = update;
      if (isJsonList(availableCommands)) commands.set(String(params.sessionId), availableCommands);
    } else if (method === "session/request_permission") {
      permissions += 1;
      if (isSilent) return;
      const outcome = { outcome: "selected", optionId: "allow_once" };
      send({ id: id ?? 0, result: { outcome } });
    } else if (typeof id === "number") waiting.get(id)?.(message);
  }

  async function request(method: string, params: JsonObject): Promise<JsonObject> {
    ids += 1;
    const id = ids;
    const answer = new Promise<JsonObject>((resolve) => {
      waiting.set(id, resolve);
    });
    send({ id, method, params });
    const { result, error } = await answer;
    if (isJsonObject(error)) throw new Error(JSON.stringify(error));
    return objectOf(result);
  }

  await request("initialize", {
    ...{ protocolVersion: 1, clientCapabilities: {}, clientInfo: { name, version: "1" } },
  });
  return {
    request,
    prompt: (sessionId, text) =>
      request("session/prompt", { sessionId, prompt: [{ type: "text", text }] }),
    async newSession(params) {
      return String((await request("session/new", { mcpServers: [], ...params })).sessionId);
    },
    callUpdates: () =>
      updates.filter(({ sessionUpdate }) => String(sessionUpdate).startsWith("tool_call")),
    said: () =>
      updates
        .filter(({ sessionUpdate }) => sessionUpdate === "agent_message_chunk")
        .map(({ content }) => objectOf(content).text)
        .join(""),
    commandsOf: (sessionId) => commands.get(sessionId) ?? [],
    get bytes() {
      return bytes;
    },
    get permissions() {
      return permissions;
    },
    end() {
      child.stdin.end();
      return ended;
    },
  };
}

function objectOf(value: JsonValue | undefined): JsonObject {
  return isJsonObject(value) ? value : {};
}
