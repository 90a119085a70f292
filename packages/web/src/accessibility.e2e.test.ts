/** Every view of the page in light and dark, on a desk and on a phone: nothing that axe objects to. */
import { fileURLToPath } from "node:url";
import { dialects, lifeNamed } from "@callboard/testkit";
import type { Page } from "playwright-core";
import { expect, it } from "vitest";
import { expectPicture } from "./testing/picture.js";
import { pageServer, stageOf } from "./testing/stage.js";
import {
  allowAll,
  allowOnce,
  call,
  choose,
  openRecording,
  runsEnd,
  say,
  shell,
  waiting,
} from "./testing/steps.js";
import { themes, violations } from "./testing/violations.js";

const images = fileURLToPath(new URL("../../../docs/images", import.meta.url));
const stage = stageOf(pageServer());

/** Everything that a text can be made of. */
const markdown = [
  "# One\n## Two\n### Three",
  "A [link](https://example.com), `code`, **bold** and ~~gone~~.",
  "| name | count |\n|---|---:|\n| one | 1 |",
  "- [x] done\n- [ ] to do\n- plain",
  "1. first\n2. second",
  "> said before",
  `\`\`\`ts\nconst long = "${"x".repeat(300)}";\n\`\`\``,
  "![a picture](https://example.com/a.png)",
  "---",
].join("\n\n");

it("is usable by everybody, view by view, in light and dark", async () => {
  const broken: Record<string, readonly string[]> = {};
  const look = async (view: string, page: Page, image?: string): Promise<void> => {
    for (const theme of themes) {
      const found = await violations(page, theme);
      if (found.length > 0) broken[`${view}, ${theme}`] = found;
      if (image !== undefined) await expectPicture(page, `${images}/${image}-${theme}.png`);
    }
  };
  const page = await stage.fresh();
  await page.getByText("No calls yet").waitFor();
  await look("empty", page);
  await say(page, 'call shell {"command":"rm -r build"}');
  await page.locator("[data-approval]").waitFor();
  await look("approval", page, "approval");
  await page.getByRole("button", { name: "Edit the arguments…" }).click();
  await page.getByLabel("command (required)").fill("rm -r build/cache");
  await look("changed arguments", page, "arguments");
  await page.getByRole("button", { name: "Keep the arguments" }).click();
  await allowOnce(page);
  await runsEnd(page);
  stage.server.setOutput(markdown);
  await say(page, "call answer_with {}");
  await runsEnd(page, 2);
  await page.locator("[data-call] summary").last().click();
  await page.locator(".prose-callboard table").first().waitFor();
  await look("markdown", page);
  await page.getByRole("button", { name: "New conversation" }).click();
  await say(page, "tour");
  await allowAll(page);
  await page.locator("[data-row]").nth(4).click();
  await page.getByRole("region", { name: "Call details" }).waitFor();
  await look("timeline and details", page, "board");
  await page.locator("[data-call] summary").nth(2).click();
  await page.getByText("Show on the board").first().waitFor();
  await look("an opened call", page);
  await page.getByRole("tab", { name: "Input" }).click();
  await page.getByRole("button", { name: "List", exact: true }).click();
  await look("compact", page);
  await page.getByRole("button", { name: "Events", exact: true }).click();
  await page.locator("[data-line]").first().waitFor();
  await look("event log", page);
  await page.getByRole("button", { name: "Tools", exact: true }).click();
  await look("by tool", page);
  await page.getByRole("button", { name: "Changes", exact: true }).click();
  await page.locator("[data-changes]").waitFor();
  await look("changes", page, "changes");
  const more = page.getByRole("button", { name: "More about this run" });
  await more.click();
  await look("menu", page);
  await page.getByRole("menuitem", { name: "Prompt as it was sent" }).click();
  await page.getByRole("dialog").getByText("user", { exact: true }).first().waitFor();
  await look("prompt", page);
  await page.keyboard.press("Escape");
  await page.getByRole("button", { name: "Timeline" }).click();
  await page.getByRole("button", { name: "Replay", exact: true }).click();
  await page.getByRole("slider", { name: "Position" }).waitFor();
  await look("replay", page);
  await page.getByRole("button", { name: "Share" }).click();
  await page.getByRole("dialog").waitFor();
  await look("share", page);
  await page.keyboard.press("Escape");
  await page.getByRole("button", { name: "Keyboard help" }).click();
  await page.getByRole("dialog").waitFor();
  await look("help", page);
  await page.keyboard.press("Escape");
  await page.getByRole("button", { name: "New conversation" }).click();
  await say(page, 'call shell {"command":"npm run deploy"}');
  await page.locator("[data-approval]").waitFor();
  const tour = await page
    .getByRole("navigation")
    .locator("a[href^='/c/']", { hasText: "tour" })
    .getAttribute("href");
  await page.getByRole("link", { name: /All agents/ }).click();
  await page.locator("[data-question] [data-approval]").waitFor();
  await page.getByText("By tool").waitFor();
  await look("overview", page, "overview");
  await page.getByRole("button", { name: "Saved rules" }).click();
  await page.getByText("No rule is saved.").waitFor();
  await look("rules", page);
  await page.keyboard.press("Escape");
  const visit = await stage.open(tour?.replace("/c/", "/v/"));
  await runsEnd(visit);
  await look("visit", visit);
  const runId = (await visit.locator("[data-run]").getAttribute("data-run")) ?? "";
  await visit.goto(`${stage.server.url}/link/expired`);
  await visit.getByRole("heading", { name: "This link has expired." }).waitFor();
  await look("ended link", visit);
  await visit.goto(`${stage.server.url}/compare/${runId}/${runId}`);
  await visit.locator("[data-pair]").first().waitFor();
  await look("two runs", visit, "compare");
  await visit.close();
  const phone = await stage.open(tour ?? "", { width: 390 });
  await runsEnd(phone);
  await look("phone", phone, "phone");
  await phone.getByRole("button", { name: "Board", exact: true }).click();
  await look("phone board", phone);
  const overflows: unknown[] = [];
  const measure = async (): Promise<number> =>
    overflows.push(
      await phone.evaluate(
        "document.documentElement.scrollWidth - document.documentElement.clientWidth",
      ),
    );
  await measure();
  await phone.getByRole("button", { name: "History", exact: true }).click();
  await phone
    .getByRole("link", { name: /^running|tour/ })
    .first()
    .waitFor();
  await measure();
  await phone.getByRole("link", { name: /All agents/ }).click();
  const row = phone.locator(".overview-title", { hasText: "tour" }).first();
  await row.waitFor();
  // The title is read, and stands above what it took.
  expect((await row.boundingBox())?.width).toBeGreaterThan(100);
  await look("phone overview", phone);
  await measure();
  expect(overflows).toEqual([0, 0, 0]);
  await phone.close();
  expect(broken).toEqual({});
}, 600_000);

it("is usable by everybody where something waits, fails, is refused or is not there", async () => {
  const broken: Record<string, readonly string[]> = {};
  const look = async (view: string, page: Page): Promise<void> => {
    for (const theme of themes) {
      const found = await violations(page, theme);
      if (found.length > 0) broken[`${view}, ${theme}`] = found;
    }
  };
  const page = await stage.fresh();
  await say(page, call("ask_user", { question: "Which colour?", choices: ["red", "green"] }));
  await page.locator("[data-call] [data-ask]").waitFor();
  await look("a question of the model", page);
  await page.locator("[data-call] [data-ask]").getByRole("button", { name: "green" }).click();
  await runsEnd(page);
  const form = { type: "object", properties: { name: { type: "string" } }, required: ["name"] };
  await say(page, call("ask_user", { question: "Who?", form }));
  await page.locator("[data-call] [data-ask]").getByRole("textbox").waitFor();
  await look("a form of the model", page);
  await page.getByRole("button", { name: "Decline to answer" }).click();
  await runsEnd(page, 2);
  await say(page, waiting("seen"));
  await stage.server.waits("seen");
  await say(page, "say later");
  await page.getByRole("list", { name: "Messages that wait" }).waitFor();
  await look("a message that waits", page);
  stage.server.release("seen");
  await runsEnd(page, 4);
  await say(page, call("read_file", { path: "none.txt" }));
  await runsEnd(page, 5);
  await page.locator('[data-call][data-state="failed"] summary').last().click();
  await look("a failure", page);
  await page.getByRole("button", { name: "Edit and resend" }).last().click();
  await look("an edited message", page);
  await page.keyboard.press("Escape");
  for (const doing of ["Rename", "Export", "Delete"]) {
    await choose(page, doing);
    await page.getByRole("dialog").waitFor();
    await look(doing, page);
    await page.keyboard.press("Escape");
  }
  await page.getByRole("button", { name: "Share", exact: true }).click();
  await page.getByRole("button", { name: "Make a link" }).click();
  await page.getByRole("textbox", { name: "The link" }).waitFor();
  await page.getByText("Users of this server").click();
  await look("a link", page);
  await page.keyboard.press("Escape");
  await page.getByRole("button", { name: "New conversation" }).click();
  await say(page, shell("echo kept"));
  await page
    .getByRole("button", { name: /Always allow/ })
    .first()
    .click();
  await runsEnd(page);
  await page.getByRole("link", { name: /All agents/ }).click();
  await page.getByRole("button", { name: "Saved rules" }).click();
  await page.getByRole("button", { name: /^Take back/ }).waitFor();
  await look("a saved rule", page);
  await page.keyboard.press("Escape");
  await page.getByRole("button", { name: "MCP servers" }).click();
  await page.getByRole("dialog").waitFor();
  await look("MCP servers", page);
  await page.keyboard.press("Escape");
  await page
    .getByRole("searchbox", { name: "Search everything that was said and done" })
    .fill("nobody-said-this");
  await page.getByText("Nothing fits.").waitFor();
  await look("nothing found", page);
  const lines = dialects
    .find(({ name }) => name === "acp-v1")
    ?.linesOf(lifeNamed("tour")?.log ?? []);
  await openRecording(page, "cut.jsonl", (lines ?? []).slice(0, -3).join("\n"));
  await page.getByRole("heading", { name: "cut.jsonl" }).waitFor();
  await look("a recording", page);
  await page.getByRole("button", { name: "Close the recording" }).click();
  const context = await stage.browser.newContext();
  const stranger = await context.newPage();
  await stranger.goto(`${stage.server.url}/`);
  await stranger.getByText("Your browser session is no longer valid.").waitFor();
  await look("a session that is over", stranger);
  await context.close();
  expect(broken).toEqual({});
}, 600_000);

it("moves nothing where less motion is asked for", async () => {
  const moving = async (reducedMotion: "reduce" | "no-preference"): Promise<unknown> => {
    const page = await stage.open("/", { reducedMotion });
    await say(page, 'call wait_for_test {"name":"motion"}');
    await page.locator('[data-call][data-state="running"]').waitFor();
    const running = await page.evaluate("document.getAnimations().length > 0");
    await page.getByRole("button", { name: "Stop", exact: true }).click();
    await runsEnd(page);
    await page.close();
    return running;
  };
  expect([await moving("reduce"), await moving("no-preference")]).toEqual([false, true]);
});
