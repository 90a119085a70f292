/**
 * What a message that is no update of a call must contain, by version: questions, answers, words and plans. It checks no
 * order and keeps no state; each message is checked alone.
 */
import type { AcpRequest, KnownVersion } from "../../lines/acp/connection.js";
import { type Fields, fieldsOf, isFields, listOf, nameOf, textOf } from "../../values/fields.js";
import { type Remark, suspicion, violation } from "../rules.js";
import { blockProblem } from "./acpShapes.js";

const optionKinds: ReadonlySet<unknown> = new Set([
  ...["allow_once", "allow_always", "reject_once", "reject_always"],
]);
const priorities: ReadonlySet<unknown> = new Set(["high", "medium", "low"]);
const sessionStates: ReadonlySet<unknown> = new Set(["running", "idle", "requires_action"]);
const planStates: ReadonlySet<unknown> = new Set(["pending", "in_progress", "completed"]);

/** A question that says nothing, or whose options nobody can choose. */
export function questionRemarks(params: Fields, version: KnownVersion): readonly Remark[] {
  const isSaid = version === 2 ? nameOf(params.title) !== undefined : isFields(params.toolCall);
  const about = version === 2 ? "title" : "toolCall";
  const options = listOf(params.options);
  const ids = options.map((option) => nameOf(fieldsOf(option)?.optionId));
  const twice = ids.find((id, at) => id !== undefined && ids.indexOf(id) < at);
  return [
    ...(isSaid ? [] : [lacks("a permission request", about)]),
    ...(Array.isArray(params.options) ? [] : [lacks("a permission request", "options")]),
    ...(Array.isArray(params.options) && options.length === 0
      ? [suspicion("missing-field", "a permission request with nothing to choose")]
      : []),
    ...(twice === undefined
      ? []
      : [violation("approval-mismatch", `two options have the id ${twice}`)]),
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

/** Updates that contain no call: what clients need to show them. */
export function updateRemarks(update: Fields, version: KnownVersion): readonly Remark[] {
  const kind = nameOf(update.sessionUpdate) ?? "";
  switch (kind) {
    case "user_message_chunk":
    case "agent_message_chunk":
    case "agent_thought_chunk": {
      const block = fieldsOf(update.content);
      const problem = block && blockProblem(block);
      if (problem !== undefined) return [violation("missing-field", `${kind} ${problem}`)];
      const isSilent = block?.text === "" && update._meta === undefined;
      return isSilent ? [suspicion("empty-update", `${kind} without a word`)] : [];
    }
    case "plan":
      return planRemarks(update, version);
    case "state_update":
      return wordRemarks("state", update.state, sessionStates, version);
    default:
      return [];
  }
}

function planRemarks({ entries }: Fields, version: KnownVersion): readonly Remark[] {
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

const sessionMethods = /^session\/(list|delete|resume|close|fork)$/;

/** Whether the agent of v1 offered what the client uses. */
export function isOfferedByAgent({ method, params }: AcpRequest, capabilities: Fields): boolean {
  if (method === "session/load") return capabilities.loadSession === true;
  const [, name] = sessionMethods.exec(method) ?? [];
  if (name !== undefined) return isFields(fieldsOf(capabilities.sessionCapabilities)?.[name]);
  if (method !== "session/prompt") return true;
  const prompts = fieldsOf(capabilities.promptCapabilities) ?? {};
  return listOf(params.prompt).every((block) => {
    const { type } = fieldsOf(block) ?? {};
    if (type === "image" || type === "audio") return prompts[type] === true;
    return type !== "resource" || prompts.embeddedContext === true;
  });
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
