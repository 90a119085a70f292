/** A run beyond every ceiling that others have: it opens, pages and tails in good time. */
import {
  conversationId,
  createRecorder,
  messageId,
  partId,
  type RunEvent,
  runId,
  type Timed,
} from "@callboard/run-log";
import { afterEach, beforeEach, expect, it } from "vitest";
import { createTestHome, type TestHome } from "./testing/testHome.js";

let home: TestHome;
beforeEach(async () => {
  home = await createTestHome();
});
afterEach(() => home.remove());

const length = 51_200;
const one = runId("run_1");

function longLog(): readonly RunEvent[] {
  const recorder = createRecorder(() => 1_800_000_000_000);
  const log: RunEvent[] = [];
  const record = (intent: Timed): void => {
    const decision = recorder.propose(intent);
    if (decision.status === "accepted") log.push(...decision.events);
  };
  record({ type: "startRun", runId: one, conversationId: conversationId("c"), model: "m" });
  record({ type: "openMessage", messageId: messageId("m"), role: "assistant" });
  const delta = { messageId: messageId("m"), partId: partId("p"), text: "abcdefgh" };
  while (log.length < length) record({ type: "appendText", ...delta });
  return log;
}

it("opens a run of 51,200 events that nobody closed in under 2 s of work, and pages it", async () => {
  const log = longLog();
  const session = await home.store.open("long");
  for (let from = 0; from < length; from += 100) {
    await session.append(one, from, log.slice(from, from + 100));
  }
  await session.close();

  const before = process.cpuUsage();
  const again = await home.store.open("long");
  const { user, system } = process.cpuUsage(before);
  expect((user + system) / 1_000).toBeLessThan(2_000);

  const pages: RunEvent[] = [];
  for (let after = 0; ; after += 1_000) {
    const page = await again.read(one, { after, limit: 1_000 });
    pages.push(...page);
    if (page.length < 1_000) break;
  }
  expect(pages.slice(0, length)).toEqual(log);
  expect(pages.slice(length).map(({ type }) => type)).toEqual([
    "text.closed",
    "message.closed",
    "run.closed",
  ]);
  let seen = 0;
  for await (const event of again.tail(one, { after: 0 })) {
    seen += 1;
    if (event.seq !== seen) break;
  }
  expect(seen).toBe(length + 3);
  await again.close();
});
