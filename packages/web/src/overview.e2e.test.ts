/** All agents in one look: who needs an answer, given from there; what began elsewhere; the saved rules. */
import { expect, it } from "vitest";
import { pageServer, stageOf } from "./testing/stage.js";
import { runsEnd, say, shell, waiting } from "./testing/steps.js";

const stage = stageOf(pageServer());

it("shows who needs an answer, in the title too, and takes the answer", async () => {
  const page = await stage.open();
  const all = await stage.open("/all");
  await all.getByText("Nothing has run here yet").waitFor();
  expect(await all.title()).toBe("Callboard");
  await say(page, shell("echo from-the-overview"));
  await expect.poll(() => all.title()).toBe("needs you (1) · Callboard");
  const rows = all.locator(".overview-row .status");
  await expect.poll(() => rows.allTextContents()).toEqual(["needs you"]);
  await all.getByRole("navigation").getByText("needs you (1)").waitFor();
  await all.locator("[data-question] [data-approval] button").first().click();
  await runsEnd(page);
  await expect.poll(() => all.title()).toBe("Callboard");
  await expect.poll(() => rows.allTextContents()).toEqual(["done"]);
  await all.locator(".overview-row").click();
  await all.waitForURL(/\/c\//);
  await runsEnd(all);
  await page.close();
  await all.close();
});

it("is live: what begins elsewhere appears, and is filtered by how it stands", async () => {
  const all = await stage.open("/all");
  await all.locator(".overview-row").first().waitFor();
  const before = await all.locator(".overview-row").count();
  const page = await stage.open();
  await say(page, waiting("overview"));
  await stage.server.waits("overview");
  await expect.poll(() => all.locator(".overview-row").count()).toBe(before + 1);
  await all.getByRole("button", { name: /^running/ }).click();
  const shown = all.locator(".overview-row .status");
  await expect.poll(() => shown.allTextContents()).toEqual(["running"]);
  stage.server.release("overview");
  await runsEnd(page);
  await all.getByText("Nothing fits.").waitFor();
  await page.close();
  await all.close();
});

it("keeps a conversation in its order although its last run was heard of first", async () => {
  const page = await stage.open();
  await say(page, "say first");
  await runsEnd(page);
  await say(page, waiting("order"));
  await stage.server.waits("order");
  const all = await stage.open("/all");
  await all.getByLabel("Tool", { exact: true }).selectOption("wait_for_test");
  expect(await all.locator(".overview-row").count()).toBeGreaterThan(0);
  await all.getByLabel("Cost", { exact: true }).selectOption("1");
  await all.getByText("Nothing fits.").waitFor();
  await all.getByRole("button", { name: "Show all" }).click();
  await all.locator(".overview-row").first().click();
  await all.locator('[data-call][data-state="running"]').waitFor();
  const asked = all.getByRole("article", { name: "You" });
  await expect.poll(() => asked.allTextContents()).toEqual(["say first", waiting("order")]);
  stage.server.release("order");
  await runsEnd(page, 2);
  await page.close();
  await all.close();
});

it("shows the rules that were saved, and takes one back: the call is asked about again", async () => {
  const page = await stage.open();
  await say(page, shell("echo always"));
  await page
    .getByRole("button", { name: /Always allow/ })
    .first()
    .click();
  await runsEnd(page);
  await say(page, shell("echo always"));
  await runsEnd(page, 2);
  await page.getByRole("link", { name: /All agents/ }).click();
  await page.getByRole("button", { name: "Saved rules" }).click();
  const dialog = page.getByRole("dialog", { name: "Saved rules" });
  await dialog.getByText(/^shell\(echo /).waitFor();
  await dialog.getByRole("button", { name: /^Take back shell\(echo / }).click();
  await dialog.getByText("No rule is saved.").waitFor();
  await page.keyboard.press("Escape");
  await page.goBack();
  await runsEnd(page, 2);
  await page.getByRole("button", { name: "New conversation" }).click();
  await say(page, shell("echo always"));
  await page.locator("[data-approval]").waitFor();
  await page.getByRole("button", { name: /^(\d )?Reject/ }).click();
  await runsEnd(page);
  await page.close();
});
