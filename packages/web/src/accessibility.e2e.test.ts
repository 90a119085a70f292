/** Every view of the page in light and dark, on a desk and on a phone: nothing that axe objects to. */
import { fileURLToPath } from "node:url";
import axe from "axe-core";
import type { Page } from "playwright-core";
import { expect, it } from "vitest";
import { expectPicture } from "./testing/picture.js";
import { pageServer, stageOf } from "./testing/stage.js";
import { allowAll, allowOnce, runsEnd, say } from "./testing/steps.js";

const images = fileURLToPath(new URL("../../../docs/images", import.meta.url));
const stage = stageOf(pageServer());

const themes = ["light", "dark"] as const;
type Theme = (typeof themes)[number];

/** The violations as short lines: which rule, and where. */
async function violations(page: Page, theme: Theme): Promise<readonly string[]> {
  await page.emulateMedia({ colorScheme: theme });
  await page.locator(`html[data-theme="${theme}"]`).waitFor();
  if (!(await page.evaluate("'axe' in window"))) await page.evaluate(axe.source);
  const found = await page.evaluate('axe.run(document, { resultTypes: ["violations"] })');
  const { violations: broken } = Object(found);
  return Array.isArray(broken)
    ? broken.map(({ id, nodes }) => `${id}: ${JSON.stringify(nodes[0]?.html).slice(0, 200)}`)
    : ["axe did not answer"];
}

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
  const overflow = await phone.evaluate(
    "document.documentElement.scrollWidth - document.documentElement.clientWidth",
  );
  expect(overflow).toBe(0);
  await phone.close();
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
