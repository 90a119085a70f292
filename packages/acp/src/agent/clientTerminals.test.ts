/** Commands in the editor's own terminals: it shows them itself, and the log has what ran all the same. */
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createMemorySessionStore, systemClock } from "@callboard/agent-sdk";
import type { JsonObject, RunEvent } from "@callboard/run-log";
import { afterEach, beforeEach, expect, it } from "vitest";
import { createEditorTerminals, type EditorTerminals } from "../testing/editorTerminals.js";
import { openTalk, type Talk } from "../testing/talk.js";
import { createMemoryPlaces } from "./sessionPlaces.js";

let cwd = "";
let talk: Talk | undefined;
let store = createMemorySessionStore({ clock: systemClock });
const places = createMemoryPlaces();

beforeEach(async () => {
  cwd = await mkdtemp(join(tmpdir(), "callboard-terminals-"));
  store = createMemorySessionStore({ clock: systemClock });
});
afterEach(async () => {
  await talk?.close();
  talk = undefined;
  await rm(cwd, { recursive: true, force: true });
});

async function opened(
  terminals: EditorTerminals,
  onLine: (line: string) => void = () => undefined,
): Promise<Talk> {
  const capabilities = { terminal: true };
  talk = await openTalk(1, { capabilities, terminals, store, places, onLine });
  return talk;
}

async function logged(sessionId: string): Promise<readonly RunEvent[]> {
  await talk?.request("session/close", { sessionId });
  const log = await store.open(sessionId);
  const events: RunEvent[] = [];
  for (const runId of await log.runIds()) events.push(...(await log.read(runId, { after: 0 })));
  await log.close();
  return events;
}

const shell = (command: string, more: JsonObject = {}) =>
  `call shell ${JSON.stringify({ command, ...more })}`;

it("are shown there, logged as they print, and replayed as text", async () => {
  const go = join(cwd, "go");
  const terminals = createEditorTerminals((output) => {
    if (output === "one\n") void writeFile(go, "");
  });
  const current = await opened(terminals);
  const sessionId = await current.newSession({ cwd });
  await current.prompt(
    sessionId,
    shell("echo one; while [ ! -e go ]; do sleep 0.05; done; echo two; exit 3"),
  );
  const contents = current
    .updates()
    .flatMap(({ content }) => (Array.isArray(content) ? [content] : []));
  const terminal = { type: "terminal", terminalId: "editor-terminal-1" };
  const reason = "exit code 3";
  const words = { type: "content", content: { type: "text", text: reason } };
  expect(contents).toEqual([[terminal], [terminal, words]]);
  expect(current.steps().at(-1)).toBe("failed");
  expect(current.check().findings).toEqual([]);
  expect(terminals.unreleased).toEqual([]);

  const events = await logged(sessionId);
  const progress = events.flatMap((event) =>
    event.type === "call.run.progressed" ? [event.progress] : [],
  );
  expect(progress).toEqual([
    { type: "terminal", terminalId: "editor-terminal-1" },
    { type: "output", offset: 0, text: "one\n" },
    { type: "output", offset: 4, text: "two\n" },
  ]);
  expect(events.find(({ type }) => type === "call.closed")).toMatchObject({
    ...{ outcome: "error", errorType: "exit_code", message: "exit code 3" },
    ...{ output: "one\ntwo\n", exitCode: 3, summary: "exit 3" },
  });

  const told = current.updates().length;
  await current.request("session/load", { sessionId, cwd, mcpServers: [] });
  const replayed = current.updates().slice(told);
  expect(replayed.find(({ sessionUpdate }) => sessionUpdate === "tool_call")).toMatchObject({
    status: "failed",
    content: [{ type: "content", content: { type: "text", text: `one\ntwo\n\n${reason}` } }],
  });
});

it("are shown before they are released, however short the command is", async () => {
  const current = await opened(createEditorTerminals());
  const sessionId = await current.newSession({ cwd });
  for (const word of ["one", "two", "three"])
    await current.prompt(sessionId, shell(`echo ${word}`));
  const order = current.agentLines.flatMap((line) => {
    const { method, params } = JSON.parse(line);
    if (method === "terminal/release") return [`released ${params.terminalId}`];
    const shown = JSON.stringify(params?.update?.content ?? []).match(/editor-terminal-\d/g) ?? [];
    return shown.map((id) => `shown ${id}`);
  });
  const expected = [1, 2, 3].flatMap((count) => [
    `shown editor-terminal-${count}`,
    `released editor-terminal-${count}`,
  ]);
  expect(order).toEqual(expected);
});

it("are text for a client that only prints their names", async () => {
  const capabilities = { terminal: true };
  const terminals = createEditorTerminals();
  talk = await openTalk(1, { capabilities, terminals, store, places, name: "acpx" });
  const sessionId = await talk.newSession({ cwd });
  await talk.prompt(sessionId, shell("echo seen; exit 4"));
  const text = "seen\n\nexit code 4";
  expect(talk.updates().find(({ status }) => status === "failed")).toMatchObject({
    content: [{ type: "content", content: { type: "text", text } }],
  });
});

it("are killed with their turn and released", async () => {
  const terminals = createEditorTerminals();
  const current = await opened(terminals, (line) => {
    if (!line.includes('"terminal/wait_for_exit"')) return;
    const { sessionId } = JSON.parse(line).params;
    void current.notify("session/cancel", { sessionId });
  });
  const sessionId = await current.newSession({ cwd });
  const { stopReason } = await current.prompt(sessionId, shell("echo begun; sleep 30"));
  expect(stopReason).toBe("cancelled");
  expect(current.steps().at(-1)).toBe("failed");
  expect(terminals.unreleased).toEqual([]);
});

it("are killed when their time is up, and say so", async () => {
  const current = await opened(createEditorTerminals());
  const sessionId = await current.newSession({ cwd });
  await current.prompt(sessionId, shell("sleep 30", { timeout_seconds: 0.2 }));
  const closed = (await logged(sessionId)).find(({ type }) => type === "call.closed");
  expect(closed).toMatchObject({
    ...{
      outcome: "error",
      errorType: "timeout",
      message: "The command did not end within 0.2 s and was stopped.",
    },
  });
});

it("that the editor refuses fail with its reason", async () => {
  const terminals: EditorTerminals = {
    ...createEditorTerminals(),
    create() {
      throw new Error("Permission denied for terminal/create");
    },
  };
  const current = await opened(terminals);
  await current.prompt(await current.newSession({ cwd }), shell("true"));
  const text = "The editor refused: Permission denied for terminal/create";
  expect(current.updates().findLast((update) => "toolCallId" in update)).toMatchObject({
    ...{ status: "failed", content: [{ type: "content", content: { type: "text", text } }] },
  });
});

it("give a command the effect key of its call, and run one in the background without holding up the model", async () => {
  const terminals = createEditorTerminals();
  const current = await opened(terminals);
  const sessionId = await current.newSession({ cwd });
  const command = 'printf %s "$CALLBOARD_EFFECT_KEY" > key; while [ ! -e go ]; do sleep 0.05; done';
  await current.prompt(sessionId, `${shell(command, { background: true })}\nsay meanwhile`);
  expect(current.said()).toContain("Rehearsal: meanwhile");
  const key = join(cwd, "key");
  await expect.poll(() => readFile(key, "utf8").catch(() => "")).toMatch(/^[0-9a-f]{32}$/);
  await writeFile(join(cwd, "go"), "");
  await expect.poll(() => terminals.unreleased).toEqual([]);
});
