import { open } from "node:fs/promises";
import { type RunEvent, runId } from "@callboard/run-log";
import { afterEach, beforeEach, expect, it } from "vitest";
import { createFileSessionLog } from "./fileSessionLog.js";
import { createSessionScan } from "./logScan.js";
import { SessionWriteError } from "./sessionErrors.js";
import { createTestHome, type TestHome } from "./testing/testHome.js";
import { batchesOf, createListener } from "./testing/testSession.js";

let home: TestHome;
beforeEach(async () => {
  home = await createTestHome({ flush: "never" });
});
afterEach(() => home.remove());

it("tells every append and every follower when the file cannot be written", async () => {
  const one = runId("run_1");
  const [first = [], second = []] = batchesOf(one, 1);
  const whole = await home.store.open("a");
  await whole.append(one, 0, first);

  // The same file, opened so that it cannot be written.
  const files = {
    log: await open(home.path("a"), "r"),
    tail: await open(home.path("a", "tail.jsonl"), "r"),
  };
  const { index, past, read } = createSessionScan();
  const { end: log } = await read(files.log, "log");
  const { end: tail } = await read(files.tail, "tail");
  const logger = createListener();
  let releases = 0;
  const lock = {
    release() {
      releases += 1;
    },
  };
  const parts = {
    sessionId: "a",
    files,
    sizes: { log, tail },
    index,
    past,
    lock,
    logger,
    receive: () => async () => {},
  };
  const session = createFileSessionLog({ ...parts, flush: "closings" });
  const seen: RunEvent[] = [];
  const following = (async () => {
    for await (const event of session.tail(one, { after: 3 })) seen.push(event);
  })();
  const followed = expect(following).rejects.toThrow(SessionWriteError);

  await expect(session.append(one, first.length, second)).rejects.toThrow(SessionWriteError);
  await expect(session.append(one, first.length, second)).rejects.toThrow(
    "The session accepts no more events",
  );
  await followed;
  expect(seen).toEqual(first.slice(3));
  expect(await session.read(one, { after: 0 })).toEqual(first);
  expect(logger.heard.map(({ level, message }) => `${level}: ${message}`)).toEqual([
    "error: Writing a session failed.",
    "error: Removing a failed write from the end of a session log failed.",
  ]);
  await session.close();
  expect(releases).toBe(1);
  await whole.close();
});
