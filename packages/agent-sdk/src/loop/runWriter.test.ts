/** What is recorded is stored, whenever it is recorded. */
import {
  conversationId,
  createMemoryLogStore,
  messageId,
  type RunEvent,
  runId,
} from "@callboard/run-log";
import { expect, it } from "vitest";
import { createFakeClock } from "../system/fakeClock.js";
import { createRunWriter, LogWriteError, RefusedIntentError, type RunWriter } from "./runWriter.js";

const id = runId("r");
const logger = { debug() {}, info() {}, warn() {}, error() {} };
const start = {
  type: "startRun",
  runId: id,
  conversationId: conversationId("c"),
  model: "m",
} as const;
const open = (name: string) =>
  ({ type: "openMessage", messageId: messageId(name), role: "user" }) as const;

it.each([0, 1, 2, 3, 4, 5])(
  "stores what is recorded %i moments after the last of a batch was told",
  async (moments) => {
    const store = createMemoryLogStore();
    let recorded: () => void = () => undefined;
    const hasRecorded = new Promise<void>((resolve) => {
      recorded = resolve;
    });
    const later = async (writer: RunWriter): Promise<void> => {
      for (let moment = 0; moment < moments; moment += 1) await Promise.resolve();
      writer.record(open("late"));
      recorded();
    };
    const told: string[] = [];
    const tell = ({ type }: RunEvent): void => {
      told.push(type);
      if (type === "run.started") void later(writer);
    };
    const writer = createRunWriter({
      runId: id,
      store,
      clock: createFakeClock(0),
      pulse: 0,
      tell,
      logger,
    });
    writer.record(start);
    await hasRecorded;
    await writer.stored();
    expect(told).toEqual(["run.started", "message.opened"]);
    expect(await store.read(id, { after: 0 })).toHaveLength(2);
  },
);

it("throws what the log refuses, logs it, and records nothing of it", () => {
  const refusedRun = runId("refused-on-purpose");
  const logged: unknown[] = [];
  const writer = createRunWriter({
    runId: refusedRun,
    store: createMemoryLogStore(),
    clock: createFakeClock(0),
    pulse: 0,
    tell: () => undefined,
    logger: { ...logger, error: (message, fields) => void logged.push([message, fields]) },
  });
  writer.record({ ...start, runId: refusedRun });
  const again = () => writer.record({ ...start, runId: refusedRun });
  expect(again).toThrow(RefusedIntentError);
  expect(again).toThrow("The log of run refused-on-purpose refused startRun: a run starts once");
  expect(logged).toHaveLength(2);
  expect(logged[0]).toMatchObject([
    "The log refused an event.",
    { runId: refusedRun, intent: "startRun", code: "runAlreadyStarted" },
  ]);
  expect(writer.state.seq).toBe(1);
  expect(writer.propose(open("m")).status).toBe("accepted");
  expect(writer.propose(open("m"))).toMatchObject({ status: "refused" });
  expect(logged).toHaveLength(2);
});

it("says that the store does not take it, and continues saying so", async () => {
  const store = { ...createMemoryLogStore(), append: () => Promise.reject(new Error("full")) };
  const writer = createRunWriter({
    runId: id,
    store,
    clock: createFakeClock(0),
    pulse: 0,
    tell: () => undefined,
    logger,
  });
  writer.record(start);
  await expect(writer.stored()).rejects.toThrow(LogWriteError);
  writer.record(open("late"));
  await expect(writer.stored()).rejects.toThrow("run r could not be stored: full");
  expect(writer.failed.aborted).toBe(true);
});

it("asks who records much to wait until it is stored", async () => {
  const memory = createMemoryLogStore();
  let release: () => void = () => undefined;
  const held = new Promise<void>((resolve) => {
    release = resolve;
  });
  const append: typeof memory.append = async (...given) => {
    await held;
    return memory.append(...given);
  };
  const store = { ...memory, append };
  const told: number[] = [];
  const tell = ({ seq }: RunEvent): void => void told.push(seq);
  const writer = createRunWriter({
    runId: id,
    store,
    clock: createFakeClock(0),
    pulse: 0,
    tell,
    logger,
  });
  writer.record(start);
  for (let count = 1; count < 1_000; count += 1) writer.record(open(`m${count}`));
  expect(told).toEqual([]);
  const ready = writer.whenReady();
  expect(ready).toBeInstanceOf(Promise);
  release();
  await ready;
  expect(told).toHaveLength(1_000);
  expect(writer.whenReady()).toBeUndefined();
});
