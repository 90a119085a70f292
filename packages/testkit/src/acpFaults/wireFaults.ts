/** Faults in what is sent: fields, shapes, versions, requests and answers. */
import { type AcpFault, fault } from "./acpFault.js";
import {
  callIdOf,
  moreOf,
  rpc,
  sessionId,
  text,
  update,
  updateBodyOf,
  withBody,
} from "./acpLines.js";
import {
  adds,
  afterOpening,
  again,
  changes,
  drops,
  insert,
  isCancelledEnd,
  isClosing,
  isCompleted,
  isMethod,
  isOpening,
  isPromptEnd,
  isRunning,
  isSessionAnswer,
  plantPlaceOf,
  remove,
  replace,
  sets,
} from "./plants.js";

export const wireFaults: readonly AcpFault[] = [
  fault("the whole output again for every line", "resent-content", (life, random) => {
    const at = plantPlaceOf(life, random, isRunning);
    const lines = Array.from({ length: 80 }, (_, index) =>
      moreOf(callIdOf(life[at] ?? {}), {
        content: [text("a line of output\n".repeat(8 * (index + 1)))],
      }),
    );
    return insert(life, at + 1, ...lines);
  }),
  fault("the same content again", "unchanged-field", again("content")),
  fault("the same title again", "unchanged-field", again("title")),
  fault("the same kind again", "unchanged-field", again("kind")),
  fault("the same arguments again", "unchanged-field", again("rawInput")),
  fault("the same status again", "unchanged-field", again("status")),
  fault("the same places again", "unchanged-field", again("locations")),
  fault(
    "an update that says nothing",
    "empty-update",
    afterOpening((line) => [moreOf(callIdOf(line), {})]),
  ),
  fault("a call without a title", "missing-field", sets(isOpening, { title: undefined })),
  fault("a call without an id", "missing-field", sets(isRunning, { toolCallId: undefined })),
  fault(
    "an update without a session",
    "missing-field",
    changes(isRunning, (line) =>
      rpc({ method: "session/update", params: { update: updateBodyOf(line) } }),
    ),
  ),
  fault(
    "an update without its body",
    "missing-field",
    adds(isRunning, () => [rpc({ method: "session/update", params: { sessionId } })]),
  ),
  fault(
    "an update without its kind",
    "missing-field",
    adds(isRunning, () => [update({ title: "x" })]),
  ),
  fault("a kind that there is not", "unknown-value", sets(isOpening, { kind: "dance" })),
  fault("a status that there is not", "unknown-value", sets(isRunning, { status: "running" })),
  fault("a status of v2 on v1", "wrong-version", sets(isClosing, { status: "cancelled" })),
  fault(
    "a chunk of content on v1",
    "wrong-version",
    adds(isRunning, (line) => [
      update({
        ...{ sessionUpdate: "tool_call_content_chunk", toolCallId: String(callIdOf(line)) },
        content: text("x"),
      }),
    ]),
  ),
  fault(
    "a terminal of v2 on v1",
    "wrong-version",
    adds(isRunning, () => [
      update({ sessionUpdate: "terminal_update", terminalId: "t", command: "ls" }),
    ]),
  ),
  fault(
    "a state of v2 on v1",
    "wrong-version",
    adds(isMethod("session/prompt"), () => [
      update({ sessionUpdate: "state_update", state: "running" }),
    ]),
  ),
  fault("content that is no list", "malformed-content", sets(isRunning, { content: "x" })),
  fault(
    "content of a type that there is not",
    "malformed-content",
    sets(isRunning, { content: [{ type: "dance" }] }),
  ),
  fault(
    "a text without text",
    "malformed-content",
    sets(isRunning, { content: [{ type: "content", content: { type: "text" } }] }),
  ),
  fault(
    "a diff without a path",
    "malformed-content",
    sets(isRunning, { content: [{ type: "diff", newText: "x" }] }),
  ),
  fault(
    "a diff that changes nothing",
    "malformed-content",
    sets(isRunning, { content: [{ type: "diff", path: "/a", oldText: "x", newText: "x" }] }),
  ),
  fault(
    "a terminal without an id",
    "malformed-content",
    sets(isRunning, { content: [{ type: "terminal" }] }),
  ),
  fault(
    "a place without a path",
    "malformed-content",
    sets(isRunning, { locations: [{ line: 3 }] }),
  ),
  fault("a cancelled turn that ended well", "cancel-not-honoured", (life, random) => {
    const at = plantPlaceOf(life, random, isCancelledEnd);
    return replace(life, at, { ...Object(life[at]), result: { stopReason: "end_turn" } });
  }),
  fault("a cancelled turn that ended with an error", "cancel-not-honoured", (life, random) => {
    const at = plantPlaceOf(life, random, isCancelledEnd);
    return replace(
      life,
      at,
      rpc({ id: Object(life[at]).id, error: { code: -32603, message: "aborted" } }),
    );
  }),
  fault("a prompt without an answer", "request-unanswered", (life, random) => {
    const at = plantPlaceOf(life, random, isPromptEnd);
    return remove(life, at);
  }),
  fault(
    "a prompt answered twice",
    "answered-twice",
    adds(isPromptEnd, (line) => [line]),
  ),
  fault(
    "a reason to stop that there is not",
    "unknown-value",
    changes(
      (line) => Object(Object(line).result).stopReason === "end_turn",
      (line) => ({ ...Object(line), result: { stopReason: "finished" } }),
    ),
  ),
  fault("a file of a client that has none", "capability-not-given", (life, random) => {
    const without = rpc({
      id: 0,
      method: "initialize",
      params: { protocolVersion: 1, clientCapabilities: { terminal: true } },
    });
    const at = plantPlaceOf(life, random, isRunning);
    const reading = rpc({
      id: 901,
      method: "fs/read_text_file",
      params: { sessionId, path: "/a" },
    });
    return replace(
      insert(life, at + 1, reading, rpc({ id: 901, result: { content: "" } })),
      plantPlaceOf(life, random, isMethod("initialize")),
      without,
    );
  }),
  fault("a terminal of a client that has none", "capability-not-given", (life, random) => {
    const without = rpc({
      id: 0,
      method: "initialize",
      params: {
        protocolVersion: 1,
        clientCapabilities: { fs: { readTextFile: true, writeTextFile: true } },
      },
    });
    const at = plantPlaceOf(life, random, isRunning);
    const making = rpc({
      id: 902,
      method: "terminal/create",
      params: { sessionId, command: "ls" },
    });
    return replace(
      insert(life, at + 1, making, rpc({ id: 902, result: { terminalId: "t" } })),
      plantPlaceOf(life, random, isMethod("initialize")),
      without,
    );
  }),
  fault(
    "an update of a session that there is not",
    "unknown-session",
    adds(isRunning, () => [update({ sessionUpdate: "plan", entries: [] }, "nobody")]),
  ),
  fault(
    "a question of a session that there is not",
    "unknown-session",
    adds(isRunning, () => [
      rpc({
        ...{ id: 903, method: "session/request_permission" },
        params: { sessionId: "nobody", toolCall: { toolCallId: "x", title: "x" }, options: [] },
      }),
      rpc({ id: 903, result: { outcome: { outcome: "cancelled" } } }),
    ]),
  ),
  fault(
    "a resumed session that is told again",
    "resume-replays",
    adds(isMethod("session/resume"), () => [
      update({ sessionUpdate: "user_message_chunk", content: { type: "text", text: "hello" } }),
    ]),
  ),
  fault("an update before its session", "update-before-session", (life, random) =>
    insert(
      life,
      plantPlaceOf(life, random, isSessionAnswer),
      update({ sessionUpdate: "available_commands_update", availableCommands: [] }),
    ),
  ),
  fault(
    "an update of a kind that there is not",
    "unknown-type",
    adds(isRunning, () => [update({ sessionUpdate: "dance" })]),
  ),
  fault(
    "a method that there is not",
    "unknown-type",
    adds(isRunning, () => [rpc({ method: "dance/now", params: {} })]),
  ),
  fault(
    "a line that is no JSON",
    "malformed-line",
    adds(isRunning, () => ["Debugger attached."]),
  ),
  fault(
    "a message that is none",
    "missing-field",
    adds(isRunning, () => [rpc({ id: 77 })]),
  ),
  fault(
    "an opening of v1 on v2",
    "wrong-version",
    changes(isOpening, (line) => withBody(line, { sessionUpdate: "tool_call" })),
    2,
  ),
  fault("a call open when v2 is idle", "open-at-turn-end", drops(isClosing), 2),
  fault(
    "a chunk after the end on v2",
    "update-after-close",
    adds(isClosing, (line) => [
      update({
        ...{ sessionUpdate: "tool_call_content_chunk", toolCallId: String(callIdOf(line)) },
        content: text("late"),
      }),
    ]),
    2,
  ),
  fault(
    "a terminal of v2 killed, its call completed",
    "contradictory-outcome",
    (life, random) => {
      const at = plantPlaceOf(
        life,
        random,
        (line, _, all) =>
          Array.isArray(updateBodyOf(line).content) &&
          JSON.stringify(updateBodyOf(line).content).includes("terminal") &&
          all.some((other) => callIdOf(other) === callIdOf(line) && isCompleted(other)),
      );
      const [item] = Object(updateBodyOf(life[at] ?? {}).content);
      const { terminalId } = Object(item);
      const killed = {
        sessionUpdate: "terminal_update",
        terminalId,
        exitStatus: { signal: "SIGKILL" },
      };
      return insert(life, at + 1, update(killed));
    },
    2,
  ),
  fault("the same content again on v2", "unchanged-field", again("content"), 2),
  fault(
    "an update that says nothing on v2",
    "empty-update",
    afterOpening((line) => [moreOf(callIdOf(line), {})]),
    2,
  ),
];
