/** Sessions that the terminal keeps in the home, on the board of the server of the same home. */
import { randomUUID } from "node:crypto";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import {
  createFileSessionStore,
  SessionLockedError,
  type SessionLog,
  systemClock,
} from "@callboard/agent-sdk";
import {
  conversationId,
  createRecorder,
  messageId,
  partId,
  runId,
  type Timed,
} from "@callboard/run-log";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type RunningServer, startServer } from "../startServer.js";
import { quietLogger } from "../testing/place.js";
import { fieldOf, textOf } from "../testing/reading.js";

let home: string;
let server: RunningServer | undefined;

interface Written {
  readonly session: string;
  readonly run: string;
}
const written = (): Written => ({ session: randomUUID(), run: randomUUID() });
/** Sessions that are there before the server begins: one that has ended, one whose program was killed. */
const [kept, killed] = [written(), written()];
const tailOf = ({ session }: Written): string => join(home, "sessions", session, "tail.jsonl");
let tail: Buffer;

beforeAll(async () => {
  home = await mkdtemp(join(tmpdir(), "callboard-mirror-"));
  const ended = await files().open(kept.session);
  await writerOf(ended)(...begun(kept.session, kept.run), { type: "closeRun", outcome: "ok" });
  await ended.close();
  const cut = await files().open(killed.session);
  await writerOf(cut)(...begun(killed.session, killed.run));
  tail = await readFile(tailOf(killed));
  await cut.close();
  await writeFile(tailOf(killed), tail);
  await started();
});

afterAll(async () => {
  await server?.close();
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

const busyType = "urn:callboard:problem:conversation-busy";

async function sent(method: string, path: string, body?: object) {
  const response = await fetch(`${server?.url}${path}`, {
    method,
    headers: { authorization: `Bearer ${server?.token}`, "content-type": "application/json" },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  const text = await response.text();
  const answer: unknown = text === "" ? undefined : JSON.parse(text);
  return { status: response.status, body: answer };
}

function said(text: string, conversation?: string) {
  const named = conversation === undefined ? {} : { conversation_id: conversation };
  return sent("POST", "/api/agent/execute", { user_input: text, stream: false, ...named });
}

const requestOf = ({ body }: { readonly body: unknown }): string => textOf(body, "request_id");

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

/** A server that has ended a run gives its file free a moment later. */
async function opened(sessionId: string): Promise<SessionLog> {
  for (;;) {
    try {
      return await files().open(sessionId);
    } catch (error) {
      if (!(error instanceof SessionLockedError)) throw error;
      await systemClock.sleep(20);
    }
  }
}

async function runsIn(sessionId: string): Promise<readonly string[]> {
  const log = await opened(sessionId);
  const runs = await log.runIds();
  await log.close();
  return runs;
}

function writerOf(log: SessionLog) {
  let at = 1_767_000_000_000;
  const recorder = createRecorder(() => (at += 5));
  return async (...intents: readonly Timed[]): Promise<void> => {
    for (const intent of intents) {
      const decision = recorder.propose(intent);
      if (decision.status === "refused") throw new Error(decision.refusal.message);
      const [first] = decision.events;
      if (first) await log.append(first.runId, first.seq - 1, decision.events);
    }
  };
}

function begun(session: string, run: string): readonly Timed[] {
  return [
    {
      type: "startRun",
      runId: runId(run),
      conversationId: conversationId(session),
      model: "rehearsal",
    },
    ...spoken(randomUUID(), "user", "hello from the terminal"),
  ];
}

function spoken(id: string, role: "user" | "assistant", text: string): readonly Timed[] {
  const message = { messageId: messageId(id) };
  const part = { ...message, partId: partId(`${id}_1`) };
  return [
    { type: "openMessage", ...message, role },
    { type: "appendText", ...part, text },
    { type: "closeMessage", ...message },
  ];
}

test("a session that was kept before the server began is in its list, and goes on from the page in its file", async () => {
  const { session, run } = kept;
  const found = await until("/api/conversations", (list) => list.length > 1);
  expect(found.map((row) => textOf(row, "id"))).toContain(session);
  const runs = await until(`/api/conversations/${session}/runs`, (list) => list.length > 0);
  expect(runs).toMatchObject([{ id: run, run_status: "closed" }]);
  const answer = await said("say hello from the page", session);
  expect(answer).toMatchObject({
    status: 200,
    body: { output: "Rehearsal: hello from the page" },
  });
  expect(await runsIn(session)).toEqual([run, requestOf(answer)]);
  const log = await opened(session);
  const [opening] = await log.read(runId(requestOf(answer)), { after: 0, limit: 1 });
  expect(opening).toMatchObject({ type: "run.started", conversationId: session });
  await log.close();
});

test("a session whose program was killed is interrupted, and its file is not touched", async () => {
  const runs = await until(
    `/api/conversations/${killed.session}/runs`,
    ([row]) => row !== undefined && textOf(row, "run_status") === "closed",
  );
  expect(runs).toMatchObject([{ id: killed.run, status: "failed", finish_reason: "interrupted" }]);
  expect(await readFile(tailOf(killed))).toEqual(tail);
});

test("a conversation of the server is moved to a file, goes on there from both sides, and is deleted with it", async () => {
  const first = await said("say one");
  const conversation = textOf(first.body, "conversation_id");
  const path = `/api/conversations/${conversation}`;
  const moved = await sent("POST", `${path}/session-file`);
  expect(moved).toEqual({ status: 200, body: { session_id: conversation } });
  expect(await sent("POST", `${path}/session-file`)).toEqual(moved);
  const log = await opened(conversation);
  expect(await log.runIds()).toEqual([requestOf(first)]);
  const busy = await said("say no", conversation);
  expect(busy).toMatchObject({ status: 409, body: { type: busyType } });
  const run = randomUUID();
  await writerOf(log)(...begun(conversation, run), { type: "closeRun", outcome: "ok" });
  await log.close();
  const third = await said("say three", conversation);
  expect(third).toMatchObject({ status: 200, body: { output: "Rehearsal: three" } });
  const inFile = await runsIn(conversation);
  expect(inFile).toEqual([requestOf(first), run, requestOf(third)]);
  const listed = await rows(`${path}/runs`);
  expect(new Set(listed.map((row) => textOf(row, "id")))).toEqual(new Set(inFile));
  expect((await sent("DELETE", path)).status).toBe(204);
  await expect(readFile(join(home, "sessions", conversation, "log.jsonl"))).rejects.toThrow(
    "ENOENT",
  );
  expect((await sent("POST", `${path}/session-file`)).status).toBe(404);
});

test("a session that another program writes is followed live, also by a server that starts in the middle of a run", async () => {
  const { session, run } = written();
  const log = await files().open(session);
  const write = writerOf(log);
  await write(...begun(session, run));
  const path = `/api/conversations/${session}/runs`;
  await until(path, ([row]) => row !== undefined && textOf(row, "run_status") === "open");
  await server?.close();
  await started();
  await write(...spoken("a1", "assistant", "hello"), { type: "closeRun", outcome: "ok" });
  await until(path, ([row]) => row !== undefined && textOf(row, "run_status") === "closed");
  await log.close();
  const messages = await rows(`/api/conversations/${session}/messages`);
  expect(messages.map((row) => textOf(row, "role"))).toEqual(["user", "assistant"]);
});
