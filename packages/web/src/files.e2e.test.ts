/** What comes to the page and what leaves it: recordings, exports, pictures. */
import { copyFile, readFile } from "node:fs/promises";
import { dialects, lifeNamed } from "@callboard/testkit";
import { describe, expect, it } from "vitest";
import { longLog } from "./testing/longLog.js";
import { pageServer, stageOf } from "./testing/stage.js";
import { call, chatIn, endedRows, openRecording, rowsIn, runsEnd, say } from "./testing/steps.js";

const stage = stageOf(pageServer());

describe("what leaves the page and comes back", () => {
  it("is one HTML file that shows the same board, and a log that opens as a recording", async () => {
    const page = await stage.fresh();
    await say(page, [call("read_file", { path: "none.txt" }), call("list_files", {})].join("\n"));
    await runsEnd(page);
    const live = [await endedRows(page, 2), await chatIn(page)];
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
    await expect.poll(async () => [await rowsIn(viewer), await chatIn(viewer)]).toEqual(live);
    expect(asked).toEqual([`file://${file}.html`]);
    await viewer.close();
    await openRecording(page, "broken.jsonl", log.split("\n").slice(0, -3).join("\n"));
    await page.getByRole("heading", { name: "broken.jsonl" }).waitFor();
    await page.getByText(/The checker found/).waitFor();
    await page.getByRole("button", { name: "Event log" }).click();
    await page.locator("[data-line]").first().waitFor();
    await page.getByRole("button", { name: "Close the recording" }).click();
  });
});

describe("a recording of another kind", () => {
  it.each(["tool-event", "acp-v1", "acp-v2"])("is shown on the same board: %s", async (name) => {
    const page = await stage.fresh();
    const dialect = dialects.find((one) => one.name === name);
    const lines = dialect?.linesOf(lifeNamed("approval-allowed")?.log ?? []) ?? [];
    await openRecording(page, `${name}.jsonl`, lines.join("\n"));
    await page.getByRole("heading", { name: `${name}.jsonl` }).waitFor();
    await expect.poll(async () => (await rowsIn(page)).length).toBe(1);
    const position = page.getByRole("slider", { name: "Position" });
    await position.focus();
    await page.keyboard.press("Home");
    const states = new Set<string>();
    for (const _ of lines) {
      await page.keyboard.press("ArrowRight");
      for (const row of await rowsIn(page)) states.add(row.split(":")[0] ?? "");
    }
    expect(states.has("approval")).toBe(true);
    expect([...states].slice(-2)).toEqual(["running", "done"]);
  });
});

describe("fifty thousand events", () => {
  it("are one list, of which only what is in sight is there", async () => {
    const page = await stage.fresh();
    await openRecording(page, "long.jsonl", longLog(50_000));
    await page.getByRole("heading", { name: "long.jsonl" }).waitFor();
    await page.getByRole("button", { name: "Event log" }).click();
    const lines = page.locator("[data-line]");
    await lines.first().waitFor();
    await page.getByRole("group", { name: "Events" }).focus();
    await page.keyboard.press("End");
    await page.locator('[data-line="50000"]').waitFor();
    expect(await lines.count()).toBeLessThan(100);
    await page.getByRole("button", { name: "Close the recording" }).click();
  });
});

describe("a picture", () => {
  it("goes along with a message, and is shown where it was sent", async () => {
    const page = await stage.fresh();
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
  });
});
