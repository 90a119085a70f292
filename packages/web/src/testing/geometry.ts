/**
 * What a reader cannot read because of where it is, measured in the browser: texts over one another, texts that are cut
 * without dots, regions that must be scrolled sideways, and things beyond the page. Texts end with dots on purpose, and
 * code and tables may be scrolled: neither is a fault.
 */
import type { Page } from "playwright-core";

/** What is wrong on a page, as short lines; empty if everything can be read. */
export async function unreadable(page: Page): Promise<readonly string[]> {
  // Two frames: what measures itself after a change of the width has drawn itself again.
  await page.evaluate(
    "new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))",
  );
  const found: unknown = await page.evaluate(`(${measured})()`);
  return Array.isArray(found) ? found.map(String) : ["nothing was measured"];
}

/** Regions that may be wider than they are shown: code, tables, and rows of buttons. */
const sidewaysAllowed =
  "pre, .code-block, .code-block *, table, :has(> table), .segments-scrolled, [role=tablist]";
/** Lies over the page on purpose, on a ground of its own. */
const overlays = ".jump, .menu, .drop-hint, .bar-note[data-place=on]";

const measured = `() => {
  const slack = 1;
  const found = [];
  const dialog = document.querySelector("dialog[open]");
  const isHidden = (element) => !element.checkVisibility({ opacityProperty: true, visibilityProperty: true, contentVisibilityAuto: true });
  /** What is one pixel in size is read aloud and never seen. */
  const isForEars = (element) => {
    if (element === null) return false;
    const { width, height } = element.getBoundingClientRect();
    return (width <= 1 && height <= 1) || isForEars(element.parentElement);
  };
  const named = (text) => JSON.stringify(text.trim().replace(/\\s+/g, " ").slice(0, 60));

  /** The part of a box that its scrolling and clipping ancestors let through; undefined if there is none. */
  const shownPart = (node, box) => {
    let { left, top, right, bottom } = box;
    let isReached = false;
    let fault;
    for (let one = node.parentElement; one && one !== document.documentElement; one = one.parentElement) {
      const style = getComputedStyle(one);
      if (style.display === "contents" || style.display === "inline") continue;
      const edge = one.getBoundingClientRect();
      const isPainted = /paint|strict|content/.test(style.contain) || style.contentVisibility === "auto";
      const around = style.overflowX !== "visible" ? 0 : Number(/[\\d.]+/.exec(style.overflowClipMargin)?.[0] ?? 0);
      if ((style.overflowX !== "visible" || isPainted) && !isReached && one.scrollLeft === 0 && left < edge.left - around - slack)
        return { fault: "is cut at the left" };
      if (style.overflowX !== "visible" && !isReached) {
        const scrolls = /auto|scroll/.test(style.overflowX) && one.scrollWidth > one.clientWidth + slack;
        if (scrolls) isReached = true;
        else if (right > edge.right + slack && style.textOverflow !== "ellipsis") fault = "is cut at the right";
      }
      if (/hidden|clip/.test(style.overflowY) && fault === undefined) {
        const seen = Math.min(bottom, edge.bottom) - Math.max(top, edge.top);
        if (seen > slack && seen < (bottom - top) * 0.7) fault = "is cut in its height";
      }
      if (style.overflowX !== "visible" || style.overflowY !== "visible") {
        left = Math.max(left, edge.left);
        right = Math.min(right, edge.right);
        top = Math.max(top, edge.top);
        bottom = Math.min(bottom, edge.bottom);
      }
      if (right - left <= slack || bottom - top <= slack) return { fault: fault === "is cut at the right" ? fault : undefined };
    }
    if (fault === undefined && !isReached && right > innerWidth + slack) fault = "is beyond the page";
    return { left, top, right, bottom, fault };
  };

  const texts = [];
  const walker = document.createTreeWalker(dialog ?? document.body, NodeFilter.SHOW_TEXT);
  for (let node = walker.nextNode(); node; node = walker.nextNode()) {
    const element = node.parentElement;
    if (node.data.trim() === "" || isHidden(element) || element.closest("select, svg, script, style")) continue;
    if (isForEars(element)) continue;
    const range = document.createRange();
    range.selectNodeContents(node);
    for (const box of range.getClientRects()) {
      if (box.width <= slack || box.height <= slack) continue;
      const part = shownPart(node, box);
      if (part.fault !== undefined) found.push(named(node.data) + " " + part.fault);
      if (part.left === undefined || part.fault !== undefined) continue;
      texts.push({ ...part, node, isOver: element.closest(${JSON.stringify(overlays)}) !== null });
    }
  }

  // Letters do not fill the height of their line: lines that touch are not printed over one another.
  const rows = texts.filter(({ isOver }) => !isOver).toSorted((one, other) => one.top - other.top);
  for (const [index, one] of rows.entries()) {
    for (let at = index + 1; at < rows.length && rows[at].top < one.bottom; at += 1) {
      const other = rows[at];
      const across = Math.min(one.right, other.right) - Math.max(one.left, other.left);
      const down = Math.min(one.bottom, other.bottom) - other.top;
      const least = Math.min(one.bottom - one.top, other.bottom - other.top);
      if (across > 2 && down > least * 0.35 && one.node !== other.node)
        found.push(named(one.node.data) + " and " + named(other.node.data) + " are printed over one another");
    }
  }

  for (const one of document.body.querySelectorAll("*")) {
    if (one.scrollWidth <= one.clientWidth + slack || one.clientWidth <= slack || isHidden(one)) continue;
    if (!/auto|scroll/.test(getComputedStyle(one).overflowX)) continue;
    if (one.matches(${JSON.stringify(sidewaysAllowed)}) || one.matches("input, textarea")) continue;
    found.push("<" + one.tagName.toLowerCase() + " class=" + one.className + "> is scrolled sideways by " + (one.scrollWidth - one.clientWidth));
  }
  for (const one of (dialog ?? document.body).querySelectorAll("button, a, input, textarea, select")) {
    const box = one.getBoundingClientRect();
    if (box.width === 0 || isHidden(one)) continue;
    const { fault } = shownPart(one, box);
    if (fault === "is beyond the page" || fault === "is cut at the right" || fault === "is cut at the left")
      found.push(named(one.getAttribute("aria-label") ?? one.textContent) + " " + fault);
  }
  const wider = document.documentElement.scrollWidth - document.documentElement.clientWidth;
  if (wider > 0) found.push("the page is " + wider + " px too wide");
  return [...new Set(found)];
}`;
