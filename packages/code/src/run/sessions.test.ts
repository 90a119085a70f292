import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createFileSessionStore, type Logger } from "@callboard/agent-sdk";
import type { RunEvent } from "@callboard/run-log";
import { withoutUndefined } from "@callboard/run-log/values";
import { lifeNamed } from "@callboard/testkit";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { createFakeClock } from "../testing/fakeClock.js";
import { readSessionLog } from "./readLog.js";
import { chosenSession, sessionsLike } from "./sessions.js";
import { readSettledRuns } from "./settledRuns.js";

const quiet = (): void => undefined;
const logger: Logger = { debug: quiet, info: quiet, warn: quiet, error: quiet };

let home: string;
let store: ReturnType<typeof createFileSessionStore>;
beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), "callboard-sessions-"));
  store = createFileSessionStore({ home, clock: createFakeClock(), logger });
});
afterEach(() => rmSync(home, { recursive: true }));

const life: readonly RunEvent[] = lifeNamed("tour")?.log ?? [];
const [first] = life;

/** A session with the start of a life in it, which stays open. */
async function begun(sessionId: string, folder: string | undefined, count = life.length) {
  const log = await store.open(sessionId, withoutUndefined({ folder }));
  if (first === undefined) throw new Error("there is no such life");
  await log.append(first.runId, 0, life.slice(0, count));
  return log;
}

const nothing = { isContinued: false, isPicked: false, resumed: undefined, isForked: false };
const places = (cwd: string) => ({ env: { CALLBOARD_HOME: home }, cwd, pick: undefined });

describe("continuing with a session", () => {
  it("means the latest one of this folder, whatever other folders have", async () => {
    await (await begun("old-here", "/here")).close();
    await (await begun("elsewhere", "/elsewhere")).close();
    await (await begun("unknown", undefined)).close();
    const choice = { ...nothing, isContinued: true };
    expect(await chosenSession(store, choice, places("/here"))).toBe("old-here");
    await expect(chosenSession(store, choice, places("/new"))).rejects.toThrow(
      "there is no session of this folder",
    );
  });

  it("keeps the folder in which a session was started", async () => {
    await (await begun("one", "/here")).close();
    await (await store.open("one", { folder: "/other" })).close();
    expect((await store.list())[0]?.folder).toBe("/here");
  });

  it("lets the person choose among those of the folder", async () => {
    await (await begun("one", "/here")).close();
    await (await begun("two", "/elsewhere")).close();
    const pick = async (sessions: readonly { readonly sessionId: string }[]): Promise<string> =>
      sessions.map(({ sessionId }) => sessionId).join(",");
    const choice = { ...nothing, isPicked: true };
    expect(await chosenSession(store, choice, { ...places("/here"), pick })).toBe("one");
  });

  it("copies a session that another process writes, with what is open closed in the copy", async () => {
    const log = await begun("busy", "/here", 12);
    const choice = { ...nothing, resumed: "busy", isForked: true };
    const copyId = (await chosenSession(store, choice, places("/here"))) ?? "";
    expect(copyId).not.toBe("busy");
    const copy = await readSessionLog({ CALLBOARD_HOME: home }, copyId);
    expect(copy.events.slice(0, 12).map(({ type }) => type)).toEqual(
      life.slice(0, 12).map(({ type }) => type),
    );
    expect(copy.events.at(-1)).toMatchObject({ type: "run.closed", outcome: "interrupted" });
    expect((await readSessionLog({ CALLBOARD_HOME: home }, "busy")).events.length).toBe(12);
    await log.close();
  });
});

describe("looking at a session", () => {
  it("says that a run whose process is gone was interrupted, and leaves the file alone", async () => {
    const env = { CALLBOARD_HOME: home };
    const log = await begun("one", "/here", 12);
    const living = await readSettledRuns(env, "one");
    expect([living.isOpen, living.runs[0]?.length]).toEqual([true, 12]);
    await log.close();
    const dead = await readSettledRuns(env, "one");
    expect(dead.isOpen).toBe(false);
    expect(dead.runs[0]?.at(-1)).toMatchObject({ type: "run.closed", outcome: "interrupted" });
    expect((await readSessionLog(env, "one")).events.length).toBe(12);
  });

  it("finds sessions by words of their titles", () => {
    const sessions = [
      { sessionId: "a1", title: "Fix the build" },
      { sessionId: "b2", title: "Build a page" },
    ];
    expect(sessionsLike(sessions, "BUILD page")).toEqual([sessions[1]]);
    expect(sessionsLike(sessions, "a1")).toEqual([sessions[0]]);
    expect(sessionsLike(sessions, "")).toEqual(sessions);
  });
});
