/**
 * What a message that is no update of a call must contain, by version: questions, answers, words and plans. It checks no
 * order and keeps no state; each message is checked alone.
 */
import type { AcpRequest, AskedRequest, KnownVersion } from "../../lines/acp/connection.js";
import { type Fields, fieldsOf, isFields, listOf, nameOf, textOf } from "../../values/fields.js";
import { type Remark, violation } from "../rules.js";
import { blockProblem } from "./acpShapes.js";

const optionKinds: ReadonlySet<unknown> = new Set([
  ...["allow_once", "allow_always", "reject_once", "reject_always"],
]);
const priorities: ReadonlySet<unknown> = new Set(["high", "medium", "low"]);
const planStates: ReadonlySet<unknown> = new Set(["pending", "in_progress", "completed"]);

/** A question that says nothing, or whose options nobody can choose. */
export function questionRemarks(params: Fields, version: KnownVersion): readonly Remark[] {
  const isSaid = version === 2 ? nameOf(params.title) !== undefined : isFields(params.toolCall);
  const about = version === 2 ? "title" : "toolCall";
  return [
    ...(isSaid ? [] : [lacks("a permission request", about)]),
    ...(Array.isArray(params.options) ? [] : [lacks("a permission request", "options")]),
    ...listOf(params.options).flatMap((option) => optionRemarks(fieldsOf(option) ?? {}, version)),
  ];
}

function optionRemarks(option: Fields, version: KnownVersion): readonly Remark[] {
  return [
    ...["optionId", "name", "kind"]
      .filter((field) => nameOf(option[field]) === undefined)
      .map((field) => lacks("an option of a permission request", field)),
    ...wordRemarks("kind of option", option.kind, optionKinds, version),
  ];
}

/** An answer is a result or an error, and has what its request asked for. */
export function answerRemarks(
  value: Fields,
  request: AskedRequest | undefined,
  version: KnownVersion,
): readonly Remark[] {
  const { result, error } = value;
  if (error !== undefined) {
    const { code, message } = fieldsOf(error) ?? {};
    return [
      ...(typeof code === "number" ? [] : [lacks("an error", "code")]),
      ...(typeof message === "string" ? [] : [lacks("an error", "message")]),
      ...(result === undefined
        ? []
        : [violation("forbidden-field", "an answer with a result and an error")]),
    ];
  }
  const field = version === 1 || request?.method !== "session/prompt" ? answerField(request) : "";
  if (!field || nameOf(fieldsOf(result)?.[field]) !== undefined) return [];
  return [lacks(`the answer to ${request?.method}`, field)];
}

function answerField(request: AskedRequest | undefined): string | undefined {
  switch (request?.method) {
    case "session/prompt":
      return "stopReason";
    case "session/new":
    case "session/fork":
      return "sessionId";
    case "terminal/create":
      return "terminalId";
    default:
      return undefined;
  }
}

/** Updates that contain no call: what clients need to show them. */
export function updateRemarks(update: Fields, version: KnownVersion): readonly Remark[] {
  const kind = nameOf(update.sessionUpdate) ?? "";
  switch (kind) {
    case "user_message_chunk":
    case "agent_message_chunk":
    case "agent_thought_chunk": {
      const problem = blockProblem(fieldsOf(update.content));
      return problem === undefined ? [] : [violation("missing-field", `${kind} ${problem}`)];
    }
    case "plan":
      return planRemarks(update, version);
    case "current_mode_update":
      return nameOf(update.currentModeId) === undefined ? [lacks(kind, "currentModeId")] : [];
    default:
      return [];
  }
}

function planRemarks({ entries }: Fields, version: KnownVersion): readonly Remark[] {
  if (!Array.isArray(entries)) return [lacks("a plan", "entries")];
  return listOf(entries).flatMap((item) => {
    const { content, priority, status } = fieldsOf(item) ?? {};
    return [
      ...(textOf(content) === undefined ? [lacks("an entry of a plan", "content")] : []),
      ...wordRemarks("priority", priority, priorities, version),
      ...wordRemarks("status of a plan", status, planStates, version),
    ];
  });
}

/** The capability that a request of the agent needs; undefined if it needs none. */
export function isOffered({ method, params }: AcpRequest, capabilities: Fields): boolean {
  const fs = fieldsOf(capabilities.fs) ?? {};
  if (method === "fs/read_text_file") return fs.readTextFile === true;
  if (method === "fs/write_text_file") return fs.writeTextFile === true;
  if (method.startsWith("terminal/")) return capabilities.terminal === true;
  if (method !== "elicitation/create") return true;
  const mode = nameOf(params.mode) ?? "form";
  return isFields(fieldsOf(capabilities.elicitation)?.[mode]);
}

/** v2 has custom values, which start with an underscore. */
function wordRemarks(
  what: string,
  value: unknown,
  words: ReadonlySet<unknown>,
  version: KnownVersion,
): readonly Remark[] {
  if (value === undefined || words.has(value)) return [];
  if (version === 2 && textOf(value)?.startsWith("_")) return [];
  return [violation("unknown-value", `unknown ${what} ${JSON.stringify(value)}`)];
}

function lacks(what: string, field: string): Remark {
  return violation("missing-field", `${what} without ${field}`);
}
