/** Faults around messages and requests: ids, the start of a connection, questions, cancellations, what is offered. */
import type { JsonObject } from "@callboard/run-log";
import { type AcpFault, fault, onBoth } from "./acpFault.js";
import { type AcpLife, type AcpLine, rpc, sessionId, text, update } from "./acpLines.js";
import {
  adds,
  changes,
  insert,
  isMethod,
  isPromptEnd,
  isRunning,
  isSessionAnswer,
  isYes,
  NoPlaceError,
  type Plant,
  plantPlaceOf,
  replace,
} from "./plants.js";

const isQuestion = isMethod("session/request_permission");
const isPrompt = isMethod("session/prompt");
const isInitialize = isMethod("initialize");
const isUpdate = isMethod("session/update");
const isSessionNew = isMethod("session/new");

const withParams = (fields: JsonObject) => (line: AcpLine) => ({
  ...Object(line),
  params: { ...Object(Object(line).params), ...fields },
});
const withOptions = (ids: readonly string[]) =>
  withParams({ options: ids.map((optionId) => ({ optionId, name: "x", kind: "allow_once" })) });
const without = (field: string) => (line: AcpLine) => {
  const { [field]: _, ...rest } = Object(line);
  return rest;
};

/** The agent says that it cannot do something. */
function withoutOffer(life: AcpLife, fields: JsonObject): AcpLife {
  return life.map((line) => {
    const { result } = Object(line);
    if (Object(result).protocolVersion === undefined) return line;
    const agentCapabilities = { ...Object(result.agentCapabilities), ...fields };
    return { ...Object(line), result: { ...result, agentCapabilities } };
  });
}

/** The question is open when the turn is cancelled, and its answer comes after it. */
function allowedAfterCancel(life: AcpLife, random: Parameters<Plant>[1]): AcpLife {
  const at = plantPlaceOf(life, random, isYes);
  const asked = Object(Object(life[at - 1]).params);
  if (asked.toolCall === undefined) throw new NoPlaceError("the question is not the line before");
  return insert(life, at, rpc({ method: "session/cancel", params: { sessionId } }));
}

export const messageFaults: readonly AcpFault[] = [
  ...onBoth(
    "a message without its version",
    "missing-field",
    changes(isUpdate, without("jsonrpc")),
  ),
  ...onBoth(
    "a message of another version",
    "unknown-value",
    changes(isUpdate, (line) => ({ ...Object(line), jsonrpc: "1.0" })),
  ),
  ...onBoth(
    "an update with an id",
    "forbidden-field",
    changes(isUpdate, (line) => ({ ...Object(line), id: 922 })),
  ),
  fault("a mode that was not offered", "unknown-value", (life, random) => {
    const at = plantPlaceOf(life, random, isSessionAnswer);
    const answer = Object(life[at]);
    const modes = { currentModeId: "ask", availableModes: [{ id: "ask", name: "Ask" }] };
    const offered = replace(life, at, { ...answer, result: { ...answer.result, modes } });
    const other = update({ sessionUpdate: "current_mode_update", currentModeId: "planted" });
    return insert(offered, plantPlaceOf(offered, random, isPrompt) + 1, other);
  }),
  ...onBoth("a question without an id", "missing-field", changes(isQuestion, without("id"))),
  ...onBoth(
    "an answer that nobody asked for",
    "answer-without-request",
    adds(isRunning, () => [rpc({ id: 923, result: {} })]),
  ),
  ...onBoth(
    "an answer whose id has another type",
    "answer-without-request",
    changes(
      (line) => Object(Object(line).result).sessionId !== undefined,
      (line) => ({ ...Object(line), id: String(Object(line).id) }),
    ),
  ),
  ...onBoth(
    "an id that a waiting request has",
    "id-reused",
    adds(isRunning, () => [
      rpc({ id: 924, method: "session/set_mode", params: { sessionId, modeId: "a" } }),
      rpc({ id: 924, method: "session/set_mode", params: { sessionId, modeId: "b" } }),
      rpc({ id: 924, result: {} }),
    ]),
  ),
  ...onBoth("a connection that starts twice", "started-twice", (life, random) => {
    const at = plantPlaceOf(life, random, isInitialize);
    return insert(life, at + 2, ...life.slice(at, at + 2));
  }),
  ...onBoth("a session before the connection", "missing-start", (life, random) => {
    const at = plantPlaceOf(life, random, isInitialize);
    const early = rpc({ id: 925, method: "session/list", params: {} });
    return insert(life, at, early, rpc({ id: 925, result: { sessions: [] } }));
  }),
  ...onBoth(
    "a prompt of a session that there is not",
    "unknown-session",
    changes(isPrompt, withParams({ sessionId: "nobody" })),
  ),
  ...onBoth(
    "a session in a place that is not absolute",
    "malformed-content",
    changes(isSessionNew, withParams({ cwd: "project" })),
  ),
  ...onBoth(
    "a question with nothing to choose",
    "missing-field",
    changes(isQuestion, withOptions([])),
  ),
  ...onBoth(
    "a question with one id for two options",
    "approval-mismatch",
    changes(isQuestion, withOptions(["yes", "yes"])),
  ),
  ...onBoth(
    "an option that was not offered",
    "approval-mismatch",
    changes(isYes, (line) =>
      rpc({
        id: Object(line).id,
        result: { outcome: { outcome: "selected", optionId: "perhaps" } },
      }),
    ),
  ),
  ...onBoth(
    "a question answered without an outcome",
    "missing-field",
    changes(isYes, (line) => rpc({ id: Object(line).id, result: {} })),
  ),
  ...onBoth("a second question before the answer", "approval-mismatch", (life, random) => {
    const at = plantPlaceOf(life, random, isQuestion);
    const second = { ...Object(life[at]), id: 926 };
    const answer = { ...Object(life[at + 1]), id: 926 };
    return insert(insert(life, at + 2, answer), at + 1, second);
  }),
  fault("a question about a call that has completed", "approval-mismatch", (life, random) => {
    const at = plantPlaceOf(life, random, isQuestion);
    const toolCall = { ...Object(Object(Object(life[at]).params).toolCall), status: "completed" };
    return life.map((line, index) => (index === at ? withParams({ toolCall })(line) : line));
  }),
  fault("an option chosen after the turn was cancelled", "cancel-not-honoured", allowedAfterCancel),
  fault(
    "a turn that nobody cancelled, answered cancelled",
    "cancel-not-honoured",
    changes(
      (line) => Object(Object(line).result).stopReason === "end_turn",
      (line) => ({ ...Object(line), result: { stopReason: "cancelled" } }),
    ),
  ),
  fault(
    "a cancelled turn of v2 that ended well",
    "cancel-not-honoured",
    (life) => {
      const cancel = life.findIndex(isMethod("session/cancel"));
      const end = life.findIndex(
        (line, index) =>
          index > cancel && JSON.stringify(line).includes('"stopReason":"cancelled"'),
      );
      if (cancel === -1 || end === -1) throw new NoPlaceError("nothing is cancelled");
      const idle = update({
        ...{ sessionUpdate: "state_update", state: "idle", stopReason: "end_turn" },
      });
      return life.map((line, index) => (index === end ? idle : line));
    },
    2,
  ),
  fault(
    "a turn of v2 that never ends",
    "request-unanswered",
    (life) => {
      const end = life.findLastIndex(isPromptEnd);
      if (end === -1) throw new NoPlaceError("no turn ends");
      return [...life.slice(0, end), ...life.slice(end + 1)];
    },
    2,
  ),
  fault(
    "a session that is loaded by an agent that cannot",
    "capability-not-given",
    (life, random) => {
      const at = plantPlaceOf(life, random, isPromptEnd);
      const load = rpc({ id: 927, method: "session/load", params: { sessionId, cwd: "/p" } });
      const asked = insert(life, at + 1, load, rpc({ id: 927, result: {} }));
      return withoutOffer(asked, { loadSession: false });
    },
  ),
  fault("a picture for an agent that takes none", "capability-not-given", (life, random) => {
    const at = plantPlaceOf(life, random, isPrompt);
    const picture = { type: "image", data: "aGk=", mimeType: "image/png" };
    const asked = replace(life, at, withParams({ prompt: [picture] })(life[at] ?? {}));
    return withoutOffer(asked, { promptCapabilities: {} });
  }),
  ...onBoth("a resumed session that is told again after its answer", "resume-replays", (life) => {
    const at = life.findIndex(isMethod("session/resume"));
    if (at === -1) throw new NoPlaceError("nothing is resumed");
    const words = {
      sessionUpdate: "user_message_chunk",
      messageId: "old",
      content: text("x").content ?? "",
    };
    return insert(life, at + 2, update(words));
  }),
];
