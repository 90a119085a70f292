/** The page from a phone to a desk: the same way through it at every width, and nothing wider than the page. */
import type { Page } from "playwright-core";
import { describe, expect, it } from "vitest";
import type { PageStage } from "./stage.js";
import { allowOnce, endedRows, runsEnd, say, shell } from "./steps.js";

/** Goes to a pane where only one is in sight at a time. */
async function goTo(page: Page, pane: "History" | "Chat" | "Board"): Promise<void> {
  const button = page.getByRole("button", { name: new RegExp(`^${pane}`) }).first();
  if (await button.isVisible()) await button.click();
}

/** How far something reaches beyond the page: the page itself, or a control that cannot be scrolled to. */
async function beyond(page: Page): Promise<unknown> {
  return page.evaluate(`(() => {
    const wide = document.documentElement.scrollWidth - innerWidth;
    const scrolls = (one) => one !== null &&
      (/auto|scroll/.test(getComputedStyle(one).overflowX) || scrolls(one.parentElement));
    const lost = [...document.querySelectorAll("button, a, input, textarea, select")]
      .filter((one) => one.getClientRects().length > 0 && !scrolls(one.parentElement))
      .filter((one) => one.getBoundingClientRect().right > innerWidth + 1)
      .map((one) => one.getAttribute("aria-label") ?? one.textContent);
    return { wide, lost };
  })()`);
}
const nothing = { wide: 0, lost: [] };

/** What a page looks like does not depend on the database: each database has some of the widths. */
export function describeWidths(stage: PageStage, widths: readonly number[]): void {
  describe.each(widths)("at %i px", (width) => {
    it("is asked, answered, looked at on the board, found among all agents and shared", async () => {
      const page = await stage.fresh(width);
      await say(page, shell(`echo at-${width}`));
      await page.locator("[data-approval]").waitFor();
      expect(await beyond(page)).toEqual(nothing);
      await allowOnce(page);
      await runsEnd(page);
      await goTo(page, "Board");
      const [row] = await endedRows(page, 1);
      expect(row).toContain(`echo at-${width}`);
      await page.locator("[data-row]").click();
      await page
        .getByRole("region", { name: "Call details" })
        .getByText(`at-${width}`)
        .first()
        .waitFor();
      expect(await beyond(page)).toEqual(nothing);
      for (const view of ["List", "Events", "Tools", "Changes", "Timeline"]) {
        await page.getByRole("button", { name: view, exact: true }).click();
        expect([view, await beyond(page)]).toEqual([view, nothing]);
      }
      await page.reload();
      await runsEnd(page);
      await goTo(page, "Chat");
      await page.getByRole("button", { name: "Share", exact: true }).click();
      await page.getByRole("button", { name: "Make a link" }).click();
      await page.getByRole("textbox", { name: "The link" }).waitFor();
      expect(await beyond(page)).toEqual(nothing);
      await page.keyboard.press("Escape");
      await goTo(page, "History");
      expect(await beyond(page)).toEqual(nothing);
      await page.getByRole("link", { name: /All agents/ }).click();
      await page.getByText("By tool").waitFor();
      expect(await beyond(page)).toEqual(nothing);
      const tools = page.getByRole("group", { name: "By tool" });
      expect(await tools.evaluate((one) => one.scrollWidth - one.clientWidth)).toBe(0);
      expect(await tools.getByRole("rowheader").allTextContents()).toContain("Shell");
      await page.locator(".overview-row", { hasText: `at-${width}` }).click();
      await runsEnd(page);
    });
  });
}
