/**
 * Sessions of other agents as they were recorded, with the time of each line: what the agent wrote, played
 * through the proxy at its own times. The client's side is not in them; it does what it must have done.
 */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { isJson, isJsonObject, type JsonObject } from "@callboard/run-log";
import { createProxyCore } from "../proxy/proxyCore.js";
import { createUpdateEngine } from "../updates/updateEngine.js";
import { createFakeClock } from "./fakeClock.js";

export interface RecordedLine {
  readonly at: number;
  readonly message: JsonObject;
}

export interface RecordedSession {
  /** The lines of the agent, as it wrote them. */
  readonly agent: readonly JsonObject[];
  /** The lines of the agent as the client has them. */
  readonly client: readonly JsonObject[];
  /** Both sides as the client sees them. */
  readonly both: readonly JsonObject[];
}

export interface ClientActs {
  /** When the person cancels, in the time of the recording. */
  readonly cancelAt?: number;
  readonly answer?: "allow_once" | "reject_once" | "cancelled";
}

export const recordingsFolder = fileURLToPath(new URL("../../recordings", import.meta.url));

export const recordingText = (name: string): string =>
  readFileSync(join(recordingsFolder, `${name}.ndjson`), "utf8");

export function recordedLines(name: string): readonly RecordedLine[] {
  return recordingText(name)
    .split("\n")
    .filter((line) => line !== "")
    .map((line) => {
      const value: unknown = JSON.parse(line);
      if (!isJson(value) || !isJsonObject(value)) throw new Error(`${name}: no object: ${line}`);
      const { t, m } = value;
      if (typeof t !== "number" || !isJsonObject(m)) throw new Error(`${name}: no line: ${line}`);
      return { at: t, message: m };
    });
}

const rpc = (fields: JsonObject): JsonObject => ({ jsonrpc: "2.0", ...fields });

export function playedSession(name: string, acts: ClientActs): Promise<RecordedSession> {
  return playedLines(recordedLines(name), acts);
}

export async function playedLines(
  lines: readonly RecordedLine[],
  acts: ClientActs,
): Promise<RecordedSession> {
  const clock = createFakeClock();
  const agent: JsonObject[] = [];
  const client: JsonObject[] = [];
  const both: JsonObject[] = [];
  const core = createProxyCore({
    createEngine: (setup) => createUpdateEngine({ ...setup, clock }),
    toClient: async (message) => {
      client.push(message);
      both.push(message);
    },
    toAgent: async () => undefined,
  });
  const send = (fields: JsonObject): Promise<void> => {
    both.push(rpc(fields));
    return core.fromClient(rpc(fields));
  };
  /** Time continues only where something waits for it. */
  const hear = async (message: JsonObject): Promise<void> => {
    agent.push(message);
    let isDone = false;
    const heard = core.fromAgent(message).finally(() => {
      isDone = true;
    });
    while (!isDone) await clock.advance(0);
    await heard;
  };
  let sessionId = "";
  let isCancelled = false;
  const version = lines.map(({ message }) => Object(message.result).protocolVersion).find(Boolean);
  await send({ id: 0, method: "initialize", params: { protocolVersion: version } });
  for (const { at, message } of lines) {
    if (acts.cancelAt !== undefined && at > acts.cancelAt && !isCancelled) {
      isCancelled = true;
      await send({ method: "session/cancel", params: { sessionId } });
    }
    await clock.advance(Math.max(0, at - clock.now()));
    await hear(message);
    const { id = null, method, result, params } = message;
    if (method === undefined && id === 0) {
      await send({ id: 1, method: "session/new", params: { cwd: "/workspace", mcpServers: [] } });
    } else if (method === undefined && id === 1 && isJsonObject(result)) {
      sessionId = String(result.sessionId);
      const prompt = [{ type: "text", text: "go" }];
      await send({ id: 2, method: "session/prompt", params: { sessionId, prompt } });
    } else if (method === "session/request_permission") {
      const options: readonly JsonObject[] = Object(params).options;
      const chosen = options.find(({ kind }) => kind === (acts.answer ?? "allow_once"));
      const selected = { outcome: "selected", optionId: chosen?.optionId ?? "" };
      const outcome = acts.answer === "cancelled" ? { outcome: "cancelled" } : selected;
      await send({ id, result: { outcome } });
    } else if (method !== undefined && id !== null) await send({ id, result: {} });
  }
  await clock.advance(60_000);
  return { agent, client, both };
}
