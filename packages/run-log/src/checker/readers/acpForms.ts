/**
 * The form of a message: its version of JSON-RPC, its id, and what its method requires. It checks no order and keeps no
 * state; each message is checked alone.
 */
import type { AcpRequest, AskedRequest, KnownVersion } from "../../lines/acp/connection.js";
import { agentMethods, clientMethods, notifications } from "../../lines/acp/methods.js";
import { type Fields, fieldsOf, isFields, listOf, nameOf, textOf } from "../../values/fields.js";
import { type Remark, suspicion, violation } from "../rules.js";
import { isAbsolute, type Spoken } from "./acpShapes.js";

/** What a value must be; a name is a text that is not empty. */
type Kind = "text" | "name" | "number" | "list" | "object" | "boolean";
/** A field whose name ends in `?` may be missing or null. */
interface Form {
  readonly [field: string]: Kind | Form;
}

const fits: Readonly<Record<Kind, (value: unknown) => boolean>> = {
  text: (value) => typeof value === "string",
  name: (value) => nameOf(value) !== undefined,
  number: (value) => typeof value === "number",
  list: Array.isArray,
  object: isFields,
  boolean: (value) => typeof value === "boolean",
};

const ofTerminal: Form = { sessionId: "name", terminalId: "name" };
const requestForms: Readonly<Record<string, Form>> = {
  "fs/read_text_file": { sessionId: "name", path: "name" },
  "fs/write_text_file": { sessionId: "name", path: "name", content: "text" },
  "terminal/create": { sessionId: "name", command: "name" },
  "terminal/output": ofTerminal,
  "terminal/kill": ofTerminal,
  "terminal/release": ofTerminal,
  "terminal/wait_for_exit": ofTerminal,
  "elicitation/create": { mode: "name", message: "text" },
};
const answerForms: Readonly<Record<KnownVersion, Readonly<Record<string, Form>>>> = {
  1: {
    initialize: { protocolVersion: "number" },
    "session/prompt": { stopReason: "name" },
    "session/new": { sessionId: "name" },
    "session/fork": { sessionId: "name" },
    "session/request_permission": { outcome: "object" },
    "terminal/create": { terminalId: "name" },
    "terminal/output": { output: "text", truncated: "boolean" },
    "fs/read_text_file": { content: "text" },
    "elicitation/create": { action: "name" },
  },
  2: {
    initialize: { protocolVersion: "number", info: "object" },
    "session/prompt": { messageId: "name" },
    "session/new": { sessionId: "name" },
    "session/fork": { sessionId: "name" },
    "session/request_permission": { outcome: "object" },
    "elicitation/create": { action: "name" },
  },
};
const words: Form = { "messageId?": "name", content: "object" };
const wordsOfDraft: Form = { messageId: "name", content: "object" };
const shared: Readonly<Record<string, Form>> = {
  available_commands_update: { availableCommands: "list" },
  config_option_update: { configOptions: "list" },
  usage_update: {
    ...{ used: "number", size: "number" },
    "cost?": { amount: "number", currency: "text" },
  },
  compaction_update: { compactionId: "name", status: "name" },
};
const updateForms: Readonly<Record<KnownVersion, Readonly<Record<string, Form>>>> = {
  1: {
    ...shared,
    ...{ user_message_chunk: words, agent_message_chunk: words, agent_thought_chunk: words },
    plan: { entries: "list" },
    current_mode_update: { currentModeId: "name" },
  },
  2: {
    ...shared,
    ...{ user_message_chunk: wordsOfDraft, agent_message_chunk: wordsOfDraft },
    agent_thought_chunk: wordsOfDraft,
    ...{ user_message: { messageId: "name" }, agent_message: { messageId: "name" } },
    agent_thought: { messageId: "name" },
    plan_update: { plan: "object" },
    state_update: {
      ...{ state: "name", "stopReason?": "text", "background?": "list" },
      "error?": { code: "number", message: "text" },
    },
    tool_call_update: { "capabilities?": { "cancel?": "object" } },
    tool_call_content_chunk: { toolCallId: "name", content: "object" },
    terminal_update: {
      ...{ terminalId: "name", "command?": "text", "cwd?": "text", "output?": { data: "text" } },
      "exitStatus?": { "exitCode?": "number", "signal?": "text" },
    },
    terminal_output_chunk: { terminalId: "name", data: "text" },
  },
};

const askedCall: Form = { "title?": "text" };
const questionForms: Readonly<Record<KnownVersion, Form>> = {
  1: { "toolCall?": askedCall },
  2: { "description?": "text", "subject?": { type: "name", "toolCall?": askedCall } },
};

/** What a value lacks, or has as something else, by its form. */
function lacking(value: Fields, form: Form | undefined, what: string): readonly Remark[] {
  return Object.entries(form ?? {}).flatMap(([name, kind]) => {
    const field = name.replace("?", "");
    const item = value[field];
    if (item === undefined || item === null) {
      return field === name ? [violation("missing-field", `${what} without ${field}`)] : [];
    }
    if (typeof kind === "object" && isFields(item)) return lacking(item, kind, field);
    if (typeof kind === "string" && fits[kind](item)) return [];
    if (item === "") return [violation("missing-field", `${what} without ${field}`)];
    const shown = typeof kind === "string" ? kind : "object";
    return [violation("unknown-value", `${field} of ${what} is no ${shown}`)];
  });
}

export function questionFormRemarks(params: Fields, version: KnownVersion): readonly Remark[] {
  const subject = version === 2 ? fieldsOf(params.subject) : undefined;
  const isBare = subject?.type === "tool_call" && !isFields(subject.toolCall);
  return [
    ...lacking(params, questionForms[version], "a permission request"),
    ...(isBare ? [violation("missing-field", "a question about a call without toolCall")] : []),
  ];
}

export function updateFormRemarks(update: Fields, version: KnownVersion): readonly Remark[] {
  const kind = nameOf(update.sessionUpdate) ?? "";
  const { _meta: meta = null } = update;
  return [
    ...lacking(update, updateForms[version][kind], kind),
    ...(kind === "available_commands_update" ? commandRemarks(update) : []),
    ...(meta === null || isFields(meta) ? [] : [violation("unknown-value", "_meta is no object")]),
  ];
}

function commandRemarks({ availableCommands }: Fields): readonly Remark[] {
  return listOf(availableCommands).flatMap((item) =>
    lacking(fieldsOf(item) ?? {}, { name: "name", description: "text" }, "a command"),
  );
}

/** Methods of v1 for what v2 gives to the agent itself. */
const ofClientsOnV1 = /^(?:fs\/|terminal\/(?:create|output|kill|release|wait_for_exit)$)/;

export function requestFormRemarks(
  { method, key, params, side }: AcpRequest,
  { version, isSure }: Spoken,
): readonly Remark[] {
  const isKnown = agentMethods.has(method) || clientMethods.has(method);
  const isNotice = notifications.has(method);
  const isOld = version === 2 && isSure && ofClientsOnV1.test(method);
  const path = method === "session/new" ? params.cwd : params.path;
  const isPlaced = method === "session/new" || method.startsWith("fs/");
  const place = isPlaced ? textOf(path) : undefined;
  return [
    ...(isNotice && key !== undefined
      ? [violation("forbidden-field", `${method} has no answer, and so no id`)]
      : []),
    ...(isKnown && !isNotice && key === undefined && !/^(?:mcp|proxy)\//.test(method)
      ? [violation("missing-field", `${method} without an id: nobody can answer it`)]
      : []),
    ...(isOld ? [violation("wrong-version", `${method} is not of v2`)] : []),
    ...(side === "agent" && !isOld ? lacking(params, requestForms[method], method) : []),
    ...(place === undefined || isAbsolute(place)
      ? []
      : [suspicion("malformed-content", `the path of ${method} is not absolute: ${place}`)]),
  ];
}

/** An answer is a result or an error, and has what its request asked for. */
export function answerFormRemarks(
  value: Fields,
  request: AskedRequest | undefined,
  version: KnownVersion,
): readonly Remark[] {
  const { result, error } = value;
  if (error !== undefined) {
    return [
      ...lacking(fieldsOf(error) ?? {}, { code: "number", message: "text" }, "an error"),
      ...(result === undefined
        ? []
        : [violation("forbidden-field", "an answer with a result and an error")]),
    ];
  }
  const method = request?.method ?? "";
  return lacking(fieldsOf(result) ?? {}, answerForms[version][method], `the answer to ${method}`);
}

/** Every message names its version of JSON-RPC. */
export function versionRemarks({ jsonrpc }: Fields): readonly Remark[] {
  if (jsonrpc === "2.0") return [];
  return jsonrpc === undefined
    ? [violation("missing-field", "a message without jsonrpc")]
    : [violation("unknown-value", `unknown version of JSON-RPC ${JSON.stringify(jsonrpc)}`)];
}
