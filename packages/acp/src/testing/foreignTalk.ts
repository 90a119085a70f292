/**
 * Small dialogues of foreign agents: each has a fault that real ones have. The client's side is the same for all: it
 * initialises, opens a session, prompts, answers, and may cancel.
 */
import type { JsonObject } from "@callboard/run-log";

export interface ForeignTalk {
  readonly name: string;
  /** The rules that the agent's own lines break. */
  readonly faults: readonly string[];
  /** Those of them that stay, as suspicions: clients accept them. */
  readonly accepted?: readonly string[];
  /** What the agent sends after the prompt; a string represents the client's `session/cancel`. */
  readonly lines: readonly (JsonObject | "cancel")[];
  /** How the client answers a question. */
  readonly choice: "yes" | "no";
}

export const sessionId = "ses_1";

const rpc = (fields: JsonObject): JsonObject => ({ jsonrpc: "2.0", ...fields });
export const update = (fields: JsonObject): JsonObject =>
  rpc({ method: "session/update", params: { sessionId, update: fields } });
const opened = (fields: JsonObject = {}): JsonObject =>
  update({
    sessionUpdate: "tool_call",
    toolCallId: "c1",
    title: "ls",
    status: "pending",
    ...fields,
  });
const updated = (fields: JsonObject): JsonObject =>
  update({ sessionUpdate: "tool_call_update", toolCallId: "c1", ...fields });
const asked = (fields: JsonObject): JsonObject =>
  rpc({
    ...{ id: 0, method: "session/request_permission" },
    params: {
      sessionId,
      toolCall: { toolCallId: "c1", ...fields },
      options: [
        { optionId: "yes", name: "Yes", kind: "allow_once" },
        { optionId: "no", name: "No", kind: "reject_once" },
      ],
    },
  });
const said = (text: string): JsonObject =>
  update({ sessionUpdate: "agent_message_chunk", content: { type: "text", text } });
const answered = (stopReason: string): JsonObject => rpc({ id: 2, result: { stopReason } });
const text = (words: string): JsonObject => ({
  type: "content",
  content: { type: "text", text: words },
});

const outputLine = (index: number): string =>
  `line ${index}: the quick brown fox jumps over the lazy dog\n`;
const outputUpTo = (count: number): string =>
  Array.from({ length: count }, (_, index) => outputLine(index)).join("");

export const foreignTalks: readonly ForeignTalk[] = [
  {
    name: "a question before its call, which is denied and left pending",
    ...{ faults: ["update-before-open"], accepted: ["update-before-open"] },
    choice: "no",
    lines: [
      asked({ status: "pending", title: "Write out.txt", kind: "edit" }),
      said("All done."),
      answered("end_turn"),
    ],
  },
  {
    name: "a command that was aborted and is said to have completed",
    faults: ["stage-regression", "contradictory-outcome", "completed-in-cancelled-turn"],
    choice: "yes",
    lines: [
      opened(),
      updated({ status: "in_progress" }),
      asked({ status: "pending" }),
      "cancel",
      updated({
        status: "completed",
        content: [text("started\n\nUser aborted the command")],
        rawOutput: { output: "started\n\nUser aborted the command", metadata: { exit: null } },
      }),
      answered("cancelled"),
    ],
  },
  {
    name: "a command that is still in progress at the answer and ends later",
    faults: ["open-at-turn-end", "update-after-turn-end", "closed-after-turn-end"],
    choice: "yes",
    lines: [
      opened({ status: "in_progress" }),
      updated({ _meta: { terminal_output_delta: { terminal_id: "c1", data: "started\n" } } }),
      "cancel",
      answered("cancelled"),
      updated({ _meta: { terminal_output_delta: { terminal_id: "c1", data: "finished\n" } } }),
      updated({ status: "completed", _meta: { terminal_exit: { exit_code: 0, signal: null } } }),
    ],
  },
  {
    name: "the whole output again for every line, and twice more raw",
    faults: ["unchanged-field", "resent-content"],
    choice: "yes",
    lines: [
      opened({ status: "in_progress", kind: "execute", rawInput: { command: "seq" } }),
      ...Array.from({ length: 120 }, (_, index) =>
        updated({
          ...{ status: "in_progress", kind: "execute", title: "ls" },
          ...{ rawInput: { command: "seq" }, content: [text(outputUpTo(index + 1))] },
        }),
      ),
      updated({
        status: "completed",
        content: [text(outputUpTo(120))],
        rawOutput: { output: outputUpTo(120), metadata: { output: outputUpTo(120), exit: 0 } },
      }),
      answered("end_turn"),
    ],
  },
  {
    name: "a call that is denied and left pending",
    faults: ["open-at-turn-end"],
    choice: "no",
    lines: [
      opened({ kind: "edit" }),
      asked({ status: "pending", title: "ls", kind: "edit" }),
      said("All done."),
      answered("end_turn"),
    ],
  },
];
