/** Hostile texts wherever text can come from: nothing runs, nothing is asked of another origin. */

import { copyFile } from "node:fs/promises";
import type { Page } from "playwright-core";
import { expect, it } from "vitest";
import { hostileTexts } from "./testing/hostile.js";
import { hostileSession } from "./testing/hostileSession.js";
import { pageServer, stageOf } from "./testing/stage.js";
import { choose, openRecording, runsEnd, say } from "./testing/steps.js";

const stage = stageOf(pageServer());

/** Links that could run something or read another file, and whether anything ran. */
async function harm(page: Page): Promise<unknown> {
  return page.evaluate(`({
    wasRun: "wasRun" in window,
    links: [...document.querySelectorAll("a[href]")].map((link) => link.href)
      .filter((href) => !/^(https?|mailto):/.test(href) && href !== location.href),
    foreign: document.querySelectorAll(
      "#root :is(script, iframe, object, embed, link, meta, base, form[action], style, video, audio)"
    ).length,
    images: [...document.images].map(({ src }) => src).filter((src) => !src.startsWith("data:")),
  })`);
}
const harmless = { wasRun: false, links: [], foreign: 0, images: [] };

const [one = "", two = "", three = ""] = hostileTexts;
const rows = Array.from({ length: Math.ceil(hostileTexts.length / 5) }, (_, index) =>
  Object.fromEntries(
    hostileTexts.slice(index * 5, index * 5 + 5).map((text, at) => [`c${at}`, text]),
  ),
);

/** What a tool answers, in every shape that the page tells apart. */
const outputs: Readonly<Record<string, string>> = {
  text: hostileTexts.join(" ¶ "),
  markdown: `# Findings\n\n${hostileTexts.join("\n\n")}`,
  table: JSON.stringify(rows),
  list: JSON.stringify(hostileTexts),
  "keys and values": JSON.stringify(Object.fromEntries(hostileTexts.map((text) => [text, text]))),
  tree: JSON.stringify({ [one]: { [two]: [{ [three]: hostileTexts }] } }),
};

it("of which there are enough", () => {
  expect(new Set(hostileTexts).size).toBeGreaterThanOrEqual(500);
});

it("do nothing in what a model says, in the title, in arguments and in the event log", async () => {
  const page = await stage.fresh();
  const spoken = hostileTexts.map((text) => `say ${text}`);
  const asked = `call answer_with ${JSON.stringify({ title: hostileTexts.slice(0, 50).join(" ") })}`;
  await say(page, [...spoken, asked].join("\n"));
  await runsEnd(page);
  await page.locator("[data-run] strong").first().waitFor();
  await page.locator("[data-call] summary").last().click();
  await page.getByText("Show on the board").waitFor();
  // A call that is opened in the chat is chosen on the board.
  for (const tab of ["Input", "Events", "Raw"]) {
    await page.getByRole("tab", { name: tab }).click();
  }
  await page.getByRole("button", { name: "Events", exact: true }).click();
  await page.locator("[data-line]").first().waitFor();
  expect(await harm(page)).toEqual(harmless);
  expect(stage.faults).toEqual([]);
  await choose(page, "Export");
  const download = page.waitForEvent("download");
  await page.getByRole("button", { name: /One HTML page/ }).click();
  const path = await (await download).path();
  await copyFile(path, `${path}.html`);
  const file = await stage.browser.newPage();
  file.setDefaultTimeout(150_000);
  const loaded: string[] = [];
  file.on("request", (request) => loaded.push(request.url()));
  await file.goto(`file://${path}.html`);
  await file.locator("[data-run] strong").first().waitFor();
  // A call that is opened in the chat is chosen on the board.
  await file.locator("[data-call] summary").last().click();
  await file.getByRole("tab", { name: "Raw" }).click();
  expect(await harm(file)).toEqual(harmless);
  expect(loaded).toEqual([`file://${path}.html`]);
  await file.close();
});

it("do nothing in the session of another agent: taken in by the server, and opened as a recording", async () => {
  const { url, token } = stage.server;
  const answer = await fetch(`${url}/api/intake/claudeCode?stream=hostile&end=true`, {
    method: "POST",
    headers: { authorization: `Bearer ${token}`, "content-type": "application/x-ndjson" },
    body: hostileSession.map((line) => `${line}\n`).join(""),
  });
  const { sessions } = Object(await answer.json());
  const taken = await stage.open(`/c/${sessions[0].conversation_id}`);
  await runsEnd(taken);
  const recorded = await stage.fresh();
  await openRecording(recorded, "session.jsonl", hostileSession.join("\n"));
  for (const page of [taken, recorded]) {
    await page.locator("[data-run]:visible", { hasText: "onerror" }).first().waitFor();
    for (const row of [0, 1]) {
      await page.locator("[data-row]").nth(row).click();
      for (const tab of ["Output", "Input", "Raw"]) {
        await page.getByRole("tab", { name: tab }).click();
        await page.getByRole("tab", { name: tab, selected: true }).waitFor();
        expect(await harm(page)).toEqual(harmless);
      }
    }
    await page.getByRole("button", { name: "Events", exact: true }).click();
    await page.locator("[data-line]").first().waitFor();
    expect(await harm(page)).toEqual(harmless);
  }
  expect(stage.faults).toEqual([]);
  await taken.close();
});

it.each(Object.entries(outputs))("do nothing in an output that is %s", async (_, output) => {
  stage.server.setOutput(output);
  const page = await stage.fresh();
  await say(page, "call answer_with {}");
  await runsEnd(page);
  await page.locator("[data-call] summary").click();
  await page.getByRole("button", { name: "Copy output" }).nth(1).waitFor();
  await page.getByRole("region", { name: "Call details" }).getByText("onerror").first().waitFor();
  expect(await harm(page)).toEqual(harmless);
  expect(stage.faults).toEqual([]);
});
