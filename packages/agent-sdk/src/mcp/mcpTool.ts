/** A server's tool as a tool of the agent. The server checks the arguments; this module passes them on. */

import { isJsonObject, type JsonObject } from "@callboard/run-log";
import { withoutUndefined } from "@callboard/run-log/values";
import { effectKeyMeta } from "../tools/effectKey.js";
import type { ToolDefinition, ToolKind } from "../types/tools.js";
import { ToolFailure } from "../utils/toolFailure.js";
import { mcpResultOf } from "./callResult.js";
import { withLogin } from "./loginQuestion.js";
import type { RemoteCall } from "./remoteCall.js";
import type { RemoteTool } from "./remoteTool.js";
import type { ServerConnection } from "./serverConnection.js";

/** The whole call may take this many times the silence that it may keep. */
const silencesInACall = 10;
const longestLabel = 80;

export function mcpToolOf(
  name: string,
  tool: RemoteTool,
  server: ServerConnection,
): ToolDefinition {
  const { annotations } = tool;
  const isReadOnly = annotations?.readOnlyHint === true && annotations.destructiveHint !== true;
  const isRepeatable = isReadOnly || annotations?.idempotentHint === true;
  const label = annotations?.title ?? tool.title ?? tool.name;
  return {
    name,
    description: tool.description ?? label,
    kind: toolKindOf(annotations),
    toolType: "external_mcp",
    inputSchema: tool.inputSchema,
    concurrency: isReadOnly ? "safe" : "exclusive",
    timeoutMs: server.timeoutMs * silencesInACall,
    retries: isRepeatable ? 1 : 0,
    needsApproval: !(isReadOnly && server.trustsHints),
    aliases: [],
    approvalTarget: (input) => JSON.stringify(input),
    compactParams,
    title: () => `${server.name}: ${label}`,
    locations: () => [],
    inputProblem: (input) =>
      isJsonObject(input) ? undefined : `${name} takes an object of arguments.`,
    async execute(input, context) {
      if (!isJsonObject(input)) {
        throw new ToolFailure("invalid_arguments", `${name} takes an object of arguments.`);
      }
      const { effectKey, signal, traceparent, askUser } = context;
      const call: RemoteCall = {
        ...{ toolName: tool.name, input, signal, isRepeatable, effectKey },
        meta: {
          [effectKeyMeta]: effectKey,
          ...withoutUndefined({ traceparent }),
        },
        onProgress: (message, percent) => context.progress(message, percent),
        ...withoutUndefined({ askUser }),
      };
      const answer = await withLogin(server, context, () => server.call(call));
      return mcpResultOf(answer, server.name);
    },
  };
}

/** Never `edit`: a rule such as `write(src/**)` is about local files, not about what a server may do. */
function toolKindOf(annotations: RemoteTool["annotations"]): ToolKind {
  if (annotations?.destructiveHint === true) return "delete";
  return annotations?.readOnlyHint === true ? "read" : "other";
}

function compactParams(input: JsonObject): string | undefined {
  const shown = Object.values(input).find((value) => typeof value === "string" && value !== "");
  if (typeof shown !== "string") return undefined;
  const line = shown.replace(/\s+/g, " ").trim();
  return line.length > longestLabel ? `${line.slice(0, longestLabel)}…` : line;
}
