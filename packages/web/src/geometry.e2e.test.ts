/** Where everything on a page is: nothing is printed over anything, cut without dots or out of sight, at any width. */
import type { Page } from "playwright-core";
import { expect, it } from "vitest";
import { crowdedLog } from "./testing/crowdedLog.js";
import { unreadable } from "./testing/geometry.js";
import { pageServer, stageOf } from "./testing/stage.js";
import { allowOnce, call, runsEnd, say, shell, waiting } from "./testing/steps.js";

const stage = stageOf(pageServer());
const widths = [360, 390, 800, 1_024, 1_440, 2_560];
const runningSince = 60_000;

async function atWidth(page: Page, width: number): Promise<void> {
  await page.setViewportSize({ width, height: width < 768 ? 780 : 860 });
}

/** Goes to a pane where only one is in sight at a time. */
async function goTo(page: Page, pane: "History" | "Chat" | "Board" | "Overview"): Promise<void> {
  const button = page
    .getByRole("navigation", { name: "Panes" })
    .getByRole("button", { name: new RegExp(`^${pane}`) });
  if (await button.isVisible()) await button.click();
}

/** A conversation in which every line has more to say than has room. */
async function crowdedConversation(): Promise<string> {
  const { url, token } = stage.server;
  const lines = crowdedLog("run_crowded", Date.now() - runningSince);
  const answer = await fetch(`${url}/api/intake/log?stream=crowded&end=false`, {
    method: "POST",
    headers: { authorization: `Bearer ${token}`, "content-type": "application/x-ndjson" },
    body: lines.map((line) => `${line}\n`).join(""),
  });
  const { sessions } = Object(await answer.json());
  return `/c/${sessions[0].conversation_id}`;
}

it("prints nothing over anything and cuts nothing, however much there is to say, from 360 to 2560 px", async () => {
  const address = await crowdedConversation();
  const page = await stage.open();
  await say(page, `say why ${"a title of many words ".repeat(6)}has no end`);
  await runsEnd(page);
  await page.goto(`${stage.server.url}${address}`);
  const faults: Record<string, readonly string[]> = {};
  const look = async (view: string, width: number): Promise<void> => {
    const found = await unreadable(page);
    if (found.length > 0) faults[`${view} at ${width}`] = found;
  };
  await page.locator('[data-call="c_runs"][data-state="running"]').waitFor();
  await page.locator('[data-row="c_runs"]').waitFor();
  for (const width of widths) {
    await atWidth(page, width);
    await goTo(page, "Chat");
    await page.locator('[data-call="c_runs"]').waitFor();
    await look("chat", width);
    await goTo(page, "Board");
    for (const view of ["List", "Tools", "Events", "Changes", "Timeline"]) {
      await page.getByRole("button", { name: view, exact: true }).click();
      await look(view, width);
    }
    await page.locator('[data-row="c_exit"]').click();
    await page.getByRole("region", { name: "Call details" }).waitFor();
    await look("details", width);
    await page.getByRole("button", { name: "Close details" }).click();
    await goTo(page, "History");
    await page.locator("nav [data-title]").nth(1).waitFor();
    await look("history", width);
  }
  await atWidth(page, 1_440);
  await page.goto(`${stage.server.url}/all`);
  await page.getByText("By tool").waitFor();
  for (const width of widths) {
    await atWidth(page, width);
    await goTo(page, "Overview");
    await page.locator(".overview-row").first().waitFor();
    await look("all agents", width);
    // The figures of the tools are read without moving the table sideways, however long a name is.
    const tools = page.getByRole("group", { name: "By tool" });
    await tools.scrollIntoViewIfNeeded();
    expect([width, await tools.evaluate((one) => one.scrollWidth - one.clientWidth)]).toEqual([
      width,
      0,
    ]);
  }
  expect(faults).toEqual({});
  await page.close();
});

it("leaves out facts and targets before a verb loses a letter, and nothing of an earlier run is cut", async () => {
  const page = await stage.fresh();
  await say(page, "say first");
  await runsEnd(page);
  const path = "a-folder/with-a-file-that-nobody-has-written-yet.txt";
  await say(page, [call("read_file", { path }), call("list_files", { path })].join("\n"));
  await runsEnd(page, 2);
  const question = shell("echo asked-about");
  await say(page, question);
  await page.locator("[data-approval]").waitFor();
  const verbs = page.locator("[data-call] .row-verb");
  for (const width of widths) {
    await atWidth(page, width);
    const cut = await verbs.evaluateAll((all) =>
      all
        .filter((verb) => {
          const range = document.createRange();
          range.selectNodeContents(verb);
          // What is cut by a part of a pixel ends with dots too.
          return range.getBoundingClientRect().width > verb.getBoundingClientRect().width + 0.01;
        })
        .map((verb) => verb.textContent),
    );
    expect([width, cut]).toEqual([width, []]);
    expect([width, await unreadable(page)]).toEqual([width, []]);
  }
  expect(await verbs.allTextContents()).toEqual([
    ...["Could not read", "Could not list", "Wants to run"],
  ]);
  await page.getByRole("button", { name: /^(\d )?Reject/ }).click();
  await runsEnd(page, 3);
});

it("keeps the end of the chat in sight when the page gets another width, and when a message waits below it", async () => {
  const page = await stage.fresh();
  const said = Array.from({ length: 30 }, () => `say ${"something of some length, ".repeat(12)}`);
  await say(page, [call("list_files", {}), ...said, waiting("end")].join("\n"));
  await stage.server.waits("end");
  await page.locator('[data-call][data-state="running"]').waitFor();
  const left = (): Promise<number> =>
    page
      .locator("[data-chat-list]")
      .evaluate((list) => Math.round(list.scrollHeight - list.scrollTop - list.clientHeight));
  for (const width of [360, 1_440, 800, 390]) {
    await atWidth(page, width);
    await expect.poll(async () => [width, await left()]).toEqual([width, 0]);
  }
  await say(page, "say later");
  await page.getByRole("list", { name: "Messages that wait" }).waitFor();
  await expect.poll(left).toBe(0);
  expect(await page.getByRole("button", { name: "Jump to latest" }).count()).toBe(0);
  stage.server.release("end");
  await runsEnd(page, 2);
  // A message of several lines takes room from the chat.
  await page.getByRole("textbox", { name: "Message", exact: true }).fill("a\nb\nc\nd\ne\nf");
  await expect.poll(left).toBe(0);
  await page.getByRole("textbox", { name: "Message", exact: true }).fill("");
});

it("keeps its height when a run that was the last one has another one below it", async () => {
  const page = await stage.fresh();
  const said = Array.from({ length: 30 }, () => `say ${"something of some length, ".repeat(12)}`);
  await say(page, said.join("\n"));
  await runsEnd(page, 1);
  // Until the part that draws Markdown is loaded, a text stands there as it is, with more lines.
  await page.locator("[data-run] .prose-callboard").waitFor();
  // The browser remembers the height of a run with a frame that it draws.
  await page.evaluate(
    () => new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn))),
  );
  // The object is there as soon as the height is looked at: only then is the next message sent.
  const looking = await page.locator("[data-chat-list]").evaluateHandle((list) => {
    const first = list.scrollHeight;
    const lowest = new Promise<number>((resolve) => {
      let least = first;
      const look = (): void => {
        least = Math.min(least, list.scrollHeight);
        const ended = list.querySelectorAll("[data-run][data-status=closed]").length === 2;
        if (ended) resolve(least - first);
        else requestAnimationFrame(look);
      };
      look();
    });
    return { lowest };
  });
  await say(page, "say later");
  await runsEnd(page, 2);
  expect(await looking.evaluate(({ lowest }) => lowest)).toBe(0);
});

it("has panes that are made wider, put away and brought back, and a list that is hidden, also after a reload", async () => {
  const page = await stage.open();
  await say(page, "say something");
  await runsEnd(page);
  const board = page.getByRole("region", { name: "Board", exact: true });
  const list = page.getByRole("navigation", { name: "Conversations" });
  const line = page.getByRole("separator", { name: "Width of the board" });
  const width = async (): Promise<number> => Math.round((await board.boundingBox())?.width ?? 0);
  const before = await width();
  const { x, y } = (await line.boundingBox()) ?? { x: 0, y: 0 };
  // A little beside it, on the side of the timeline.
  await page.mouse.move(x + 2, y + 300);
  await page.mouse.down();
  await page.mouse.move(x - 120, y + 300, { steps: 4 });
  await page.mouse.up();
  const isWider = async (): Promise<boolean> => Math.abs((await width()) - before - 120) < 8;
  await expect.poll(isWider).toBe(true);
  await page.getByRole("button", { name: "Hide the conversations" }).click();
  await expect.poll(() => list.isVisible()).toBe(false);
  await page.reload();
  await runsEnd(page);
  expect(await list.isVisible()).toBe(false);
  await page.getByRole("button", { name: "Show the conversations" }).click();
  await expect.poll(isWider).toBe(true);
  await line.press("Enter");
  await expect.poll(() => board.isVisible()).toBe(false);
  await line.press("Enter");
  await expect.poll(async () => Math.abs((await width()) - before) < 8).toBe(true);
  await page.close();
});

it("marks the pane that is in sight at every width", async () => {
  const page = await stage.fresh();
  await say(page, "say something");
  await runsEnd(page);
  const pressed = page
    .getByRole("navigation", { name: "Panes" })
    .locator("[aria-pressed=true]:visible");
  await atWidth(page, 390);
  await goTo(page, "Board");
  expect(await pressed.allTextContents()).toEqual(["Board"]);
  await atWidth(page, 800);
  expect(await pressed.allTextContents()).toEqual(["Chat and board"]);
});

it("keeps the last line of an output in sight while it grows, in the chat and in the details", async () => {
  const page = await stage.fresh();
  await say(page, shell("seq 1 100; echo the-last-line; sleep 600"));
  await allowOnce(page);
  await page.locator('[data-call][data-state="running"] summary').click();
  const outputs = page.getByRole("group", { name: "Output so far" });
  await expect
    .poll(async () => (await outputs.allTextContents()).join())
    .toMatch(/the-last-line\s*,[\s\S]*the-last-line/);
  for (const width of [1_440, 800]) {
    await atWidth(page, width);
    await expect.poll(() => lastLinesIn(page)).toEqual(["in sight", "in sight"]);
  }
  await page.getByRole("button", { name: "Stop", exact: true }).click();
  await runsEnd(page);
});

/** Where the last line of each growing output is: the box of its letters, not that of what holds them. */
function lastLinesIn(page: Page): Promise<readonly string[]> {
  return page.getByRole("group", { name: "Output so far" }).evaluateAll((regions) =>
    regions.map((region) => {
      const walker = document.createTreeWalker(region, NodeFilter.SHOW_TEXT);
      let line: DOMRect | undefined;
      for (let node = walker.nextNode(); node; node = walker.nextNode()) {
        const at = (node.textContent ?? "").lastIndexOf("the-last-line");
        if (at < 0) continue;
        const range = document.createRange();
        range.setStart(node, at);
        range.setEnd(node, at + "the-last-line".length);
        line = range.getBoundingClientRect();
      }
      if (line === undefined) return "not there";
      const there = document.elementFromPoint(
        (line.left + line.right) / 2,
        (line.top + line.bottom) / 2,
      );
      return there !== null && region.contains(there) ? "in sight" : "out of sight";
    }),
  );
}

it("shows a question, its answers and the list beside it whole, from 360 to 2560 px", async () => {
  const page = await stage.fresh();
  await say(
    page,
    call("ask_user", {
      question: "Which of the databases should it be?",
      choices: ["PostgreSQL with everything", "SQLite", "Neither of them"],
    }),
  );
  await page.locator("[data-ask]").first().waitFor();
  const faults: Record<string, readonly string[]> = {};
  for (const width of widths) {
    await atWidth(page, width);
    await page.locator("[data-ask]").first().waitFor();
    const found = await unreadable(page);
    if (found.length > 0) faults[width] = found;
  }
  expect(faults).toEqual({});
  await page.locator("[data-ask]").getByRole("button", { name: "SQLite" }).click();
  await runsEnd(page);
});
