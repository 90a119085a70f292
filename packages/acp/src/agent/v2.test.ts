/** The agent with the library's v2 client: states instead of answers, terminals, single calls cancelled. */
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { methods } from "@agentclientprotocol/sdk/experimental/v2";
import { createMemorySessionStore, systemClock } from "@callboard/agent-sdk";
import { createAcpClient } from "@callboard/testkit";
import { afterEach, beforeEach, expect, it } from "vitest";
import { type EditorOptions, type EditorV2, openEditorV2 } from "../testing/editor.js";
import { protocolSchema } from "../testing/schemas.js";
import { createMemoryPlaces } from "./sessionPlaces.js";

let cwd = "";
let editor: EditorV2 | undefined;
let idle: (() => void) | undefined;

beforeEach(async () => {
  cwd = await mkdtemp(join(tmpdir(), "callboard-acp-"));
});

afterEach(async () => {
  await editor?.close();
  editor = undefined;
  await rm(cwd, { recursive: true, force: true });
});

async function opened(options: EditorOptions = {}): Promise<EditorV2> {
  const { onLine, ...rest } = options;
  editor = await openEditorV2({
    ...rest,
    onLine(line) {
      onLine?.(line);
      if (line.includes('"idle"')) idle?.();
    },
  });
  return editor;
}

/** Resolves when the session says that it is idle again. */
async function prompted(current: EditorV2, sessionId: string, text: string): Promise<string> {
  const ended = new Promise<void>((resolve) => {
    idle = resolve;
  });
  const { messageId } = await current.agent.request(methods.agent.session.prompt, {
    ...{ sessionId, prompt: [{ type: "text", text }] },
  });
  await ended;
  return messageId;
}

async function newSession({ agent }: EditorV2): Promise<string> {
  return (await agent.request(methods.agent.session.new, { cwd })).sessionId;
}

/** Pieces of one text count as one: how many there are depends on how fast the machine is. */
const kindsOf = (current: EditorV2) =>
  current
    .updates()
    .map(({ sessionUpdate, state, status }) =>
      [sessionUpdate, state ?? status].filter((word) => word !== undefined).join(" "),
    )
    .filter((kind, at, kinds) => !(kind.endsWith("_chunk") && kinds[at - 1] === kind))
    // On a busy machine the arguments of a call follow its opening in an update of their own.
    .filter((kind) => kind !== "tool_call_update");

it("tells a command by states, an upserted call and a terminal", async () => {
  const current = await opened();
  const sessionId = await newSession(current);
  const messageId = await prompted(current, sessionId, 'call shell {"command":"echo hi"}');
  expect(kindsOf(current)).toEqual([
    "session_info_update",
    "state_update running",
    "user_message_chunk",
    "tool_call_update pending",
    "state_update requires_action",
    "state_update running",
    "terminal_update",
    "tool_call_update in_progress",
    "terminal_output_chunk",
    "terminal_update",
    "tool_call_update completed",
    "agent_message_chunk",
    "state_update idle",
  ]);
  const client = createAcpClient();
  for (const update of current.updates()) client.apply(update);
  expect(client.state.terminals.get("rehearsal_1")).toMatchObject({
    output: "hi\n",
    exitStatus: { exitCode: 0 },
  });
  expect([...client.state.messages.keys()][0]).toBe(`user_message_chunk ${messageId}`);
  expect(current.check().findings).toEqual([]);
  const { lineProblemOf } = protocolSchema(2);
  const updates = current.agentLines.filter((line) => line.includes('"method"'));
  expect(updates.map(lineProblemOf).filter((problem) => problem !== undefined)).toEqual([]);
});

it("cancels one call and lets the turn continue", async () => {
  const current = await opened({
    onLine(line) {
      if (!line.includes('"in_progress"')) return;
      const { sessionId, update } = JSON.parse(line).params;
      const { toolCallId } = update;
      void current.agent.request(methods.agent.toolCall.cancel, { sessionId, toolCallId });
    },
  });
  const sessionId = await newSession(current);
  await prompted(current, sessionId, 'call shell {"command":"sleep 30"}\nsay going on');
  expect(kindsOf(current).slice(-3)).toEqual([
    "tool_call_update cancelled",
    "agent_message_chunk",
    "state_update idle",
  ]);
  expect(current.updates().at(-1)).toMatchObject({ stopReason: "end_turn" });
  expect(current.check().findings).toEqual([]);
  const over = { sessionId, toolCallId: "rehearsal_1" };
  await expect(current.agent.request(methods.agent.toolCall.cancel, over)).rejects.toThrow(
    /no call rehearsal_1 can be cancelled/,
  );
});

it("shows the message by which the person ran a command", async () => {
  const current = await opened();
  const sessionId = await newSession(current);
  const messageId = await prompted(current, sessionId, "/shell echo mine");
  const said = current.updates().filter((update) => update.sessionUpdate === "user_message_chunk");
  expect(said).toMatchObject([{ messageId, content: { text: "/shell echo mine" } }]);
  expect(current.check().findings).toEqual([]);
});

it("resumes with and without replay", async () => {
  const store = createMemorySessionStore({ clock: systemClock });
  const places = createMemoryPlaces();
  const before = await opened({ store, places });
  const sessionId = await newSession(before);
  await prompted(before, sessionId, 'call shell {"command":"echo hi"}\nsay done');
  await before.close();
  const after = await opened({ store, places });
  const start = { type: "start" } as const;
  await after.agent.request(methods.agent.session.resume, { sessionId, cwd, replayFrom: start });
  expect(kindsOf(after)).toEqual([
    "user_message_chunk",
    "terminal_update",
    "terminal_output_chunk",
    "terminal_update",
    "tool_call_update completed",
    "agent_message_chunk",
    "state_update idle",
  ]);
  const told = after.updates().length;
  await after.agent.request(methods.agent.session.resume, { sessionId, cwd });
  expect(kindsOf(after).slice(told)).toEqual(["state_update idle"]);
});

it("has its modes among its options", async () => {
  const current = await opened();
  const sessionId = await newSession(current);
  const { configOptions } = await current.agent.request(methods.agent.session.setConfigOption, {
    ...{ sessionId, configId: "mode", type: "id", value: "auto" },
  });
  expect(configOptions).toMatchObject([
    { configId: "mode", currentValue: "auto" },
    { configId: "effort", category: "thought_level", currentValue: "default" },
  ]);
});
