/** The Agent Client Protocol, v1 as plainest clients speak it and v2, as lines of JSON-RPC. */
import {
  type Diff,
  isJson,
  isJsonList,
  isJsonObject,
  type JsonObject,
  type JsonValue,
  type RunState,
} from "@callboard/run-log";
import {
  type AcpMemory,
  type AcpOptions,
  type AcpOutput,
  createAcpProjection,
} from "@callboard/run-log/projections";
import { createAcpClient } from "../acpClient.js";
import { type Surface, sortedTexts } from "../surface.js";

const options = {
  ...{ userMessages: true, cwd: "/project", contextSizeOf: () => 100_000 },
  previewOf(toolName: string, { file_path: path, content }: JsonObject): readonly Diff[] {
    const isWrite = toolName === "Write" && typeof path === "string";
    return isWrite && typeof content === "string" ? [{ path, newText: content }] : [];
  },
};

export const acpV1Surface = surfaceOf("acp-v1", { ...options, version: 1 });
export const acpV2Surface = surfaceOf("acp-v2", { ...options, version: 2 });
/** v1 with a client that appends to terminals by the `_meta` extension. */
export const acpTerminalSurface = surfaceOf("acp-v1-terminal", {
  ...options,
  terminalKey: "terminal_output",
});

function surfaceOf(name: string, acpOptions: AcpOptions): Surface<AcpMemory, AcpOutput> {
  return {
    name,
    projection: createAcpProjection(acpOptions),
    finalOf: acpFinalOf,
    shownOf: acpLinesOf,
    callOf: acpCallOf,
    isEnd: isAcpEnd,
  };
}

export function jsonObjectOf(value: object): JsonObject {
  if (!isJson(value) || !isJsonObject(value)) throw new Error("this is no JSON object");
  return value;
}

function acpFinalOf(outputs: readonly AcpOutput[]): unknown {
  const client = createAcpClient();
  const standing: string[] = [];
  for (const output of outputs) {
    if (output.type === "update") client.apply(jsonObjectOf(output.update));
    else standing.push(JSON.stringify(output));
  }
  const { calls, terminals, messages, others } = client.state;
  const seen = mapped(calls, (call) => ({ ...call, content: seenOf(call, terminals) }));
  const ends = mapped(terminals, ({ output: _, ...end }) => end);
  return { standing: sortedTexts(standing), seen, ends, messages: mapped(messages), others };
}

/** What people read of a call, whether a terminal or a text shows it. */
function seenOf(
  call: JsonObject,
  terminals: ReadonlyMap<string, JsonObject>,
): readonly JsonValue[] {
  const items = isJsonList(call.content) ? call.content : [];
  return items.map((item) => {
    if (!isJsonObject(item) || typeof item.terminalId !== "string") return item;
    const text = terminals.get(item.terminalId)?.output ?? "";
    return { type: "content", content: { type: "text", text } };
  });
}

/** Sorted by key, without values that say nothing. */
function mapped<Value>(
  map: ReadonlyMap<string, Value>,
  change: (value: Value) => unknown = (value) => value,
): ReadonlyMap<string, unknown> {
  const entries = [...map].map(([key, value]): [string, unknown] => [key, change(value)]);
  return new Map(
    entries
      .filter(([, value]) => JSON.stringify(value) !== "{}")
      .sort(([left], [right]) => (left < right ? -1 : 1)),
  );
}

function acpCallOf(output: AcpOutput): string | undefined {
  if (output.type === "ask") return output.permission.toolCallId;
  if (output.type === "answer") return undefined;
  const { update } = output;
  if ("toolCallId" in update) return update.toolCallId;
  return "terminalId" in update ? update.terminalId : undefined;
}

function isAcpEnd(output: AcpOutput): boolean {
  if (output.type !== "update" || !("status" in output.update)) return false;
  const { status } = output.update;
  return status === "completed" || status === "failed" || status === "cancelled";
}

/** What an agent's side of the connection says, start with the answer that made the session. */
function acpLinesOf(
  outputs: readonly AcpOutput[],
  _: AcpMemory,
  run: RunState,
): readonly unknown[] {
  const sessionId = run.status === "unstarted" ? "" : run.conversationId;
  let questions = 0;
  return outputs.map((output) => {
    switch (output.type) {
      case "update":
        return {
          jsonrpc: "2.0",
          method: "session/update",
          params: { sessionId, update: output.update },
        };
      case "ask": {
        questions += 1;
        const params = { sessionId, ...output.permission.params };
        return { jsonrpc: "2.0", id: questions, method: "session/request_permission", params };
      }
      case "answer": {
        const { stopReason, error } = output;
        const outcome = error === undefined ? { result: { stopReason } } : { error };
        return { jsonrpc: "2.0", id: "prompt", ...outcome };
      }
      default:
        return output satisfies never;
    }
  });
}
