/** The chat as people expect it: drafts stay, Esc stops, the latest is a click away, code can be copied. */
import { expect, it } from "vitest";
import { pageServer, stageOf } from "./testing/stage.js";
import { call, runsEnd, say, waiting } from "./testing/steps.js";

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

it.each([360, 800, 1_024, 2_560])("prints nothing over anything at %i px", async (width) => {
  const page = await stage.open("/", { width });
  const search = call("search_files", { pattern: "nothing-has-this", path: "." });
  await say(page, [call("read_file", { path: "notes.md" }), search].join("\n"));
  await runsEnd(page);
  const overlaps = await page.evaluate(`(() => {
    const seen = (selector) => [...document.querySelectorAll(selector)]
      .filter((one) => one.getClientRects().length > 0)
      .map((one) => one.getBoundingClientRect());
    const panes = seen('nav[aria-label="Conversations"], section[aria-label="Chat"], section[aria-label="Board"]');
    const over = panes.filter((one, index) =>
      panes.some((other, place) => place > index && one.left < other.right - 1 && other.left < one.right - 1));
    const narrow = panes.filter(({ width }) => width < 230);
    const words = [...document.querySelectorAll('section[aria-label="Chat"] .row-word')];
    const cut = words.filter(({ previousElementSibling: said }) =>
      said.scrollWidth > said.clientWidth + 1 || said.querySelector(".font-mono").clientWidth < 24);
    const tooWide = document.documentElement.scrollWidth - innerWidth;
    return [words.length, over.length, narrow.length, cut.length, tooWide];
  })()`);
  expect(overlaps).toEqual([2, 0, 0, 0, 0]);
  await page.close();
});
