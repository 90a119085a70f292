/** Notifications of the system: asked for by a click alone, and only while the page is not looked at. */
import { useBoard } from "@callboard/client/react";
import { parseEvent, type RunEvent } from "@callboard/run-log";
import { lifeNamed } from "@callboard/testkit";
import { useEffect } from "react";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { createFakePage, type FakePage } from "../testing/fakePage.js";
import NeedsYou from "./NeedsYou.js";
import { NotifyButton } from "./NotifyButton.js";

const life = lifeNamed("approval-allowed")?.log ?? [];
const asked = life.slice(0, life.findIndex(({ type }) => type === "call.approval.asked") + 1);

/** The same question of another run. */
function questionOf(runId: string): readonly RunEvent[] {
  return asked.map((event) => {
    const conversation = event.type === "run.started" && { conversationId: `conv_${runId}` };
    const parsed = parseEvent({ ...event, ...conversation, runId });
    if (parsed.status === "malformed") throw new Error(parsed.problem);
    return parsed.event;
  });
}

let answer: NotificationPermission;
let told: readonly string[];
let asks: number;

class FakeNotification {
  static permission: NotificationPermission = "default";
  static async requestPermission(): Promise<NotificationPermission> {
    asks += 1;
    FakeNotification.permission = answer;
    return answer;
  }
  onclick: (() => void) | null = null;
  constructor(title: string, options: NotificationOptions) {
    told = [...told, `${title}: ${options.body}`];
  }
}

function Watching() {
  const board = useBoard();
  useEffect(() => board.watchMine(), [board]);
  return (
    <>
      <NeedsYou />
      <NotifyButton />
    </>
  );
}

let page: FakePage;

beforeEach(async () => {
  answer = "granted";
  told = [];
  asks = 0;
  FakeNotification.permission = "default";
  window.localStorage.clear();
  vi.stubGlobal("Notification", FakeNotification);
  vi.spyOn(document, "hidden", "get").mockReturnValue(true);
  page = createFakePage();
  await page.render(<Watching />);
});

afterEach(async () => {
  await page.close();
  vi.unstubAllGlobals();
  vi.restoreAllMocks();
  document.title = "";
});

it("asks the browser for nothing and tells nothing before somebody wants it", async () => {
  FakeNotification.permission = "granted";
  await page.tell(...questionOf("run_1"));
  expect([asks, told, document.title]).toEqual([0, [], "needs you (1) · Callboard"]);
});

it("tells of each question once from the click on, and counts them in the title", async () => {
  await page.tell(...questionOf("run_1"));
  await page.click("button");
  expect(asks).toBe(1);
  expect(page.container.querySelector("button")?.getAttribute("aria-pressed")).toBe("true");
  await page.tell(...questionOf("run_2"));
  expect(told).toHaveLength(1);
  expect(told[0]).toMatch(/^An agent waits for you: \w+/);
  expect(document.title).toBe("needs you (2) · Callboard");
});

it("tells nothing while the page is looked at, nor after it was turned off", async () => {
  await page.click("button");
  vi.spyOn(document, "hidden", "get").mockReturnValue(false);
  await page.tell(...questionOf("run_1"));
  vi.spyOn(document, "hidden", "get").mockReturnValue(true);
  await page.click("button");
  await page.tell(...questionOf("run_2"));
  expect([asks, told]).toEqual([1, []]);
});

it("says that the browser refuses", async () => {
  answer = "denied";
  await page.click("button");
  await page.tell(...questionOf("run_1"));
  expect(page.container.querySelector("[role=status]")?.textContent).toBe(
    "The browser blocks notifications of this page. Allow them in its settings.",
  );
  expect(told).toEqual([]);
});
