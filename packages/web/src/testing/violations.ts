/**
 * What axe objects to on a page. The theme changes colours alone (`styles.test.ts`), so every other rule is checked again in
 * the second theme only where the page has other elements than in the first; the rules about colours once for each theme. A part of the page that has been checked in a theme and is unchanged is not checked
 * again: its colours are the same.
 */
import axe from "axe-core";
import type { Page } from "playwright-core";

export const themes = ["light", "dark"] as const;
export type Theme = (typeof themes)[number];

/** Run in the page: everything but contrast, in the open dialog if there is one. The page behind it cannot be used. */
const structure = `axe.run(document.querySelector("dialog[open]") ?? document, {
  resultTypes: ["violations"],
  rules: { "color-contrast": { enabled: false } },
})`;

/**
 * Run in the page: contrast in the parts that are new or changed. An element without a text of its own is divided into
 * its children; its class belongs to what its parts look like.
 */
const contrast = (theme: Theme): string => `(async () => {
  const checked = (window.checkedParts ??= { light: new Set(), dark: new Set() }).${theme};
  const parts = [];
  const divide = (element, looks, depth) => {
    const inside = looks + "|" + element.className;
    const hasText = [...element.childNodes].some(({ nodeType, data }) => nodeType === 3 && data.trim());
    if (depth < 9 && !hasText && element.children.length > 0) {
      for (const child of element.children) divide(child, inside, depth + 1);
      return;
    }
    const key = looks + innerWidth + element.outerHTML;
    if (checked.has(key)) return;
    checked.add(key);
    parts.push(element);
  };
  divide(document.body, "", 0);
  if (parts.length === 0) return { violations: [] };
  return axe.run({ include: parts }, { runOnly: ["color-contrast", "link-in-text-block"], resultTypes: ["violations"] });
})()`;

/** Run in the page: its elements with their attributes. Places and sizes change with time, and no rule is about them. */
const elements = `[...document.body.querySelectorAll("*")].map((one) =>
  one.tagName + [...one.attributes].filter(({ name }) => name !== "style").map(({ name, value }) => name + value)
).join()`;

/** The elements of each page when all rules were last checked. */
const structures = new WeakMap<Page, unknown>();

/** As short lines: which rule, and where. */
export async function violations(page: Page, theme: Theme): Promise<readonly string[]> {
  await page.emulateMedia({ colorScheme: theme });
  await page.locator(`html[data-theme="${theme}"]`).waitFor();
  if (!(await page.evaluate("'axe' in window"))) await page.evaluate(axe.source);
  const shown: unknown = await page.evaluate(elements);
  const isChecked = theme !== themes[0] && structures.get(page) === shown;
  structures.set(page, shown);
  const wanted = isChecked ? [contrast(theme)] : [structure, contrast(theme)];
  const found: string[] = [];
  for (const script of wanted) {
    const { violations: broken } = Object(await page.evaluate(script));
    if (!Array.isArray(broken)) return ["axe did not answer"];
    found.push(
      ...broken.map(({ id, nodes }) => `${id}: ${JSON.stringify(nodes[0]?.html).slice(0, 200)}`),
    );
  }
  return found;
}
