/** Ten views of the page in light and dark, on a desk and on a phone: nothing that axe objects to. */
import { existsSync } from "node:fs";
import { mkdir } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import axe from "axe-core";
import type { Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { allowOnce, openStage, runsEnd, type Stage, say } from "./testing/stage.js";

const images = fileURLToPath(new URL("../../../docs/images", import.meta.url));
let stage: Stage;

beforeAll(async () => {
  await mkdir(images, { recursive: true });
  stage = await openStage();
});

afterAll(async () => {
  await stage.close();
  expect(stage.faults).toEqual([]);
});

/** The violations as short lines: which rule, and where. */
async function violations(page: Page): Promise<readonly string[]> {
  await page.evaluate(axe.source);
  const found = await page.evaluate("axe.run(document, { resultTypes: ['violations'] })");
  const { violations: broken } = Object(found);
  return Array.isArray(broken)
    ? broken.map(({ id, nodes }) => `${id}: ${JSON.stringify(nodes[0]?.html).slice(0, 200)}`)
    : ["axe did not answer"];
}

/** The pictures of the papers: taken where there is none yet, and anew where that is asked for. */
async function picture(page: Page, path: string): Promise<void> {
  if (existsSync(path) && !process.env.CALLBOARD_PICTURES) return;
  await page.screenshot({ path });
}

async function tour(page: Page): Promise<void> {
  await say(page, "tour");
  const over = page.locator('[data-run][data-status="closed"]');
  const asked = page.locator("[data-approval] button").first();
  for (;;) {
    await over.or(asked).first().waitFor();
    if ((await over.count()) > 0) return;
    const question = await page.locator("[data-approval]").first().getAttribute("data-approval");
    await allowOnce(page);
    await page.locator(`[data-approval="${question}"]`).waitFor({ state: "detached" });
  }
}

describe.each(["light", "dark"] as const)("in %s", (theme) => {
  it("is usable by everybody, view by view", async () => {
    const broken: Record<string, readonly string[]> = {};
    const look = async (view: string, page: Page, image?: string): Promise<void> => {
      const found = await violations(page);
      if (found.length > 0) broken[view] = found;
      if (image !== undefined) await picture(page, `${images}/${image}-${theme}.png`);
    };
    const page = await stage.open("/", { theme });
    await page.getByText("Nothing said yet").waitFor();
    await look("empty", page);
    await say(page, 'call shell {"command":"rm -r build"}');
    await page.locator("[data-approval]").waitFor();
    await look("approval", page, "approval");
    await allowOnce(page);
    await runsEnd(page);
    await page.getByRole("button", { name: "New conversation" }).click();
    await tour(page);
    await page.locator("[data-row]").nth(4).click();
    await page.getByRole("region", { name: "Call details" }).waitFor();
    await look("timeline and details", page, "board");
    await page.locator("[data-call] summary").nth(2).click();
    await page.getByText("Show on the board").first().waitFor();
    await look("an opened call", page);
    await page.getByRole("tab", { name: "Input" }).click();
    await page.getByRole("button", { name: "Compact" }).click();
    await look("compact", page);
    await page.getByRole("button", { name: "Event log" }).click();
    await page.locator("[data-line]").first().waitFor();
    await look("event log", page);
    await page.getByRole("button", { name: "By tool" }).click();
    await look("by tool", page);
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
    const phone = await stage.open(new URL(page.url()).pathname, { theme, width: 390 });
    await runsEnd(phone);
    await look("phone", phone, "phone");
    await phone.getByRole("button", { name: "board", exact: true }).click();
    await look("phone board", phone);
    const overflow = await phone.evaluate(
      "document.documentElement.scrollWidth - document.documentElement.clientWidth",
    );
    expect(overflow).toBe(0);
    await Promise.all([page.close(), phone.close()]);
    expect(broken).toEqual({});
  });
});

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
