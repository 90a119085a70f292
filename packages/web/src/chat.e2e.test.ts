/** The chat as people expect it: drafts stay, Esc stops, the latest is a click away, code can be copied. */
import type { Page } from "playwright-core";
import { expect, it } from "vitest";
import { pageServer, stageOf } from "./testing/stage.js";
import { call, runsEnd, say, statesIn, waiting } from "./testing/steps.js";

const stage = stageOf(pageServer());
const field = { name: "Message", exact: true } as const;

it("keeps what was written, for each conversation, over a switch and a reload", async () => {
  const page = await stage.open();
  const message = page.getByRole("textbox", field);
  await expect.poll(() => message.evaluate((one) => one === document.activeElement)).toBe(true);
  await say(page, "say one");
  await runsEnd(page);
  await message.fill("half a thought");
  await page.getByRole("button", { name: "New conversation" }).click();
  await page.getByRole("heading", { name: "See what your agent is doing" }).waitFor();
  expect(await message.inputValue()).toBe("");
  await page.getByRole("navigation").locator("[data-title]").first().click();
  await expect.poll(() => message.inputValue()).toBe("half a thought");
  await page.reload();
  await expect.poll(() => message.inputValue()).toBe("half a thought");
  await message.press("Enter");
  await runsEnd(page, 2);
  await page.reload();
  await runsEnd(page, 2);
  expect(await message.inputValue()).toBe("");
  await page.close();
});

it("loads a part of the page again that the server could not deliver", async () => {
  const page = await stage.open();
  let asked = 0;
  await page.route(/ChatRuns-.*\.js$/, async (route) => {
    asked += 1;
    await (asked === 1 ? route.abort() : route.continue());
  });
  await page.reload();
  await say(page, "say it after all");
  await runsEnd(page);
  await page.getByText("it after all").last().waitFor();
  expect(asked).toBe(2);
  await page.close();
});

it("says from the first moment that it works, and Esc in the message stops it", async () => {
  const page = await stage.fresh();
  await say(page, waiting("esc"));
  await page
    .locator("[data-pulse]")
    .getByText(/ (ms|s|min)$/)
    .waitFor();
  await stage.server.waits("esc");
  await page.getByRole("textbox", field).press("Escape");
  await runsEnd(page);
  expect(await page.locator("[data-pulse]").count()).toBe(0);
  await expect.poll(() => page.locator('[data-call][data-state="stopped"]').count()).toBe(1);
});

it("marks a run whose message another client has answered again", async () => {
  const page = await stage.fresh();
  await say(page, "say it");
  await runsEnd(page);
  const [, id = ""] = /([0-9a-f-]{36})/.exec(page.url()) ?? [];
  const { url, token } = stage.server;
  const headers = { authorization: `Bearer ${token}`, "content-type": "application/json" };
  const stored: unknown = await (await fetch(`${url}/api/chat/${id}/messages`, { headers })).json();
  const messages = Array.isArray(stored) ? stored.slice(0, 1) : [];
  const body = JSON.stringify({ id, messages, trigger: "regenerate-message" });
  const again = await fetch(`${url}/api/chat`, { method: "POST", headers, body });
  expect([again.status, await again.text()]).toEqual([200, expect.stringContaining("it")]);
  await runsEnd(page, 2);
  const marks = page
    .locator("[data-run]")
    .evaluateAll((runs) => runs.map((run) => run.querySelector("[data-replaced]") !== null));
  expect(await marks).toEqual([true, false]);
});

it("follows what comes only while the reader is at the end, and leads back there", async () => {
  const page = await stage.fresh();
  const lines = Array.from({ length: 30 }, (_, index) => `call list_files {"path":"${index}"}`);
  await say(page, lines.join("\n"));
  await runsEnd(page);
  const list = page.locator("[data-chat-list]").first();
  const distance = (): Promise<number> =>
    list.evaluate((one) => one.scrollHeight - one.scrollTop - one.clientHeight);
  await expect.poll(distance).toBeLessThan(80);
  expect(await page.getByRole("button", { name: "Jump to latest" }).count()).toBe(0);
  await list.evaluate((one) => one.scrollTo(0, 0));
  await page.getByRole("button", { name: "Jump to latest" }).click();
  await expect.poll(distance).toBeLessThan(80);
  await page.getByRole("button", { name: "Jump to latest" }).waitFor({ state: "detached" });
});

it("leaves a reader who scrolled up a little where they are when more comes", async () => {
  const page = await stage.fresh();
  const lines = Array.from({ length: 30 }, (_, index) => `call list_files {"path":"${index}"}`);
  await say(page, [...lines, waiting("a-little"), "say more", "say at the end"].join("\n"));
  await stage.server.waits("a-little");
  await expect.poll(() => statesIn(page)).toEqual([...lines.map(() => "failed"), "running"]);
  const list = page.locator("[data-chat-list]").first();
  const top = (): Promise<number> => list.evaluate((one) => one.scrollTop);
  const distance = (): Promise<number> =>
    list.evaluate((one) => one.scrollHeight - one.scrollTop - one.clientHeight);
  await expect.poll(distance).toBe(0);
  await list.hover();
  await page.mouse.wheel(0, -30);
  await expect.poll(distance).toBe(30);
  const before = await top();
  stage.server.release("a-little");
  await runsEnd(page);
  expect(await top()).toBe(before);
  await page.getByRole("button", { name: "Jump to latest" }).click();
  await expect.poll(distance).toBe(0);
});

it("draws markdown as a document: headings by size, whole words, labelled code that can be copied", async () => {
  const page = await stage.open("/", { width: 800 });
  await page.context().grantPermissions(["clipboard-read", "clipboard-write"]);
  const code = "const answer = 42;";
  stage.server.setOutput(
    [
      "# One\n## Two\n### Three",
      "| identifier | description |\n|---|---|\n| unbreakable_identifier_of_a_cell | two words |",
      "- [x] done\n- [ ] to do",
      `\`\`\`ts\n${code}\n\`\`\``,
    ].join("\n\n"),
  );
  await say(page, "call answer_with {}\nsay **told**");
  await runsEnd(page);
  await page.locator("[data-call] summary").click();
  const drawn = page.locator("[data-call] .prose-callboard").first();
  await drawn.locator("table").waitFor();
  const sizes = await drawn.evaluate((one) =>
    ["h3", "h4", "h5"].map((name) => {
      const heading = one.querySelector(name);
      return heading ? Number.parseFloat(getComputedStyle(heading).fontSize) : 0;
    }),
  );
  expect(sizes).toEqual(sizes.toSorted((one, other) => other - one));
  expect(new Set(sizes).size).toBe(3);
  const cell = drawn.getByRole("cell", { name: "unbreakable_identifier_of_a_cell" });
  expect((await cell.boundingBox())?.height).toBeLessThan(40);
  expect(await drawn.locator(".task").count()).toBe(2);
  expect(await drawn.locator(".code-head").textContent()).toContain("ts");
  const copied = (): Promise<unknown> => page.evaluate("navigator.clipboard.readText()");
  await drawn.locator(".code-head").getByRole("button").click();
  await expect.poll(copied).toBe(`${code}\n`);
  await page.getByRole("button", { name: "Copy answer" }).click();
  await expect.poll(copied).toBe("Rehearsal: **told**");
  await page.close();
});

it("takes files that are dropped: a text becomes part of the message", async () => {
  const page = await stage.fresh();
  const dropped = await page.evaluateHandle(`(() => {
    const files = new DataTransfer();
    files.items.add(new File(["one\\ntwo\\n"], "notes.txt", { type: "text/plain" }));
    return files;
  })()`);
  await page.locator("form.composer").dispatchEvent("drop", { dataTransfer: dropped });
  const message = page.getByRole("textbox", field);
  await expect.poll(() => message.inputValue()).toBe("notes.txt:\n```\none\ntwo\n```");
  await message.fill("");
});

it("loads at most 130 KB of script before anything is said", async () => {
  const page = await stage.open("/", { width: 800 });
  await page.getByRole("heading", { name: "See what your agent is doing" }).waitFor();
  await page.getByRole("heading", { name: "No calls yet" }).waitFor();
  const kilobytes = await page.evaluate(`performance.getEntriesByType("resource")
    .filter(({ name }) => name.endsWith(".js"))
    .reduce((sum, { encodedBodySize }) => sum + encodedBodySize, 0) / 1_000`);
  expect(kilobytes).toBeLessThanOrEqual(130);
  expect(kilobytes).toBeGreaterThan(50);
  await page.close();
});

/** The pieces of lines that reach beyond their line: what is too long ends in dots instead. */
const cutOff = `[...document.querySelectorAll(".row > *, .row-said > *")]
  .filter((one) => one.getClientRects().length > 0 && one.clientWidth > 1)
  .filter((one) => one.getBoundingClientRect().right > one.parentElement.getBoundingClientRect().right + 1)
  .map((one) => one.textContent)`;

/** The verbs of which hardly a letter is left. */
const unread = `[...document.querySelectorAll("[data-row] .row-verb")]
  .filter((one) => one.clientWidth < Math.min(one.scrollWidth, 64))
  .map((one) => one.textContent)`;

it("prints nothing over anything from 360 to 2560 px", async () => {
  const page = await stage.fresh();
  const calls = [
    call("read_file", { path: "notes.md" }),
    call("search_files", { pattern: "nothing-has-this", path: "." }),
    call("read_file", { path: "a-file-that-nobody-has-written-yet.txt" }),
    call("list_files", {}),
  ];
  await say(page, calls.join("\n"));
  await runsEnd(page);
  for (const width of [360, 800, 1_024, 2_560]) {
    await page.setViewportSize({ width, height: 860 });
    await expect.poll(() => page.evaluate("innerWidth")).toBe(width);
    expect([width, await overlapsIn(page)]).toEqual([width, [4, 0, 0, 0, 0]]);
    expect([width, await page.evaluate(cutOff)]).toEqual([width, []]);
    if (width < 768) await page.getByRole("button", { name: "Board", exact: true }).click();
    for (const view of ["Timeline", "List"]) {
      await page.getByRole("button", { name: view, exact: true }).click();
      await page.locator("[data-row]").nth(3).waitFor();
      expect([width, view, await page.evaluate(cutOff)]).toEqual([width, view, []]);
      expect([width, view, await page.evaluate(unread)]).toEqual([width, view, []]);
    }
  }
});

/** Lines of calls in the chat; panes over one another; panes too narrow; lines that are cut; pixels beyond the page. */
function overlapsIn(page: Page): Promise<unknown> {
  return page.evaluate(`(() => {
    const seen = (selector) => [...document.querySelectorAll(selector)]
      .filter((one) => one.getClientRects().length > 0)
      .map((one) => one.getBoundingClientRect());
    const panes = seen('nav[aria-label="Conversations"], section[aria-label="Chat"], section[aria-label="Board"]');
    const over = panes.filter((one, index) =>
      panes.some((other, place) => place > index && one.left < other.right - 1 && other.left < one.right - 1));
    const narrow = panes.filter(({ width }) => width < 230);
    const words = [...document.querySelectorAll('section[aria-label="Chat"] .row-word')];
    const cut = words.filter(({ previousElementSibling: said }) =>
      said.scrollWidth > said.clientWidth + 1 || said.querySelector(".row-target")?.clientWidth < 4);
    const tooWide = document.documentElement.scrollWidth - innerWidth;
    return [words.length, over.length, narrow.length, cut.length, tooWide];
  })()`);
}
