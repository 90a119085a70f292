/** A store in a folder: one process at a time, whole after a kill, copied and put back. */
import { type ChildProcess, spawn } from "node:child_process";
import { randomUUID } from "node:crypto";
import { once } from "node:events";
import { mkdir, mkdtemp, readdir, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { systemClock } from "@callboard/agent-sdk";
import { type RunEvent, runId } from "@callboard/run-log";
import { afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { backupFolder, restoreFolder } from "./administration/backup.js";
import { databaseStatus, migrateDatabase } from "./administration/schema.js";
import { FolderInUseError } from "./errors.js";
import { prepareData } from "./folder/prepareData.js";
import { openStore } from "./openStore.js";
import type { Store } from "./store.js";
import { batchesOf } from "./testing/runBatches.js";
import { createListener, slowStartMs } from "./testing/testStore.js";

const userId = randomUUID();
const quiet = { clock: systemClock, logger: createListener() };
let folder: string;

beforeAll(async () => {
  await prepareData();
}, slowStartMs);
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "callboard-embedded-"));
});
afterEach(() => rm(folder, { recursive: true }));

const opened = (): Promise<Store> => openStore({ folder }, quiet);

async function written(store: Store, calls: number, cut?: number): Promise<string> {
  const log = await store.sessions({ userId }).open(randomUUID());
  const id = runId(randomUUID());
  for (const batch of batchesOf(id, calls).slice(0, cut)) {
    await log.append(id, (batch[0]?.seq ?? 1) - 1, batch);
  }
  if (cut === undefined) await log.close();
  return id;
}

/** A process that has the folder open and a call under way; it says so, and stays until it is killed. */
const program = `
  import { openStore } from ${JSON.stringify(new URL("../dist/index.js", import.meta.url).href)};
  const [folder, session, lines] = process.argv.slice(1);
  const quiet = { debug() {}, info() {}, warn() {}, error() {} };
  const clock = { now: () => Date.now(), monotonic: () => performance.now(), sleep: () => new Promise(() => {}) };
  const store = await openStore({ folder }, { clock, logger: quiet });
  const log = await store.sessions({ userId: "${userId}" }).open(session);
  const events = JSON.parse(lines);
  await log.append(events[0].runId, 0, events);
  console.log("stored");
  setInterval(() => {}, 1000);
`;

async function startHolder(session: string, events: readonly RunEvent[]): Promise<ChildProcess> {
  const child = spawn(
    process.execPath,
    ["--input-type=module", "-e", program, folder, session, JSON.stringify(events)],
    { stdio: ["ignore", "pipe", "inherit"] },
  );
  const [said] = await once(child.stdout, "data");
  expect(String(said)).toBe("stored\n");
  return child;
}

describe("a folder", () => {
  it("is one process's at a time, is not taken for whole before it is, and keeps what was written, byte for byte", async () => {
    // As a process leaves it that is killed while it makes the folder.
    await mkdir(join(folder, "unfinished-1"));
    await writeFile(join(folder, "unfinished-1", "PG_VERSION"), "18\n");
    const store = await opened();
    await expect(opened()).rejects.toThrow(FolderInUseError);
    await expect(opened()).rejects.toThrow(
      new RegExp(`in use by process ${process.pid}, which is this one, since 20`),
    );
    const id = await written(store, 3);
    const lines = await store.read.lines({ as: "service", runId: id, after: 0 });
    await store.close();
    expect((await readdir(folder)).toSorted()).toEqual(["data"]);
    const again = await opened();
    expect(await again.read.lines({ as: "service", runId: id, after: 0 })).toEqual(lines);
    await again.close();
  });

  it("names another process that has it, and is whole when that one is killed", async () => {
    const id = runId(randomUUID());
    const session = randomUUID();
    const events = batchesOf(id, 2).slice(0, -2).flat();
    const child = await startHolder(session, events);
    try {
      await expect(opened()).rejects.toThrow(`in use by process ${child.pid}, since`);
    } finally {
      child.kill("SIGKILL");
      await once(child, "close");
    }
    const store = await opened();
    const stored = await store.read.events({ as: "service", runId: id, after: 0 });
    expect(stored.slice(0, events.length)).toEqual(events);
    expect(stored.slice(events.length).map(({ type }) => type)).toEqual([
      "call.closed",
      "call.closed",
      "message.closed",
      "run.closed",
    ]);
    const calls = await store.read.toolCalls({ as: { userId }, conversationId: session });
    expect(calls.map(({ status, error_type }) => [status, error_type])).toEqual([
      ["error", "interrupted"],
      ["error", "interrupted"],
    ]);
    await store.close();
  });
});

describe("its schema", () => {
  it("is told and brought up without a store", async () => {
    const place = { folder };
    const all = await migrateDatabase(place, quiet);
    expect(all).toEqual([]);
    const { applied, pending, problems } = await databaseStatus(place, quiet);
    expect(applied[0]).toMatchObject({ version: 1, name: "roles" });
    expect([pending, problems]).toEqual([[], []]);
  });
});

describe("a backup", () => {
  it("is put back as it was, and what stood there is set aside; one that is none changes nothing", async () => {
    const file = join(folder, "copies", "one.tar.gz");
    const store = await opened();
    const id = await written(store, 2);
    await store.close();
    expect(await backupFolder({ folder, file, clock: systemClock })).toBeGreaterThan(1_000_000);
    const none = join(folder, "none.tar.gz");
    await writeFile(none, "this is no archive");
    await expect(restoreFolder({ folder, file: none, clock: systemClock })).rejects.toThrow(
      `${none} could not be restored: The file is not a gzipped archive.. Nothing was changed`,
    );
    const later = await opened();
    expect(await later.read.run({ as: "service", runId: id })).toMatchObject({ id });
    const lost = await written(later, 1);
    await expect(restoreFolder({ folder, file, clock: systemClock })).rejects.toThrow(
      FolderInUseError,
    );
    await later.close();
    const { setAside } = await restoreFolder({ folder, file, clock: systemClock });
    const restored = await opened();
    expect(await restored.read.run({ as: "service", runId: id })).toMatchObject({ id });
    expect(await restored.read.run({ as: "service", runId: lost })).toBeUndefined();
    await restored.close();
    expect(setAside?.startsWith(join(folder, "before-"))).toBe(true);
    const names = await readdir(folder);
    expect(names.filter((name) => name.startsWith("unfinished-"))).toEqual([]);
  });

  it("of a running store is what it has at that moment", async () => {
    const store = await opened();
    const id = await written(store, 2);
    const file = join(folder, "now.tar.gz");
    await store.backup(file);
    await store.close();
    const elsewhere = join(folder, "elsewhere");
    await restoreFolder({ folder: elsewhere, file, clock: systemClock });
    const copy = await openStore({ folder: elsewhere }, quiet);
    expect(await copy.read.run({ as: "service", runId: id })).toMatchObject({ id });
    await copy.close();
  });
});
