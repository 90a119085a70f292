/** What comes to the page and what leaves it: pictures, recordings, exports; and a server that goes away. */
import { copyFile, readFile } from "node:fs/promises";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { longLog } from "./testing/longLog.js";
import {
  call,
  endedRows,
  openStage,
  rowsIn,
  runsEnd,
  type Stage,
  say,
  statesIn,
  waiting,
} from "./testing/stage.js";

let stage: Stage;

beforeAll(async () => {
  stage = await openStage();
});

afterAll(async () => {
  await stage.close();
  expect(stage.faults).toEqual([]);
});

describe("what leaves the page and comes back", () => {
  it("is one HTML file that shows the same board, and a log that opens as a recording", async () => {
    const page = await stage.open();
    await say(page, [call("read_file", { path: "none.txt" }), call("list_files", {})].join("\n"));
    await runsEnd(page);
    const live = await endedRows(page, 2);
    const saved = async (name: RegExp): Promise<string> => {
      await page.getByRole("button", { name: "Export" }).click();
      const download = page.waitForEvent("download");
      await page.getByRole("button", { name }).click();
      const path = await (await download).path();
      await copyFile(path, `${path}.html`);
      return path;
    };
    const file = await saved(/One HTML page/);
    const log = await readFile(await saved(/JSONL/), "utf8");
    const viewer = await stage.browser.newPage({ viewport: { width: 1_100, height: 800 } });
    const asked: string[] = [];
    viewer.on("request", (request) => asked.push(request.url()));
    viewer.on("console", (message) => asked.push(message.text()));
    await viewer.goto(`file://${file}.html`);
    await viewer.locator("[data-row]").first().waitFor();
    await expect.poll(() => rowsIn(viewer)).toEqual(live);
    expect(asked).toEqual([`file://${file}.html`]);
    await viewer.close();
    const chosen = page.waitForEvent("filechooser");
    await page.getByRole("button", { name: "Open a recording" }).click();
    await (await chosen).setFiles({
      name: "broken.jsonl",
      mimeType: "application/jsonl",
      buffer: Buffer.from(log.split("\n").slice(0, -3).join("\n")),
    });
    await page.getByRole("heading", { name: "broken.jsonl" }).waitFor();
    await page.getByText(/The checker found/).waitFor();
    await page.getByRole("button", { name: "Event log" }).click();
    await page.locator("[data-line]").first().waitFor();
    await page.getByRole("button", { name: "Close the recording" }).click();
    await page.close();
  });
});

describe("fifty thousand events", () => {
  it("are one list, of which only what is in sight is there", async () => {
    const page = await stage.open();
    const chosen = page.waitForEvent("filechooser");
    await page.getByRole("button", { name: "Open a recording" }).click();
    const buffer = Buffer.from(longLog(50_000));
    await (await chosen).setFiles({ name: "long.jsonl", mimeType: "application/jsonl", buffer });
    await page.getByRole("heading", { name: "long.jsonl" }).waitFor();
    await page.getByRole("button", { name: "Event log" }).click();
    const lines = page.locator("[data-line]");
    await lines.first().waitFor();
    await lines.first().focus();
    await page.keyboard.press("End");
    await page.locator('[data-line="50000"]').waitFor();
    expect(await lines.count()).toBeLessThan(200);
    await page.close();
  });
});

describe("a picture", () => {
  it("goes along with a message, and is shown where it was sent", async () => {
    const page = await stage.open();
    const data =
      "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg==";
    await page.locator('input[type="file"][accept="image/*"]').setInputFiles({
      name: "dot.png",
      mimeType: "image/png",
      buffer: Buffer.from(data, "base64"),
    });
    await page.getByText("dot.png").waitFor();
    await say(page, "say seen");
    await runsEnd(page);
    const shown = page.getByRole("article", { name: "You" }).getByRole("img");
    expect(await shown.getAttribute("src")).toBe(`data:image/png;base64,${data}`);
    await page.close();
  });
});

describe("a server that goes away", () => {
  it("is waited for, and what was written is sent when it is back", async () => {
    const page = await stage.open();
    await say(page, "say before");
    await runsEnd(page);
    const context = page.context();
    await context.setOffline(true);
    await say(page, "say later");
    await page.getByRole("button", { name: "Sending…" }).waitFor();
    await context.setOffline(false);
    await runsEnd(page, 2);
    await page.close();
  });

  it("shows after its restart what it showed before, with what went well folded", async () => {
    const page = await stage.open();
    const reads = [1, 2, 3, 4].map((limit) => call("read_file", { path: "notes.md", limit }));
    await say(page, reads.join("\n"));
    await runsEnd(page);
    await expect.poll(() => statesIn(page)).toEqual(["done", "done", "done", "done"]);
    const live = await endedRows(page, 4);
    expect(await page.locator("[data-fold]").count()).toBe(0);
    await say(page, waiting("restart"));
    await stage.server.waits("restart");
    await stage.restart();
    await page.reload();
    await runsEnd(page, 2);
    expect((await endedRows(page, 4)).slice(0, 4)).toEqual(live);
    await page.locator('[data-row][data-state="stopped"]').waitFor();
    const folds = page.locator("[data-fold] summary");
    await expect.poll(() => folds.allTextContents()).toEqual(["✓ Read File · 4 calls done"]);
    await page.locator("[data-fold] summary").click();
    await page.locator("[data-fold] [data-call]").nth(3).waitFor();
    await page.close();
  });
});
