/**
 * The built page on the real server in a real browser. Every page of a stage is watched: what it asked
 * other origins for, what its policy refused, and which errors nobody caught.
 */
import { existsSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { findChromium, type PageServer, startPageServer } from "@callboard/testkit/page";
import { type Browser, type BrowserContext, chromium, type Page } from "playwright-core";

export const pageFolder = fileURLToPath(new URL("../../dist", import.meta.url));

export interface Stage {
  readonly server: PageServer;
  readonly browser: Browser;
  /** What went wrong on any page so far. */
  readonly faults: readonly string[];
  /** The server anew; the browser is given the token of that start. */
  restart(): Promise<void>;
  /** A tab of its own, at an address of the page. */
  open(path?: string, options?: OpenOptions): Promise<Page>;
  close(): Promise<void>;
}

export interface OpenOptions {
  readonly width?: number;
  readonly theme?: "light" | "dark";
  readonly reducedMotion?: "reduce" | "no-preference";
}

export async function openStage(options: { readonly paceMs?: number } = {}): Promise<Stage> {
  if (!existsSync(`${pageFolder}/index.html`)) {
    throw new Error("The page is not built: run `npm run build` first.");
  }
  const [server, chrome] = await Promise.all([
    startPageServer({ pageFolder, ...options }),
    findChromium(),
  ]);
  const browser = await chromium.launch(chrome);
  const faults: string[] = [];
  const contexts = new Map<string, BrowserContext>();

  async function admit(context: BrowserContext): Promise<void> {
    await context.addCookies([{ name: "callboard_token", value: server.token, url: server.url }]);
  }

  async function contextFor(how: OpenOptions): Promise<BrowserContext> {
    const key = JSON.stringify(how);
    const known = contexts.get(key);
    if (known) return known;
    const context = await browser.newContext({
      viewport: { width: how.width ?? 1_400, height: 860 },
      colorScheme: how.theme ?? "light",
      reducedMotion: how.reducedMotion ?? "reduce",
      acceptDownloads: true,
    });
    await admit(context);
    contexts.set(key, context);
    return context;
  }

  return {
    server,
    browser,
    faults,
    async restart() {
      await server.restart();
      await Promise.all([...contexts.values()].map(admit));
    },
    async open(path = "/", how = {}) {
      const page = await (await contextFor(how)).newPage();
      page.on("pageerror", (error) => faults.push(`uncaught: ${error.message}`));
      page.on("console", (message) => {
        if (/Content Security Policy/.test(message.text())) faults.push(message.text());
      });
      page.on("request", (request) => {
        const url = request.url();
        if (!url.startsWith(server.url) && !/^(data|blob):/.test(url))
          faults.push(`asked for ${url}`);
      });
      await page.goto(`${server.url}${path}`);
      return page;
    },
    async close() {
      await browser.close();
      await server.close();
    },
  };
}

/** Says something in the chat. */
export async function say(page: Page, text: string): Promise<void> {
  await page.getByRole("textbox", { name: "Message", exact: true }).fill(text);
  await page.keyboard.press("Enter");
}

/** Waits until the last run of the page is over. */
export async function runsEnd(page: Page, runs = 1): Promise<void> {
  await page
    .locator('[data-run][data-status="closed"]')
    .nth(runs - 1)
    .waitFor();
}

/** The first answer that is offered to the question that stands first. */
export async function allowOnce(page: Page): Promise<void> {
  await page.locator("[data-approval] button").first().click();
}

/** The states of the calls that the chat shows. */
export async function statesIn(page: Page): Promise<readonly (string | null)[]> {
  return page
    .locator("[data-call]")
    .evaluateAll((calls) => calls.map((call) => call.getAttribute("data-state")));
}

/** What the board shows of every call, once they are all over and there are so many. */
export async function endedRows(page: Page, count: number): Promise<readonly string[]> {
  const ended = page.locator('[data-row]:is([data-state="done"], [data-state="failed"])');
  await ended.nth(count - 1).waitFor();
  return rowsIn(page);
}

/** What the board shows of every call. */
export async function rowsIn(page: Page): Promise<readonly string[]> {
  return page
    .locator("[data-row]")
    .evaluateAll((rows) =>
      rows.map((row) => `${row.getAttribute("data-state")}: ${row.textContent}`),
    );
}

/** What the rehearsed model is told to call. */
export const call = (tool: string, input: object): string =>
  `call ${tool} ${JSON.stringify(input)}`;
export const waiting = (name: string): string => call("wait_for_test", { name });
export const shell = (command: string): string => call("shell", { command });
