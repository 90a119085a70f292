/** `codex app-server`: JSON-RPC notifications about items, one session for each thread. */

import type { CallEnding } from "../../log/intents.js";
import { type Fields, fieldsOf, nameOf, numberOf, textOf } from "../../values/fields.js";
import { withoutUndefined } from "../../values/optional.js";
import type { Claim } from "../claims.js";
import { type IntakeDialect, silent, stepWithClaims } from "../dialect.js";
import { codexUsage } from "./codex.js";
import {
  calledWith,
  contentText,
  deniedWith,
  exited,
  failedWith,
  outputOf,
  remembered,
  timeOf,
  usageClaimsOf,
  userSaid,
} from "./shared.js";

export interface CodexServerMemory {
  /** Requests for approval that wait, by id: their call and thread. */
  readonly asked: ReadonlyMap<string, { readonly call: string; readonly session: string }>;
}

const method = /^(?:thread|turn|item)\/[a-zA-Z]/;

export const codexServer: IntakeDialect<CodexServerMemory> = {
  initial: { asked: new Map() },
  isOwn: ({ value }) =>
    method.test(textOf(value.method) ?? "") &&
    nameOf(fieldsOf(value.params)?.threadId) !== undefined,
  step(memory, { value }) {
    const params = fieldsOf(value.params) ?? {};
    const at = timeOf(value.emittedAtMs);
    const when = withoutUndefined({ at });
    const answer = serverAnswer(memory, value);
    if (answer) return stepWithClaims(memory, [answer.claim], { session: answer.session, ...when });
    const session = nameOf(params.threadId) ?? nameOf(fieldsOf(params.thread)?.id);
    if (session === undefined || value.id !== undefined) {
      return requestStep(memory, value, params);
    }
    return stepWithClaims(memory, codexServerClaims(textOf(value.method) ?? "", params), {
      session,
      ...when,
    });
  },
};

function requestStep(memory: CodexServerMemory, value: Fields, params: Fields) {
  const call = nameOf(params.itemId);
  const session = nameOf(params.threadId);
  const isAsking = textOf(value.method)?.endsWith("/requestApproval");
  if (!isAsking || call === undefined || session === undefined) return silent(memory);
  const id = JSON.stringify(value.id);
  const reason = nameOf(params.reason);
  const why = withoutUndefined({ reason });
  return stepWithClaims(
    { asked: remembered(memory.asked, id, { call, session }) },
    [{ type: "approvalAsked", call, approval: `${call}-${id}`, ...why }],
    { session },
  );
}

/** The client's answer: `{ id, result: { decision } }`. */
function serverAnswer(memory: CodexServerMemory, value: Fields) {
  const decision = nameOf(fieldsOf(value.result)?.decision);
  const asked = memory.asked.get(String(JSON.stringify(value.id)));
  if (decision === undefined || asked === undefined) return undefined;
  const allowed = decision.startsWith("accept") || decision.startsWith("approved");
  const claim: Claim = { type: "approvalAnswered", call: asked.call, allowed };
  return { claim, session: asked.session };
}

function codexServerClaims(name: string, params: Fields): readonly Claim[] {
  const item = fieldsOf(params.item) ?? {};
  const call = textOf(params.itemId) ?? "";
  switch (name) {
    case "thread/started": {
      const model = nameOf(fieldsOf(params.thread)?.model);
      return [{ type: "session", agent: "codex", ...withoutUndefined({ model }) }];
    }
    case "turn/started":
      return [{ type: "turnStarted" }];
    case "turn/completed":
      return [turnEnd(fieldsOf(params.turn) ?? {})];
    case "thread/tokenUsage/updated":
      return usageClaimsOf(fieldsOf(params.tokenUsage)?.last, codexUsage);
    case "item/agentMessage/delta":
      return [{ type: "textGrew", kind: "text", text: textOf(params.delta) ?? "", part: call }];
    case "item/commandExecution/outputDelta": {
      const text = textOf(params.delta) ?? "";
      return [{ type: "callProgressed", call, progress: { type: "output", text } }];
    }
    case "item/started":
      return codexServerItemClaims(item, false);
    case "item/completed":
      return codexServerItemClaims(item, true);
    default:
      return [];
  }
}

function turnEnd(turn: Fields): Claim {
  const reason = nameOf(fieldsOf(turn.error)?.message);
  const why = withoutUndefined({ reason });
  if (turn.status === "completed") return { type: "turnEnded", outcome: "ok" };
  if (turn.status === "interrupted") return { type: "turnEnded", outcome: "cancelled", ...why };
  return { type: "turnEnded", outcome: "error", ...why };
}

function codexServerItemClaims(item: Fields, isDone: boolean): readonly Claim[] {
  const id = textOf(item.id) ?? "";
  switch (item.type) {
    case "userMessage":
      return isDone ? userSaid(contentText(item.content)) : [];
    case "agentMessage":
      if (!isDone) return [];
      return [{ type: "textSaid", kind: "text", text: textOf(item.text) ?? "", part: id }];
    case "commandExecution":
      return called(item, "shell", { command: item.command, cwd: item.cwd }, isDone);
    case "fileChange":
      return called(item, "apply_patch", { changes: item.changes }, isDone);
    case "mcpToolCall":
      return called(item, nameOf(item.tool) ?? "mcp", item.arguments, isDone);
    case "collabAgentToolCall":
      return called(item, nameOf(item.tool) ?? "agent", { prompt: item.prompt }, isDone);
    default:
      return [];
  }
}

function called(item: Fields, tool: string, input: unknown, isDone: boolean): readonly Claim[] {
  const call = textOf(item.id) ?? "";
  const toolType = tool === "spawnAgent" ? "agent" : "local";
  const began = calledWith(call, tool, input, { toolType });
  return isDone ? [...began, { type: "callEnded", call, ending: codexServerEnding(item) }] : began;
}

function codexServerEnding(item: Fields): CallEnding {
  const output = textOf(item.aggregatedOutput) ?? "";
  const code = numberOf(item.exitCode);
  if (item.status === "declined") return deniedWith("it was declined");
  if (code !== undefined) return exited(code, output);
  if (item.status === "failed") return failedWith("it failed", undefined, output);
  return outputOf(item.aggregatedOutput ?? item.result ?? item.changes ?? item.agentsStates ?? "");
}
