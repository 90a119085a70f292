/** Faults in the fields of updates and requests: what is missing, of another type, of another version, or said again. */
import type { JsonObject } from "@callboard/run-log";
import { type AcpFault, fault, onBoth } from "./acpFault.js";
import { type AcpLine, callIdOf, moreOf, rpc, sessionId, update } from "./acpLines.js";
import { adds, insert, isRunning, type Plant, plantPlaceOf, sets } from "./plants.js";

/** A request of the agent in the middle of a call, and its answer. */
const asks = (method: string, params: JsonObject, result: JsonObject): Plant =>
  adds(isRunning, () => [
    rpc({ id: 920, method, params: { sessionId, ...params } }),
    rpc({ id: 920, result }),
  ]);
const saysTwice = (body: JsonObject): Plant => adds(isRunning, () => [update(body), update(body)]);
const says = (body: JsonObject): Plant => adds(isRunning, () => [update(body)]);
const speaks = (content: JsonObject): Plant =>
  says({ sessionUpdate: "agent_message_chunk", messageId: "planted", content });
const more = (fields: JsonObject): Plant =>
  adds(isRunning, (line) => [moreOf(callIdOf(line), fields)]);

const created: readonly AcpLine[] = [
  rpc({ id: 921, method: "terminal/create", params: { sessionId, command: "ls" } }),
  rpc({ id: 921, result: { terminalId: "kept" } }),
];
const ofDraft = (fields: JsonObject): AcpLine =>
  update({ terminalId: "planted", sessionUpdate: "terminal_update", ...fields });
const bytes = (data: string): AcpLine => ofDraft({ sessionUpdate: "terminal_output_chunk", data });

export const formFaults: readonly AcpFault[] = [
  fault(
    "a state of v2 that there is not",
    "unknown-value",
    says({ sessionUpdate: "state_update", state: "busy" }),
    2,
  ),
  fault(
    "words of v2 without a message",
    "missing-field",
    says({ sessionUpdate: "agent_message_chunk", content: { type: "text", text: "x" } }),
    2,
  ),
  fault(
    "a chunk of v2 without content",
    "missing-field",
    adds(isRunning, (line) => [
      update({ sessionUpdate: "tool_call_content_chunk", toolCallId: String(callIdOf(line)) }),
    ]),
    2,
  ),
  fault(
    "a chunk of v2 of a type that there is not",
    "malformed-content",
    adds(isRunning, (line) => [
      update({
        ...{ sessionUpdate: "tool_call_content_chunk", toolCallId: String(callIdOf(line)) },
        content: { type: "dance" },
      }),
    ]),
    2,
  ),
  fault(
    "bytes of v2 that are no base64",
    "malformed-content",
    adds(isRunning, () => [bytes("a b!")]),
    2,
  ),
  fault(
    "bytes of v2 after the exit",
    "terminal-not-open",
    adds(isRunning, () => [
      ofDraft({ command: "ls" }),
      ofDraft({ exitStatus: { exitCode: 0 } }),
      bytes("YQ=="),
    ]),
    2,
  ),
  fault(
    "a file of v1 on v2",
    "wrong-version",
    asks("fs/read_text_file", { path: "/a" }, { content: "" }),
    2,
  ),
  fault(
    "a terminal of v1 on v2",
    "wrong-version",
    adds(isRunning, () => created),
    2,
  ),
  fault(
    "a terminal that is shown and was never created",
    "terminal-not-open",
    more({ content: [{ type: "terminal", terminalId: "nobody" }] }),
  ),
  fault(
    "a terminal that is never released",
    "terminal-left-open",
    adds(isRunning, () => created),
  ),
  fault(
    "a file in a place that is not absolute",
    "malformed-content",
    asks("fs/read_text_file", { path: "a" }, { content: "" }),
  ),
  fault("a file without a path", "missing-field", asks("fs/read_text_file", {}, { content: "" })),
  fault(
    "a file that is read without its content",
    "missing-field",
    asks("fs/read_text_file", { path: "/a" }, {}),
  ),
  fault(
    "a file written with nothing",
    "missing-field",
    asks("fs/write_text_file", { path: "/a" }, {}),
  ),
  fault(
    "a terminal without a command",
    "missing-field",
    asks("terminal/create", {}, { terminalId: "t" }),
  ),
  ...onBoth(
    "an update of what the protocol does not know",
    "empty-update",
    more({ state: "done" }),
  ),
  ...onBoth("an update with empty _meta", "empty-update", more({ _meta: {} })),
  ...onBoth("_meta that is no object", "unknown-value", sets(isRunning, { _meta: "x" })),
  ...onBoth("a title that is a number", "unknown-value", more({ title: 3 })),
  ...onBoth(
    "a line that is a text",
    "malformed-content",
    more({ locations: [{ path: "/a", line: "3" }] }),
  ),
  ...onBoth("the same raw output in another order", "unchanged-field", (life, random) => {
    const at = plantPlaceOf(life, random, isRunning);
    const id = callIdOf(life[at] ?? {});
    const first = moreOf(id, { rawOutput: { planted: 1, again: 2 } });
    return insert(life, at + 1, first, moreOf(id, { rawOutput: { again: 2, planted: 1 } }));
  }),
  fault(
    "a diff in a place that is not absolute",
    "malformed-content",
    more({ content: [{ type: "diff", path: "a", newText: "b" }] }),
  ),
  fault(
    "a diff of something that is no text",
    "malformed-content",
    more({ content: [{ type: "diff", path: "/a", oldText: 3, newText: "b" }] }),
  ),
  ...onBoth("a picture without its type", "missing-field", speaks({ type: "image", data: "aGk=" })),
  ...onBoth(
    "a link without a name",
    "missing-field",
    speaks({ type: "resource_link", uri: "file:///a" }),
  ),
  ...onBoth(
    "a resource without its place",
    "missing-field",
    speaks({ type: "resource", resource: { text: "x" } }),
  ),
  ...onBoth("words that are empty", "empty-update", speaks({ type: "text", text: "" })),
  ...onBoth(
    "commands without a list",
    "missing-field",
    says({ sessionUpdate: "available_commands_update" }),
  ),
  fault(
    "a command without a description",
    "missing-field",
    says({ sessionUpdate: "available_commands_update", availableCommands: [{ name: "a" }] }),
  ),
  ...onBoth("usage without numbers", "missing-field", says({ sessionUpdate: "usage_update" })),
  ...onBoth(
    "the same usage again",
    "unchanged-field",
    saysTwice({ sessionUpdate: "usage_update", used: 123_456, size: 200_000 }),
  ),
  fault(
    "the same plan again",
    "unchanged-field",
    saysTwice({
      sessionUpdate: "plan",
      entries: [{ content: "look", priority: "high", status: "pending" }],
    }),
  ),
];
