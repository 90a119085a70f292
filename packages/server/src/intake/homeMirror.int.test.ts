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
import { withoutUndefined } from "@callboard/run-log/values";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type RunningServer, startServer } from "../startServer.js";
import { quietLogger } from "../testing/place.js";
import { fieldOf, textAtPath } from "../testing/reading.js";

let home: string;
let server: RunningServer | undefined;

interface Written {
  readonly session: string;
  readonly run: string;
}
const written = (): Written => ({ session: randomUUID(), run: randomUUID() });
/** Sessions that are there before the server starts: one that has ended, one whose program was killed. */
const [kept, killed] = [written(), written()];
/** And one whose program was killed in its second run. */
const [first, second] = [written(), randomUUID()];
const tailOf = ({ session }: Written): string => join(home, "sessions", session, "tail.jsonl");
const logOf = ({ session }: Written): string => join(home, "sessions", session, "log.jsonl");
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
  const twice = await files().open(first.session);
  await writerOf(twice)(...begun(first.session, first.run), { type: "closeRun", outcome: "ok" });
  await writerOf(twice)(...begun(first.session, second, "and again"));
  const rest = await readFile(tailOf(first));
  const whole = await readFile(logOf(first));
  await twice.close();
  await Promise.all([writeFile(tailOf(first), rest), writeFile(logOf(first), whole)]);
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
  const named = withoutUndefined({ conversation_id: conversation });
  return sent("POST", "/api/agent/execute", { user_input: text, stream: false, ...named });
}

const requestOf = ({ body }: { readonly body: unknown }): string => textAtPath(body, "request_id");

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

function begun(session: string, run: string, text = "hello from the terminal"): readonly Timed[] {
  return [
    {
      type: "startRun",
      runId: runId(run),
      conversationId: conversationId(session),
      model: "rehearsal",
    },
    ...spoken(randomUUID(), "user", text),
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

test("a session that was kept before the server started is in its list, and continues from the page in its file", async () => {
  const { session, run } = kept;
  await until("/api/conversations", (list) =>
    list.some((row) => textAtPath(row, "id") === session),
  );
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

test("a session whose program was killed in a later run begins with its first one", async () => {
  const path = `/api/conversations/${first.session}`;
  await until(`${path}/runs`, (found) => found.length === 2);
  const messages = await rows(`${path}/messages`);
  expect(messages.map((row) => fieldOf(row, "content"))).toMatchObject([
    [{ text: "hello from the terminal" }],
    [{ text: "and again" }],
  ]);
  expect(textAtPath(await asked(path), "title")).toBe("hello from the terminal");
});

test("a session whose program was killed is interrupted, and its file is not touched", async () => {
  const runs = await until(
    `/api/conversations/${killed.session}/runs`,
    ([row]) => row !== undefined && textAtPath(row, "run_status") === "closed",
  );
  expect(runs).toMatchObject([{ id: killed.run, status: "failed", finish_reason: "interrupted" }]);
  expect(await readFile(tailOf(killed))).toEqual(tail);
});

test("a conversation of the server is moved to a file, continues there from both sides, and is deleted with it", async () => {
  const first = await said("say one");
  const conversation = textAtPath(first.body, "conversation_id");
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
  expect(new Set(listed.map((row) => textAtPath(row, "id")))).toEqual(new Set(inFile));
  expect((await sent("DELETE", path)).status).toBe(204);
  await expect(readFile(join(home, "sessions", conversation, "log.jsonl"))).rejects.toThrow(
    "ENOENT",
  );
  expect((await sent("POST", `${path}/session-file`)).status).toBe(404);
});

test("a session that is removed from the home is removed from the board, while a server runs and before it starts", async () => {
  const sessionsOf = async (): Promise<unknown> =>
    (await rows("/api/conversations")).map((row) => textAtPath(row, "id"));
  const [now, later] = [written(), written()];
  for (const { session, run } of [now, later]) {
    const log = await files().open(session);
    await writerOf(log)(...begun(session, run), { type: "closeRun", outcome: "ok" });
    await log.close();
    await until(`/api/conversations/${session}/runs`, ([row]) => row !== undefined);
  }
  await files().remove(now.session);
  await expect.poll(sessionsOf).not.toContain(now.session);
  expect(await sessionsOf()).toContain(later.session);
  await server?.close();
  await files().remove(later.session);
  await started();
  await expect.poll(sessionsOf).not.toContain(later.session);
  expect(await sessionsOf()).toContain(kept.session);
});

test("a session that another program writes is followed live, also by a server that starts in the middle of a run", async () => {
  const { session, run } = written();
  const log = await files().open(session);
  const write = writerOf(log);
  await write(...begun(session, run));
  const path = `/api/conversations/${session}/runs`;
  await until(path, ([row]) => row !== undefined && textAtPath(row, "run_status") === "open");
  await server?.close();
  await started();
  await write(...spoken("a1", "assistant", "hello"), { type: "closeRun", outcome: "ok" });
  await until(path, ([row]) => row !== undefined && textAtPath(row, "run_status") === "closed");
  await log.close();
  const messages = await rows(`/api/conversations/${session}/messages`);
  expect(messages.map((row) => textAtPath(row, "role"))).toEqual(["user", "assistant"]);
});
