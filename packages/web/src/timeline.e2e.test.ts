/** The timeline in a browser: silences, folding, magnifying, and the way between chat and board. */
import type { Page } from "playwright-core";
import { expect, it } from "vitest";
import { pageServer, stageOf } from "./testing/stage.js";
import { call, openRecording, runsEnd, say, waiting } from "./testing/steps.js";

const stage = stageOf(pageServer());

/** Where the bars of a call are, in shares of the column of bars. */
async function barsOf(page: Page, callId: string): Promise<{ left: number; right: number }> {
  return page.locator(`[data-row="${callId}"] .bars`).evaluate((place) => {
    const { left, width } = place.getBoundingClientRect();
    const bars = [...place.querySelectorAll(".bar")].map((bar) => bar.getBoundingClientRect());
    return {
      left: (Math.min(...bars.map((bar) => bar.left)) - left) / width,
      right: (Math.max(...bars.map((bar) => bar.right)) - left) / width,
    };
  });
}

const hour = 3_600_000;

/** Runs of one call each, an hour apart; each call runs for a second. */
const logOf = (names: readonly string[]): string =>
  names
    .flatMap((name, run) => {
      const envelope = { v: 1, runId: `run_${name}` };
      const [callId, messageId] = [`call_${name}`, `m_${name}`];
      const from = 1_700_000_000_000 + run * hour;
      return [
        { at: from, type: "run.started", conversationId: "c", model: "test" },
        { at: from + 300, type: "message.opened", messageId, role: "assistant" },
        {
          ...{ at: from + 300, type: "call.opened", callId, messageId },
          ...{ toolName: "shell", toolType: "local" },
        },
        {
          ...{ at: from + 400, type: "call.input.closed", callId },
          ...{ parsed: true, input: { command: name } },
        },
        { at: from + 400, type: "message.closed", messageId, finishReason: "tool_calls" },
        { at: from + 400, type: "call.run.started", callId },
        { at: from + 1_400, type: "call.closed", callId, outcome: "ok", output: "" },
        {
          ...{ at: from + 1_400, type: "run.closed", outcome: "ok", calls: 1 },
          usage: { inputTokens: 1, outputTokens: 1 },
        },
      ].map((event, index) => JSON.stringify({ ...envelope, seq: index + 1, ...event }));
    })
    .join("\n");
const twoRuns = logOf(["one", "two"]);

it("cuts the hour between two runs, and shows each of them under its heading", async () => {
  const page = await stage.fresh();
  await openRecording(page, "two.jsonl", twoRuns);
  await page.locator("[data-row]").nth(1).waitFor();
  expect(await page.locator("[data-run-row]").count()).toBe(2);
  const [one, two] = [await barsOf(page, "call_one"), await barsOf(page, "call_two")];
  expect(one.right - one.left).toBeGreaterThan(0.3);
  expect(two.right - two.left).toBeGreaterThan(0.3);
  expect(await page.locator(".cut").getAttribute("title")).toBe(
    "59 min 59 s in which nothing happened",
  );
  await page.getByRole("button", { name: "Hide the run" }).first().click();
  await expect.poll(() => page.locator("[data-row]").count()).toBe(1);
  await page.getByRole("button", { name: "Show the run" }).click();
  await expect.poll(() => page.locator("[data-row]").count()).toBe(2);
  // One run alone fills the scale, with some room around it.
  await page.locator("[data-run-row] .line-main").nth(1).dblclick();
  await expect.poll(async () => (await barsOf(page, "call_two")).left).toBeLessThan(0.2);
  expect((await barsOf(page, "call_two")).right).toBeGreaterThan(0.8);
  expect(await page.evaluate("document.documentElement.scrollTop")).toBe(0);
});

it("never prints its times over each other, nor grows wider than a phone", async () => {
  const page = await stage.open("/", { width: 360 });
  await page.getByRole("button", { name: "History", exact: true }).click();
  await openRecording(page, "six.jsonl", logOf(["a", "b", "c", "d", "e", "f"]));
  await page.locator(".ruler-label").first().waitFor();
  const edges = await page.locator(".ruler-label").evaluateAll((labels) =>
    labels
      .map((label) => label.getBoundingClientRect())
      .toSorted((one, other) => one.left - other.left)
      .map(({ left, right }) => ({ left, right })),
  );
  expect(edges.length).toBeGreaterThan(0);
  const overprinted = edges.filter(({ left }, index) => left < (edges[index - 1]?.right ?? 0));
  expect(overprinted).toEqual([]);
  const wider = "document.documentElement.scrollWidth - document.documentElement.clientWidth";
  expect(await page.evaluate(wider)).toBe(0);
  await page.close();
});

it("is magnified by dragging over the scale, by wheel and by key, and moved sideways", async () => {
  const page = await stage.fresh();
  await openRecording(page, "two.jsonl", twoRuns);
  await page.locator("[data-row]").nth(1).waitFor();
  const before = await barsOf(page, "call_one");
  const { x, y, width } = (await page.locator(".ruler-scale").boundingBox()) ?? {
    ...{ x: 0, y: 0, width: 0 },
  };
  await page.mouse.move(x + 2, y + 8);
  await page.mouse.down();
  await page.mouse.move(x + width / 2, y + 8);
  await page.mouse.up();
  await page.getByRole("button", { name: "Zoom: 2 times. Show everything" }).waitFor();
  const brushed = await barsOf(page, "call_one");
  const size = ({ left, right }: typeof before): number => right - left;
  expect(size(brushed) / size(before)).toBeCloseTo(2, 1);
  await page.mouse.wheel(-10_000, 0);
  await page.mouse.wheel(width / 4, 0);
  await expect.poll(async () => (await barsOf(page, "call_one")).left).toBeLessThan(brushed.left);
  await page.locator("h1").click();
  await page.keyboard.press("0");
  await expect.poll(() => barsOf(page, "call_one")).toEqual(before);
  await page.keyboard.press("+");
  await page.getByRole("button", { name: "Zoom: 2 times. Show everything" }).click();
  await expect.poll(() => barsOf(page, "call_one")).toEqual(before);
});

it("shows the model's turns beside the calls, with the time to the first token", async () => {
  const page = await stage.fresh();
  await say(page, [call("list_files", {}), "say **the end**"].join("\n"));
  await runsEnd(page);
  await expect.poll(() => page.locator("[data-turn=answer]").count()).toBe(2);
  const turns = await page.locator("[data-turn=answer] .bar-note").allTextContents();
  expect(turns.filter((note) => /^first token [\d.]+ m?s · \d+ tokens$/.test(note))).toHaveLength(
    2,
  );
});

it("shows the turns of a run in which no tool was called, and no empty board above them", async () => {
  const page = await stage.fresh();
  await page.getByRole("heading", { name: "No calls yet" }).waitFor();
  await say(page, "say no tool is needed");
  await runsEnd(page);
  await page.locator("[data-turn=answer]").waitFor();
  await page.getByRole("button", { name: "Replay", exact: true }).waitFor();
  expect(await page.getByRole("heading", { name: "No calls yet" }).count()).toBe(0);
});

it("leads from the board to the chat and back", async () => {
  const page = await stage.fresh();
  const reads = Array.from({ length: 40 }, (_, index) =>
    call("read_file", { path: index === 3 ? "none.txt" : "notes.md" }),
  );
  await say(page, reads.join("\n"));
  await runsEnd(page);
  await page.getByRole("group", { name: "Calls" }).evaluate((list) => list.scrollTo(0, 0));
  await page.locator('[data-row="rehearsal_4"]').click();
  const marked = page.locator('[data-call][aria-current="true"]');
  await expect.poll(() => marked.getAttribute("data-call")).toBe("rehearsal_4");
  expect(await marked.evaluate((one) => one.getBoundingClientRect().top > 0)).toBe(true);
  await page.locator('[data-call="rehearsal_6"] summary').click();
  await expect
    .poll(() => page.locator('[data-row][aria-pressed="true"]').getAttribute("data-row"))
    .toBe("rehearsal_6");
  await page.locator("[data-run-row] .line-main").click();
  await page.waitForURL(/\/r\/[^/]+$/);
});

it("leads from the board to a call far up in the chat, in a recording too", async () => {
  const page = await stage.fresh();
  const names = Array.from({ length: 60 }, (_, index) => `n${index}`);
  await openRecording(page, "sixty.jsonl", logOf(names));
  const chat = page.getByRole("region", { name: "Chat, replayed" });
  await chat.locator('[data-call="call_n59"]').waitFor();
  await page.getByRole("group", { name: "Calls" }).evaluate((list) => list.scrollTo(0, 0));
  await page.locator('[data-row="call_n2"]').click();
  const marked = chat.locator('[data-call][aria-current="true"]');
  await expect.poll(() => marked.getAttribute("data-call")).toBe("call_n2");
  const isInSight = (): Promise<boolean> =>
    marked.evaluate((one) => {
      const { top, bottom } = one.getBoundingClientRect();
      const list = one.closest("[data-chat-list]")?.getBoundingClientRect();
      return list !== undefined && top >= list.top && bottom <= list.bottom;
    });
  await expect.poll(isInSight).toBe(true);
  await chat.locator('[data-call="call_n3"] summary').click();
  await expect
    .poll(() => page.locator('[data-row][aria-pressed="true"]').getAttribute("data-row"))
    .toBe("call_n3");
});

it("keeps the newest call of a run in sight, and leaves a reader who scrolled up where they are", async () => {
  const page = await stage.fresh();
  const lines = Array.from({ length: 60 }, (_, index) => call("list_files", { path: `${index}` }));
  await say(page, [...lines, waiting("board-end"), "say more"].join("\n"));
  await stage.server.waits("board-end");
  // The page has heard of the other calls' ends too: nothing moves the list from here on.
  const running = page.locator('[data-row][data-state="running"]');
  await expect
    .poll(() => running.evaluateAll((rows) => rows.map((row) => row.getAttribute("data-row"))))
    .toEqual([expect.stringMatching(/_61$/)]);
  const list = page.getByRole("group", { name: "Calls" });
  const left = (): Promise<number> =>
    list.evaluate((one) => one.scrollHeight - one.scrollTop - one.clientHeight);
  await expect.poll(left).toBe(0);
  await list.hover();
  await page.mouse.wheel(0, -120);
  await expect.poll(left).toBe(120);
  const top = await list.evaluate((one) => one.scrollTop);
  stage.server.release("board-end");
  await runsEnd(page);
  await expect.poll(left).toBeGreaterThan(120);
  expect(await list.evaluate((one) => one.scrollTop)).toBe(top);
});
