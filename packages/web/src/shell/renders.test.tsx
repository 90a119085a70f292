/**
 * Who renders when, on the whole page: an event of one call renders its line in the chat, its row on
 * the board and its details where they are open; the sums follow at their own pace; nothing else does.
 */

import {
  type ConversationId,
  conversationId,
  parseEventLine,
  type RunEvent,
} from "@callboard/run-log";
import type * as RunLog from "@callboard/run-log/projections";
import { lifeNamed } from "@callboard/testkit";
import { afterEach, beforeAll, beforeEach, expect, it, vi } from "vitest";
import type * as Totals from "../board/totals.js";
import type * as SidebarModule from "../history/Sidebar.js";
import { counted } from "../testing/counted.js";
import type { createFakePage as CreateFakePage, FakePage } from "../testing/fakePage.js";
import { longLog } from "../testing/longLog.js";
import type { Root as RootComponent } from "./Root.js";

const rendered = vi.hoisted((): string[] => []);

// A line says its call in words each time it renders, and the details name its tool: so the words tell
// who did.
vi.mock("@callboard/run-log/projections", async (original) => {
  const real = await original<typeof RunLog>();
  const describeTrack: typeof real.describeTrack = (track, now) => {
    rendered.push(`line ${track.callId}`);
    return real.describeTrack(track, now);
  };
  const toolLabel: typeof real.toolLabel = (name) => {
    rendered.push("details");
    return real.toolLabel(name);
  };
  return { ...real, describeTrack, toolLabel };
});
vi.mock("../history/Sidebar.js", async (original) => {
  const { Sidebar } = await original<typeof SidebarModule>();
  return { Sidebar: counted(Sidebar, () => rendered.push("sidebar")) };
});
// The sums add up what calls took.
vi.mock("../board/totals.js", async (original) => {
  const real = await original<typeof Totals>();
  const totalsOf: typeof real.totalsOf = (tracks, now) => {
    rendered.push("sums");
    return real.totalsOf(tracks, now);
  };
  return { ...real, totalsOf };
});

/** Fewer than people open: what is measured does not depend on it. */
const eventsBefore = 2_452;
/** Conversations have the ids of a server: an address with another one is mistyped. */
const conversations = {
  short: conversationId("018f0000-0000-7000-8000-000000000001"),
  long: conversationId("018f0000-0000-7000-8000-000000000002"),
};
const movedTo = (event: RunEvent, id: ConversationId): RunEvent =>
  event.type === "run.started" ? { ...event, conversationId: id } : event;
const log = (lifeNamed("parallel-calls")?.log ?? []).map((event) =>
  movedTo(event, conversations.short),
);
const callIds = [...new Set(log.flatMap((event) => ("callId" in event ? [event.callId] : [])))];
let page: FakePage;
let createFakePage: typeof CreateFakePage;
let Root: typeof RootComponent;

beforeAll(async () => {
  // Other files of this worker may have loaded the page without what is counted here.
  vi.resetModules();
  ({ createFakePage } = await import("../testing/fakePage.js"));
  ({ Root } = await import("./Root.js"));
  // What is loaded later is there at once.
  await import("../board/LiveBoard.js");
  await import("../chat/ChatRuns.js");
});

beforeEach(async () => {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout", "setInterval", "clearInterval"] });
  window.history.pushState(null, "", `/c/${conversations.short}`);
  page = createFakePage();
  await page.render(<Root />);
  await page.render(<Root />);
});

afterEach(async () => {
  await page.close();
  vi.useRealTimers();
});

/** What an event makes render, each with its count. */
async function rendersOf(event: RunEvent): Promise<Readonly<Record<string, number>>> {
  rendered.length = 0;
  await page.tell(event);
  const counts: Record<string, number> = {};
  for (const name of rendered) counts[name] = (counts[name] ?? 0) + 1;
  return counts;
}

const isCallEvent = (event: RunEvent) => "callId" in event && event.type !== "call.opened";

it("renders the call that an event is about, wherever it is shown, and nothing else", async () => {
  const opened = log.findIndex((event) => event.type === "call.opened");
  const lastClosed = log.findLastIndex((event) => event.type === "call.closed");
  await page.tell(...log.slice(0, opened + 1));
  await page.click(`[data-row="${callIds[0]}"]`);
  expect(page.container.querySelector("[aria-label='Call details']")).not.toBeNull();
  const faults: string[] = [];
  const seen = new Set<string>();
  // With the last end the scale comes to rest, for all rows at once.
  for (const event of log.slice(opened + 1, lastClosed)) {
    const counts = await rendersOf(event);
    if (!isCallEvent(event) || !("callId" in event)) continue;
    const own = [`line ${event.callId}`, ...(event.callId === callIds[0] ? ["details"] : [])];
    for (const [name, count] of Object.entries(counts)) {
      seen.add(name);
      // In the chat, on the board, and said once; both lines once more when their clock starts.
      const most = event.type === "call.run.started" ? 5 : 3;
      if (!own.includes(name) || count > most)
        faults.push(`${event.type} of ${event.callId} rendered ${name} ${count} times`);
    }
  }
  expect(faults).toEqual([]);
  const lines = callIds.map((callId) => `line ${callId}`);
  expect(seen).toEqual(new Set([...lines, "details"]));
  expect(page.container.querySelectorAll("[data-row]")).toHaveLength(callIds.length);
});

it("renders the same however long the log is", async () => {
  const rows = longLog(eventsBefore).split("\n").map(parseEventLine);
  const before = rows.flatMap((row) =>
    row.status === "parsed" ? [movedTo(row.event, conversations.long)] : [],
  );
  expect(before).toHaveLength(eventsBefore);
  window.history.pushState(null, "", `/c/${conversations.long}`);
  await page.render(<Root key="long" />);
  await page.tell(...before);
  const last = before.at(-1);
  if (last?.type !== "call.run.progressed") throw new Error("the log must end within a call");
  const counts: Readonly<Record<string, number>>[] = [];
  for (const step of [1, 2, 3]) {
    counts.push(await rendersOf({ ...last, seq: last.seq + step, at: last.at + step }));
  }
  // In the chat: its row on the board is out of sight.
  const own = { [`line ${last.callId}`]: 1 };
  expect(counts).toEqual([own, own, own]);
});

it("adds up once in a while, however many events come meanwhile", async () => {
  const opened = log.findIndex((event) => event.type === "call.opened");
  await page.tell(...log.slice(0, opened + 1));
  await page.wait(1_000);
  rendered.length = 0;
  for (const event of log.slice(opened + 1, -1)) await page.tell(event);
  const timesAdded = (): number => rendered.filter((name) => name === "sums").length;
  expect(timesAdded()).toBe(0);
  await page.wait(250);
  expect(timesAdded()).toBe(1);
  expect(page.container.querySelector("[data-sums]")?.textContent).toContain(
    `calls${callIds.length}`,
  );
});
