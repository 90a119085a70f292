/**
 * The names of calls and terminals in messages that are not updates of them: requests about a call, states that list
 * what continues in the background, and what the client sends about what it knows. Unchanged messages stay the same
 * object.
 */
import { isJsonList, isJsonObject, type JsonObject, type JsonValue } from "@callboard/run-log";
import type { CallNames } from "./callNames.js";

type Field = "toolCallId" | "terminalId";
type NameOf = (id: string) => string;

/** A request of the agent about a call, such as a form. */
export function requestForClient(message: JsonObject, names: CallNames): JsonObject {
  return withParams(message, (params, sessionId) =>
    withNames(params, ["toolCallId"], (id) => names.nameOf(sessionId, id)),
  );
}

/** A question about a command or another subject, by the name of a call that has not ended. */
export function questionForClient(message: JsonObject, names: CallNames): JsonObject {
  return withParams(message, (params, sessionId) => {
    const { subject } = params;
    if (!isJsonObject(subject)) return params;
    const asked = withNames(subject, ["toolCallId"], (id) => names.asked(sessionId, id));
    const named = withNames(asked, ["terminalId"], (id) => names.nameOf(sessionId, id));
    return named === subject ? params : { ...params, subject: named };
  });
}

/** A state of v2 with the calls and terminals that continue in the background. */
export function stateForClient(message: JsonObject, names: CallNames): JsonObject {
  return withParams(message, (params, sessionId) => {
    const { update } = params;
    if (!isJsonObject(update) || !isJsonList(update.background)) return params;
    const background = update.background.map((item: JsonValue) =>
      isJsonObject(item)
        ? withNames(item, ["toolCallId", "terminalId"], (id) => names.nameOf(sessionId, id))
        : item,
    );
    const isSame = background.every((item, at) => item === Object(update.background)[at]);
    return isSame ? params : { ...params, update: { ...update, background } };
  });
}

/** A client that names a call or a terminal by the name that it was given means the agent's. */
export function requestForAgent(message: JsonObject, names: CallNames): JsonObject {
  return withParams(message, (params, sessionId) =>
    withNames(params, ["toolCallId", "terminalId"], (name) => names.agentIdOf(sessionId, name)),
  );
}

function withParams(
  message: JsonObject,
  changed: (params: JsonObject, sessionId: string) => JsonObject,
): JsonObject {
  const { params } = message;
  if (!isJsonObject(params) || typeof params.sessionId !== "string") return message;
  const named = changed(params, params.sessionId);
  return named === params ? message : { ...message, params: named };
}

function withNames(value: JsonObject, fields: readonly Field[], nameOf: NameOf): JsonObject {
  let named = value;
  for (const field of fields) {
    const id = value[field];
    const name = typeof id === "string" ? nameOf(id) : id;
    if (name !== undefined && name !== id) named = { ...named, [field]: name };
  }
  return named;
}
