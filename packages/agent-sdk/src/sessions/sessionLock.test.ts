import { spawn } from "node:child_process";
import { once } from "node:events";
import { linkSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { createLockHolder, isAlive, type LockHolder } from "./lockHolder.js";
import { SessionLockedError } from "./sessionErrors.js";
import { acquireSessionLock } from "./sessionLock.js";

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "callboard-lock-"));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

const now = 1_800_000_000_000;
const tokenOf = (digit: string): string => digit.repeat(32);
const living = createLockHolder(now);
/** A process of this one's number that started at another time, so it is gone. */
const dead = (digit: string): LockHolder => ({
  ...living,
  startTicks: "1",
  token: tokenOf(digit),
});

function lay(name: string, content: LockHolder | string): void {
  const text = typeof content === "string" ? content : JSON.stringify(content);
  writeFileSync(join(folder, name), text);
}

const holderNow = (): unknown => JSON.parse(readFileSync(join(folder, "lock"), "utf8"));

it("names its holder and leaves nothing else", () => {
  const lock = acquireSessionLock(folder, "a", now);
  expect(holderNow()).toEqual({ ...living, token: expect.stringMatching(/^[0-9a-f]{32}$/) });
  expect(readdirSync(folder)).toEqual(["lock"]);
  lock.release();
  expect(readdirSync(folder)).toEqual([]);
});

it("is refused while its holder lives, and says who that is", () => {
  lay("lock", living);
  expect(() => acquireSessionLock(folder, "a", now)).toThrow(SessionLockedError);
  expect(() => acquireSessionLock(folder, "a", now)).toThrow(
    `session a is in use by process ${process.pid}, which is this one (since 2027-01-15T08:00:00.000Z)`,
  );
  expect(readdirSync(folder)).toEqual(["lock"]);
});

it.each([
  ["a process that ended", dead("a")],
  ["another life of the machine", { ...living, bootId: "earlier" }],
  ["nobody that can be read", ""],
  ["nobody that was ever a holder", '{"pid":1,"token":"../../x","lockedAt":1}'],
])("of %s is taken over", (_, content) => {
  lay("lock", content);
  const lock = acquireSessionLock(folder, "a", now);
  expect(holderNow()).toMatchObject({ pid: process.pid, lockedAt: now });
  expect(readdirSync(folder)).toEqual(["lock"]);
  lock.release();
});

it("is taken over from successors that died on the way", () => {
  lay("lock", dead("a"));
  lay(`lock.after-${tokenOf("a")}`, dead("b"));
  lay(`lock.after-${tokenOf("b")}`, dead("c"));
  lay(`lock.new-${tokenOf("c")}`, dead("c"));
  const lock = acquireSessionLock(folder, "a", now);
  expect(readdirSync(folder)).toEqual(["lock"]);
  lock.release();
});

it("is taken over after a successor that died behind its renaming", () => {
  lay("lock", dead("b"));
  linkSync(join(folder, "lock"), join(folder, `lock.after-${tokenOf("a")}`));
  acquireSessionLock(folder, "a", now).release();
  expect(readdirSync(folder)).toEqual([]);
});

it("is left to a living successor", () => {
  lay("lock", dead("a"));
  lay(`lock.after-${tokenOf("a")}`, dead("b"));
  lay(`lock.after-${tokenOf("b")}`, living);
  expect(() => acquireSessionLock(folder, "a", now)).toThrow(SessionLockedError);
  expect(holderNow()).toEqual(dead("a"));
});

it("is not released for somebody else", () => {
  const lock = acquireSessionLock(folder, "a", now);
  lay("lock", dead("a"));
  lock.release();
  expect(holderNow()).toEqual(dead("a"));
});

it("holds one listener for the end of the process, however many are held", async () => {
  const before = process.listenerCount("exit");
  const other = await mkdtemp(join(folder, "other-"));
  const locks = [acquireSessionLock(folder, "a", now), acquireSessionLock(other, "b", now)];
  expect(process.listenerCount("exit")).toBe(before + 1);
  for (const lock of locks) lock.release();
  expect(process.listenerCount("exit")).toBe(before);
});

it("knows the living by their start, and by their number alone where that is all there is", () => {
  const { startTicks: _, bootId: __, ...numberOnly } = living;
  expect(isAlive(living)).toBe(true);
  expect(isAlive(numberOnly)).toBe(true);
  expect(isAlive({ ...numberOnly, pid: 2 ** 22 + 1 })).toBe(false);
  expect(isAlive(dead("a"))).toBe(false);
});

/** Linux alone shows whether a process is a zombie. */
it.runIf(process.platform === "linux")("a zombie holds no session", async () => {
  // The shell becomes `sleep`, which never asks how its child ended.
  const parent = spawn("/bin/sh", ["-c", "cat <&3 >/dev/null & echo $!; exec sleep 60 3<&-"], {
    stdio: ["ignore", "pipe", "ignore", "pipe"],
  });
  const reads = (path: string, wanted: string): boolean =>
    readFileSync(path, "utf8").includes(wanted);
  const until = async (isSo: () => boolean): Promise<void> => {
    while (!isSo()) await new Promise((resolve) => setImmediate(resolve));
  };
  try {
    if (parent.stdout === null) throw new Error("there is no pipe");
    const [said]: unknown[] = await once(parent.stdout, "data");
    const pid = Number(String(said));
    await until(() => reads(`/proc/${parent.pid}/comm`, "sleep"));
    parent.stdio[3]?.destroy();
    await until(() => reads(`/proc/${pid}/stat`, ") Z "));
    expect(() => process.kill(pid, 0)).not.toThrow();
    expect(isAlive({ pid, token: "t", lockedAt: 0 })).toBe(false);
  } finally {
    parent.kill("SIGKILL");
  }
});
