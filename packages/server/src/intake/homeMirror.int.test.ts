/** Sessions that the terminal keeps in the home, on the board of the server of the same home. */
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createFileSessionStore, type SessionLog, systemClock } from "@callboard/agent-sdk";
import {
  conversationId,
  createRecorder,
  messageId,
  partId,
  runId,
  type Timed,
} from "@callboard/run-log";
import { afterEach, beforeEach, expect, test } from "vitest";
import { type RunningServer, startServer } from "../startServer.js";
import { quietLogger } from "../testing/place.js";
import { fieldOf, textOf } from "../testing/reading.js";

const sessionId = "6f1d3c52-8a55-4a0e-9a3c-0d2f3a4b5c6d";
const run = runId("0b7e2f6a-54a1-4d57-b1c0-8f1f2c3d4e5f");

let home: string;
let server: RunningServer | undefined;

beforeEach(async () => {
  home = await mkdtemp(join(tmpdir(), "callboard-mirror-"));
});

afterEach(async () => {
  await server?.close();
  server = undefined;
  await rm(home, { recursive: true, force: true });
});

const files = () => createFileSessionStore({ home, logger: quietLogger, clock: systemClock });

async function started(): Promise<RunningServer> {
  server = await startServer({ home, port: 0, env: {}, logger: quietLogger });
  return server;
}

async function asked(path: string): Promise<unknown> {
  const headers = { authorization: `Bearer ${server?.token}` };
  return await (await fetch(`${server?.url}${path}`, { headers })).json();
}

async function rows(path: string): Promise<readonly unknown[]> {
  const list = fieldOf(await asked(path), "items");
  return Array.isArray(list) ? list : [];
}

/** Asks again until the answer is there: the server hears of files from the system. */
async function until(path: string, isThere: (found: readonly unknown[]) => boolean) {
  for (;;) {
    const found = await rows(path);
    if (isThere(found)) return found;
    await systemClock.sleep(20);
  }
}

function writerOf(log: SessionLog) {
  let at = 1_767_000_000_000;
  const recorder = createRecorder(() => (at += 5));
  return async (...intents: readonly Timed[]): Promise<void> => {
    for (const intent of intents) {
      const decision = recorder.propose(intent);
      if (decision.status === "refused") throw new Error(decision.refusal.message);
      const [first] = decision.events;
      if (first) await log.append(run, first.seq - 1, decision.events);
    }
  };
}

const beginning: readonly Timed[] = [
  { type: "startRun", runId: run, conversationId: conversationId(sessionId), model: "rehearsal" },
  ...spoken("u1", "user", "hello from the terminal"),
];

function spoken(id: string, role: "user" | "assistant", text: string): readonly Timed[] {
  const message = { messageId: messageId(id) };
  const part = { ...message, partId: partId(`${id}_1`) };
  return [
    { type: "openMessage", ...message, role },
    { type: "appendText", ...part, text },
    { type: "closeMessage", ...message },
  ];
}

test("a session that was kept before the server began is in its list", async () => {
  const log = await files().open(sessionId);
  await writerOf(log)(...beginning, { type: "closeRun", outcome: "ok" });
  await log.close();
  await started();
  const found = await until("/api/conversations", (list) => list.length > 0);
  expect(found.map((row) => textOf(row, "id"))).toEqual([sessionId]);
  const runs = await until(`/api/conversations/${sessionId}/runs`, (list) => list.length > 0);
  expect(runs).toMatchObject([{ id: run, run_status: "closed" }]);
});

test("a session that another program writes is followed live, also by a server that starts in the middle of a run", async () => {
  await started();
  const log = await files().open(sessionId);
  const write = writerOf(log);
  await write(...beginning);
  const path = `/api/conversations/${sessionId}/runs`;
  await until(path, ([row]) => row !== undefined && textOf(row, "run_status") === "open");
  await server?.close();
  await started();
  await write(...spoken("a1", "assistant", "hello"), { type: "closeRun", outcome: "ok" });
  await until(path, ([row]) => row !== undefined && textOf(row, "run_status") === "closed");
  await log.close();
  const messages = await rows(`/api/conversations/${sessionId}/messages`);
  expect(messages.map((row) => textOf(row, "role"))).toEqual(["user", "assistant"]);
});

test("a session whose program was killed is interrupted, and its file is not touched", async () => {
  const log = await files().open(sessionId);
  await writerOf(log)(...beginning);
  const path = join(home, "sessions", sessionId, "tail.jsonl");
  const bytes = await readFile(path);
  await log.close();
  await writeFile(path, bytes);
  await started();
  const runs = await until(
    `/api/conversations/${sessionId}/runs`,
    ([row]) => row !== undefined && textOf(row, "run_status") === "closed",
  );
  expect(runs).toMatchObject([{ id: run, status: "failed", finish_reason: "interrupted" }]);
  expect(await readFile(path)).toEqual(bytes);
});
