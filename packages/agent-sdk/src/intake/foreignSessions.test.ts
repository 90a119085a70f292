import { cpSync, rmSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { RunEvent } from "@callboard/run-log";
import { createIntake } from "@callboard/run-log/intake";
import { expect, test } from "vitest";
import { createFileSessionStore, type FileSessionStore } from "../sessions/fileSessionStore.js";
import { createMemorySessionStore } from "../sessions/memorySessionStore.js";
import { createListener } from "../sessions/testing/testSession.js";
import { systemClock } from "../system/systemClock.js";
import { createForeignSessions } from "./foreignSessions.js";

const lines = [
  { type: "system", subtype: "init", session_id: "s", model: "claude-x" },
  {
    type: "assistant",
    session_id: "s",
    message: { id: "m", content: [{ type: "text", text: "a" }] },
  },
  { type: "result", subtype: "success", is_error: false, session_id: "s" },
].map((line) => `${JSON.stringify(line)}\n`);

test("a session that is taken in again, from its start or from a cut, is written once", async () => {
  const sessions = createMemorySessionStore({ clock: systemClock });

  async function imported(count: number): Promise<readonly string[]> {
    const intake = createIntake({ dialect: "claudeCode", sessionId: "s", clock: () => 1_000 });
    const kept = createForeignSessions({ sessions });
    for (const line of lines.slice(0, count)) await kept.take(intake.push(line));
    if (count === lines.length) await kept.take(intake.end());
    await kept.close();
    const log = await sessions.open("s", { keepRunsOpen: true });
    const runs = await log.runIds();
    const events = await Promise.all(runs.map((id) => log.read(id, { after: 0 })));
    await log.close();
    return events.flat().map(({ seq, type }) => `${seq} ${type}`);
  }

  const whole = await imported(3);
  expect(whole.at(-1)).toMatch(/ run\.closed$/);
  expect(await imported(3)).toEqual(whole);
  expect(await imported(2)).toEqual(whole);
});

const calling = [
  { type: "system", subtype: "init", session_id: "s", model: "claude-x" },
  {
    type: "assistant",
    session_id: "s",
    message: {
      id: "m",
      content: [
        { type: "text", text: "Reading." },
        { type: "tool_use", id: "t1", name: "Read", input: { path: "a" } },
      ],
    },
  },
  {
    type: "user",
    session_id: "s",
    message: { content: [{ type: "tool_result", tool_use_id: "t1", content: "read" }] },
  },
  {
    type: "assistant",
    session_id: "s",
    message: { id: "n", content: [{ type: "text", text: "b" }] },
  },
  { type: "result", subtype: "success", is_error: false, session_id: "s" },
].map((line) => `${JSON.stringify(line)}\n`);

/** The homes of processes that were killed: a copy of the files, and nobody who holds them. */
async function withHomes(
  work: (
    homeOf: (name: string) => FileSessionStore,
    kill: (from: string, to: string) => void,
  ) => Promise<void>,
): Promise<void> {
  const root = await mkdtemp(join(tmpdir(), "callboard-foreign-"));
  try {
    await work(
      (name) =>
        createFileSessionStore({
          home: join(root, name),
          logger: createListener(),
          clock: systemClock,
          flush: "never",
        }),
      (from, to) => {
        cpSync(join(root, from), join(root, to), { recursive: true });
        rmSync(join(root, to, "sessions", "s", "lock"), { force: true });
      },
    );
  } finally {
    await rm(root, { recursive: true, force: true });
  }
}

async function historyOf(sessions: FileSessionStore): Promise<readonly RunEvent[]> {
  const log = await sessions.open("s");
  const runs = await log.runIds();
  const events = await Promise.all(runs.map((id) => log.read(id, { after: 0 })));
  await log.close();
  return events.flat();
}

function takingIn(sessions: FileSessionStore, isCopy: boolean) {
  const intake = createIntake({ dialect: "claudeCode", sessionId: "s", clock: () => 1_000 });
  const kept = createForeignSessions({ sessions, isCopy });
  return {
    async push(lines: readonly string[]): Promise<void> {
      for (const line of lines) await kept.take(intake.push(line));
    },
    async end(): Promise<void> {
      await kept.take(intake.end());
      await kept.close();
    },
  };
}

test("a process that is killed after any line and reads its source again leaves the log of one that was not", async () => {
  await withHomes(async (homeOf, kill) => {
    const whole = takingIn(homeOf("whole"), true);
    await whole.push(calling);
    await whole.end();
    const uncut = await historyOf(homeOf("whole"));
    expect(uncut.at(-1)).toMatchObject({ type: "run.closed", outcome: "ok" });
    for (let cut = 1; cut <= calling.length; cut += 1) {
      const killed = takingIn(homeOf(`live-${cut}`), true);
      await killed.push(calling.slice(0, cut));
      kill(`live-${cut}`, `dead-${cut}`);
      await killed.end();
      const again = takingIn(homeOf(`dead-${cut}`), true);
      await again.push(calling);
      await again.end();
      expect(await historyOf(homeOf(`dead-${cut}`))).toEqual(uncut);
    }
  });
});

test("a process that is killed after any line of a stream that is not told again leaves what it took, interrupted", async () => {
  await withHomes(async (homeOf, kill) => {
    for (let cut = 1; cut < calling.length; cut += 1) {
      const killed = takingIn(homeOf(`live-${cut}`), false);
      await killed.push(calling.slice(0, cut));
      kill(`live-${cut}`, `dead-${cut}`);
      await killed.end();
      const taken = createIntake({ dialect: "claudeCode", sessionId: "s", clock: () => 1_000 });
      const said = calling
        .slice(0, cut)
        .flatMap((line) => taken.push(line).sessions.flatMap(({ events }) => events));
      const kept = await historyOf(homeOf(`dead-${cut}`));
      expect(kept.slice(0, said.length)).toEqual(said);
      if (said.length > 0)
        expect(kept.at(-1)).toMatchObject({ type: "run.closed", outcome: "interrupted" });
    }
  });
});

test("what comes of a run that was closed before is told, and not kept", async () => {
  const sessions = createMemorySessionStore({ clock: systemClock });
  const late: object[] = [];
  for (const count of [2, calling.length]) {
    const intake = createIntake({ dialect: "claudeCode", sessionId: "s", clock: () => 1_000 });
    const kept = createForeignSessions({ sessions, isCopy: true, onLate: (one) => late.push(one) });
    for (const line of calling.slice(0, count)) await kept.take(intake.push(line));
    await kept.take(intake.end());
    await kept.close();
  }
  expect(late.length).toBeGreaterThan(0);
  expect(late[0]).toMatchObject({ sessionId: "s", events: expect.any(Number) });
  const log = await sessions.open("s");
  const [run] = await log.runIds();
  const events = run === undefined ? [] : await log.read(run, { after: 0 });
  expect(events.at(-1)).toMatchObject({ type: "run.closed", outcome: "interrupted" });
});
