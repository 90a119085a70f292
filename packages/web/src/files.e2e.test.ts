/** What comes to the page and what leaves it: recordings, exports, copies, pictures. */
import { copyFile, readFile } from "node:fs/promises";
import { dialects, lifeNamed } from "@callboard/testkit";
import type { Page } from "playwright-core";
import { describe, expect, it } from "vitest";
import { longLog } from "./testing/longLog.js";
import { pageServer, stageOf } from "./testing/stage.js";
import {
  call,
  chatIn,
  choose,
  endedRows,
  openRecording,
  rowsIn,
  runsEnd,
  say,
} from "./testing/steps.js";

const stage = stageOf(pageServer());

describe("what leaves the page and comes back", () => {
  it("is one HTML file that shows the same board, and a log that opens as a recording", async () => {
    const page = await stage.fresh();
    await say(page, [call("read_file", { path: "none.txt" }), call("list_files", {})].join("\n"));
    await runsEnd(page);
    const live = [await endedRows(page, 2), await chatIn(page)];
    const saved = async (name: RegExp): Promise<string> => {
      await choose(page, "Export");
      const download = page.waitForEvent("download");
      await page.getByRole("button", { name }).click();
      const path = await (await download).path();
      await copyFile(path, `${path}.html`);
      return path;
    };
    const file = await saved(/One HTML page/);
    const log = await readFile(await saved(/JSONL/), "utf8");
    const viewer = await stage.browser.newPage({ viewport: { width: 1_100, height: 800 } });
    viewer.setDefaultTimeout(150_000);
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
    // A reload finds it again, as the board was.
    const opened = await rowsIn(page);
    await page.reload();
    await page.getByRole("heading", { name: "broken.jsonl" }).waitFor();
    await expect.poll(() => rowsIn(page)).toEqual(opened);
    await page.getByRole("button", { name: "Events", exact: true }).click();
    await page.locator("[data-line]").first().waitFor();
    const address = page.url();
    await page.getByRole("button", { name: "Close the recording" }).click();
    await page.waitForURL((url) => url.pathname === "/");
    await page.goto(address);
    await page.getByText("This recording is not kept in this browser.").waitFor();
    await dropOn(page, "dropped.jsonl", log);
    await page.getByRole("heading", { name: "dropped.jsonl" }).waitFor();
  });
});

/** Drops a file on the page as a person does. */
async function dropOn(page: Page, name: string, text: string): Promise<void> {
  const data = await page.evaluateHandle(
    `(() => {
      const data = new DataTransfer();
      data.items.add(new File([${JSON.stringify(text)}], ${JSON.stringify(name)}));
      return data;
    })()`,
  );
  await page.dispatchEvent("body", "dragover", { dataTransfer: data });
  await page.getByText("Drop the file to open it as a recording").waitFor();
  await page.dispatchEvent("body", "drop", { dataTransfer: data });
}

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

describe("a replay that plays", () => {
  it("follows the times of the log at its speed, stops where it is told to, and ends with the end", async () => {
    // In a context of its own: time there passes only when the test lets it.
    const page = await stage.open("/", { theme: "dark" });
    const calls = 30;
    await openRecording(page, "played.jsonl", longLog(calls * 100 + 1));
    await page.getByRole("heading", { name: "played.jsonl" }).waitFor();
    await page.clock.install({ time: 0 });
    await page.clock.pauseAt(160_000);
    const position = page.getByRole("slider", { name: "Position" });
    const told = async (): Promise<number> => Number(await position.inputValue());
    const play = page.getByRole("button", { name: "Play", exact: true });
    const pause = page.getByRole("button", { name: "Pause", exact: true });
    const perSpeed: number[] = [];
    for (const speed of ["1", "4", "16"]) {
      await position.focus();
      await page.keyboard.press("Home");
      await page.getByLabel("Speed").selectOption(speed);
      await play.click();
      await pause.waitFor();
      await page.clock.runFor(160);
      await pause.click();
      await play.waitFor();
      perSpeed.push(await told());
      await page.clock.runFor(160);
      expect(await told()).toBe(perSpeed.at(-1));
    }
    // A line each millisecond, and the first at none.
    expect(perSpeed).toEqual([161, 641, 2_561]);
    await play.click();
    await pause.waitFor();
    await page.clock.runFor(160);
    await play.waitFor();
    expect(await told()).toBe(calls * 100 + 1);
    const states = (await rowsIn(page)).map((row) => row.split(":")[0]);
    expect(new Set(states)).toEqual(new Set(["done"]));
    await page.close();
  });
});

describe("fifty thousand events", () => {
  it("of several runs are one timeline and one list, of which only what is in sight is there", async () => {
    const page = await stage.fresh();
    const runs = 10;
    await openRecording(page, "long.jsonl", longLog(50_000, runs));
    await page.getByRole("heading", { name: "long.jsonl" }).waitFor();
    const rows = page.locator("[data-row]");
    await page.locator("[data-run-row=run_long]").waitFor();
    expect(await page.locator(".cut").count()).toBe(runs - 1);
    await page.getByRole("group", { name: "Calls" }).focus();
    await page.keyboard.press("End");
    await page.locator("[data-row=call_50]").waitFor();
    expect(await rows.count()).toBeLessThan(100);
    expect(await page.locator("[data-sums] > div").first().textContent()).toBe("calls500");
    await page.getByRole("button", { name: "Events", exact: true }).click();
    const lines = page.locator("[data-line]");
    await lines.first().waitFor();
    await page.getByRole("group", { name: "Events" }).focus();
    await page.keyboard.press("End");
    await page.locator('[data-line="50000"]').waitFor();
    expect(await lines.count()).toBeLessThan(100);
    await page.getByRole("button", { name: "Close the recording" }).click();
  });
});

describe("a copy", () => {
  it("is what was shown, and a link leads to the run or the call that it was taken from", async () => {
    const page = await stage.fresh();
    await page.context().grantPermissions(["clipboard-read", "clipboard-write"]);
    const copied = (): Promise<unknown> => page.evaluate("navigator.clipboard.readText()");
    stage.server.setOutput("one\ntwo ✓\n");
    const long = [...Array.from({ length: 30 }, (_, line) => `say line ${line}`), "say **over**"];
    for (const runs of [1, 2, 3]) {
      await say(page, [...long, call("answer_with", { title: `copy ${runs}` })].join("\n"));
      await runsEnd(page, runs);
    }
    await page.waitForURL(/\/c\//);
    const run = page.locator("[data-run]").nth(1);
    await run.locator("[data-call] summary").click();
    await run.getByRole("button", { name: "Copy arguments" }).click();
    await expect.poll(copied).toBe('{"title":"copy 2"}');
    await run.getByRole("button", { name: "Copy output" }).click();
    await expect.poll(copied).toBe("one\ntwo ✓\n");
    await run.getByRole("button", { name: "Show on the board" }).click();
    const details = page.getByRole("region", { name: "Call details" });
    await details.getByRole("tab", { name: "Input" }).click();
    await details.getByRole("button", { name: "Copy input" }).click();
    await expect.poll(copied).toBe('{"title":"copy 2"}');
    await details.getByRole("button", { name: "Copy link" }).click();
    await expect.poll(copied).toBe(page.url());
    const runId = await run.getAttribute("data-run");
    const conversation = page.url().split("/r/")[0];
    await run.getByRole("button", { name: "Copy link" }).click();
    await expect.poll(copied).toBe(`${conversation}/r/${runId}`);
    await page.goto(String(await copied()));
    await page.locator("[data-run] strong").nth(2).waitFor();
    const marked = page.locator('[data-run][aria-current="location"]');
    await expect
      .poll(() => marked.evaluateAll((runs) => runs.map((one) => one.getAttribute("data-run"))))
      .toEqual([runId]);
    /** How far its top is below that of the list. */
    const below = (): Promise<number> =>
      marked.evaluate((one) => {
        const list = one.closest(".overflow-y-auto");
        return Math.round(
          one.getBoundingClientRect().top - (list?.getBoundingClientRect().top ?? 0),
        );
      });
    await expect.poll(below).toBe(16);
  });
});

describe("a picture", () => {
  it("goes along with a message, chosen or pasted, and is shown where it was sent", async () => {
    const page = await stage.fresh();
    const data =
      "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg==";
    await page.locator('form.composer input[type="file"]').setInputFiles({
      name: "dot.png",
      mimeType: "image/png",
      buffer: Buffer.from(data, "base64"),
    });
    await page.getByText("dot.png").waitFor();
    await page.context().grantPermissions(["clipboard-read", "clipboard-write"]);
    await page.evaluate(`navigator.clipboard.write([new ClipboardItem({
      "image/png": new Blob([Uint8Array.from(atob("${data}"), (one) => one.charCodeAt(0))], { type: "image/png" }),
    })])`);
    await page.getByRole("textbox", { name: "Message", exact: true }).focus();
    await page.keyboard.press("ControlOrMeta+v");
    await page.getByText("image.png").waitFor();
    await say(page, "say seen");
    await runsEnd(page);
    const shown = page.getByRole("article", { name: "You" }).getByRole("img");
    expect(await shown.first().getAttribute("src")).toBe(`data:image/png;base64,${data}`);
    expect(await shown.nth(1).evaluate((one) => Object(one).naturalWidth)).toBe(1);
  });
});
