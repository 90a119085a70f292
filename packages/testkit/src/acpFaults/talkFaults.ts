/** Faults in what stands around calls: terminals, questions, answers, words and sessions that are closed. */
import type { JsonObject } from "@callboard/run-log";
import { type AcpFault, fault } from "./acpFault.js";
import { type AcpLine, callIdOf, moreOf, rpc, sessionId, update } from "./acpLines.js";
import { adds, changes, isMethod, isPromptEnd, isRunning, isSessionAnswer } from "./plants.js";

const terminalId = "planted";
const terminal = (id: number, method: string): AcpLine =>
  rpc({ id, method: `terminal/${method}`, params: { sessionId, terminalId } });
const created: readonly AcpLine[] = [
  rpc({ id: 904, method: "terminal/create", params: { sessionId, command: "ls" } }),
  rpc({ id: 904, result: { terminalId } }),
];
const released: readonly AcpLine[] = [terminal(905, "release"), rpc({ id: 905, result: {} })];
const read: readonly AcpLine[] = [
  terminal(906, "output"),
  rpc({ id: 906, result: { output: "", truncated: false } }),
];
const isQuestion = isMethod("session/request_permission");
const withParams = (fields: object) => (line: AcpLine) => ({
  ...Object(line),
  params: { ...Object(Object(line).params), ...fields },
});
const says = (name: string, rule: string, body: JsonObject): AcpFault =>
  fault(
    name,
    rule,
    adds(isRunning, () => [update(body)]),
  );

export const talkFaults: readonly AcpFault[] = [
  fault(
    "a terminal that is shown after its release",
    "terminal-not-open",
    adds(isRunning, (line) => [
      ...created,
      ...released,
      moreOf(callIdOf(line), { content: [{ type: "terminal", terminalId }] }),
    ]),
  ),
  fault(
    "a terminal that is read after its release",
    "terminal-not-open",
    adds(isRunning, () => [...created, ...released, ...read]),
  ),
  fault(
    "a terminal that was never created",
    "terminal-not-open",
    adds(isRunning, () => read),
  ),
  fault(
    "a form of a client that has none",
    "capability-not-given",
    adds(isRunning, () => [
      rpc({
        ...{ id: 907, method: "elicitation/create" },
        params: { sessionId, mode: "form", message: "Which?", requestedSchema: {} },
      }),
      rpc({ id: 907, result: { action: "decline" } }),
    ]),
  ),
  fault(
    "a question without options",
    "missing-field",
    changes(isQuestion, withParams({ options: undefined })),
  ),
  fault(
    "a question without a call",
    "missing-field",
    changes(isQuestion, withParams({ toolCall: undefined })),
  ),
  fault(
    "an option of a kind that there is not",
    "unknown-value",
    changes(isQuestion, withParams({ options: [{ optionId: "yes", name: "Yes", kind: "allow" }] })),
  ),
  fault(
    "a question of v2 without a title",
    "missing-field",
    changes(isQuestion, withParams({ title: undefined })),
    2,
  ),
  fault(
    "a prompt answered without a reason",
    "missing-field",
    changes(isPromptEnd, (line) => rpc({ id: Object(line).id, result: {} })),
  ),
  fault(
    "a session without an id",
    "missing-field",
    changes(isSessionAnswer, (line) => rpc({ id: Object(line).id, result: {} })),
  ),
  fault(
    "an answer with a result and an error",
    "forbidden-field",
    changes(isPromptEnd, (line) => ({
      ...Object(line),
      error: { code: -32603, message: "both" },
    })),
  ),
  fault(
    "an error without its message",
    "missing-field",
    changes(isPromptEnd, (line) => rpc({ id: Object(line).id, error: { code: -32603 } })),
  ),
  says("words without content", "missing-field", { sessionUpdate: "agent_message_chunk" }),
  says("words that are no block", "unknown-value", {
    ...{ sessionUpdate: "agent_thought_chunk", content: "hello" },
  }),
  says("a plan without entries", "missing-field", { sessionUpdate: "plan" }),
  says("a plan with a state that there is not", "unknown-value", {
    sessionUpdate: "plan",
    entries: [{ content: "look", priority: "high", status: "done" }],
  }),
  says("a mode without its name", "missing-field", { sessionUpdate: "current_mode_update" }),
  fault(
    "a prompt to a session that was closed",
    "unknown-session",
    adds(isPromptEnd, () => [
      rpc({ id: 908, method: "session/close", params: { sessionId } }),
      rpc({ id: 908, result: {} }),
      rpc({ id: 909, method: "session/prompt", params: { sessionId, prompt: [] } }),
      rpc({ id: 909, result: { stopReason: "end_turn" } }),
    ]),
  ),
];
