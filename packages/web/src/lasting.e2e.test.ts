/** Bad networks and dead servers: the page says how it is, loses nothing, and continues by itself. */
import { spawnPageServer } from "@callboard/testkit/page";
import { describe, expect, it } from "vitest";
import { pageServer, stageOf } from "./testing/stage.js";
import { call, chatIn, endedRows, rowsIn, runsEnd, say, shell, waiting } from "./testing/steps.js";

describe("a network", () => {
  const stage = stageOf(pageServer());

  it("that is slow shows what is awaited, and everything comes", async () => {
    const page = await stage.fresh();
    await say(page, "say ready");
    await runsEnd(page);
    const network = await page.context().newCDPSession(page);
    await network.send("Network.emulateNetworkConditions", {
      offline: false,
      latency: 150,
      downloadThroughput: 60_000,
      uploadThroughput: 12_000,
    });
    const words = Array.from({ length: 150 }, (_, index) => `word-${index}`).join(" ");
    await say(page, [`say ${words}`, call("list_files", {}), "say **the end**"].join("\n"));
    await page.getByRole("button", { name: "Sending…" }).waitFor();
    await runsEnd(page, 2);
    // What is awaited may be there before everything of the page has been loaded.
    await page.reload({ waitUntil: "commit" });
    await page
      .getByText(/Loading the conversation…|Opening the board…/)
      .first()
      .waitFor();
    await runsEnd(page, 2);
    await page.locator("[data-run] strong").waitFor();
    const slow = [await chatIn(page), await endedRows(page, 1)];
    const other = await stage.open(new URL(page.url()).pathname);
    await other.locator("[data-run] strong").waitFor();
    expect([await chatIn(other), await endedRows(other, 1)]).toEqual(slow);
    expect(slow.flat().join(" ")).toContain(words);
    await network.detach();
    await other.close();
  });

  it("that goes away is waited for, and what was written is sent when it is back", async () => {
    const page = await stage.open();
    await say(page, waiting("offline"));
    await stage.server.waits("offline");
    const context = page.context();
    await context.setOffline(true);
    stage.server.release("offline");
    await context.setOffline(false);
    await runsEnd(page);
    await context.setOffline(true);
    await say(page, "say later");
    await page.getByRole("button", { name: "Sending…" }).waitFor();
    await context.setOffline(false);
    await runsEnd(page, 2);
    await page.close();
  });
});

describe("a server", () => {
  const stage = stageOf(spawnPageServer);
  const connection = "[data-connection]";

  it("that is killed and started again finds the page waiting: the call was interrupted, the rest is as it was", async () => {
    const page = await stage.fresh();
    const folders = [".", "./", "home-1", "./home-1"];
    const lists = folders.map((path) => call("list_files", { path }));
    await say(page, lists.join("\n"));
    await runsEnd(page);
    const rows = await endedRows(page, 4);
    expect(await page.locator("[data-fold]").count()).toBe(0);
    await say(page, shell("echo begun; sleep 600"));
    await page.locator('[data-call][data-state="running"]').waitFor();
    await page.waitForURL(/\/c\//);
    await stage.server.kill();
    await page.locator(`${connection}[data-connection="reconnecting"]`).waitFor();
    await stage.server.start();
    await page.locator(`${connection}[data-connection="live"]`).waitFor();
    await runsEnd(page, 2);
    const interrupted = page.locator('[data-row][data-state="stopped"]');
    await interrupted.getByText("interrupted", { exact: true }).waitFor();
    const live = await rowsIn(page);
    expect(live.slice(0, 4)).toEqual(rows);
    const said = await chatIn(page);
    await say(page, "say still here");
    await runsEnd(page, 3);
    await page.reload();
    await runsEnd(page, 3);
    await expect.poll(() => rowsIn(page)).toEqual(live);
    expect((await chatIn(page))[1]).toEqual(said[1]);
    const folds = page.locator("[data-fold] summary");
    await expect.poll(() => folds.allTextContents()).toEqual([" List Files · 4 calls done"]);
    await folds.click();
    await page.locator("[data-fold] [data-call]").nth(3).waitFor();
  });

  it("that does not know the page says what to do, and doing it helps", async () => {
    const page = await stage.open();
    await say(page, "say before");
    await runsEnd(page);
    await stage.server.kill();
    await stage.server.start("empty home");
    await page.getByText("Your browser session is no longer valid.").waitFor();
    await page.getByText("callboard serve").waitFor();
    expect(await page.locator("header").first().textContent()).not.toMatch(/Authorization|Bearer/);
    await page.goto(stage.server.entry);
    await say(page, "say after");
    await runsEnd(page);
    await page.close();
  });
});
