/**
 * The built page on the real server in a real browser. Every page of a stage is watched: what it asked
 * other origins for, what its policy refused, and which errors nobody caught.
 */
import { existsSync } from "node:fs";
import { fileURLToPath } from "node:url";
import {
  findChromium,
  type PageServer,
  type PageServerOptions,
  startPageServer,
} from "@callboard/testkit/page";
import { createMigratedDatabase } from "@callboard/testkit/postgres";
import { type Browser, type BrowserContext, chromium, type Page } from "playwright-core";
import { afterAll, beforeAll, expect } from "vitest";

const pageFolder = fileURLToPath(new URL("../../dist", import.meta.url));

/** What a stage needs of a server. */
export interface StageServer {
  readonly url: string;
  /** Where a browser starts: it is given its session there. */
  readonly entry: string;
  close(): Promise<void>;
}

export interface PageStage<Server extends StageServer = PageServer> {
  readonly server: Server;
  readonly browser: Browser;
  /** What went wrong on any page so far. */
  readonly faults: readonly string[];
  /** A tab of its own, at an address of the page. */
  open(path?: string, options?: OpenOptions): Promise<Page>;
  /** The tab that tests share, at a new conversation; so wide, or as wide as a desk. */
  fresh(width?: number): Promise<Page>;
  close(): Promise<void>;
}

export interface OpenOptions {
  readonly width?: number;
  readonly theme?: "light" | "dark";
  readonly reducedMotion?: "reduce" | "no-preference";
}

const deskWidth = 1_400;
const height = 860;

async function newConversation(page: Page): Promise<void> {
  await page.getByRole("button", { name: "New conversation" }).click();
  await page.getByRole("heading", { name: "See what your agent is doing" }).waitFor();
}

/** The stage of a test file: there before its first test, judged and gone after its last. */
export function stageOf<Server extends StageServer>(
  startServer: () => Promise<Server>,
): PageStage<Server> {
  let opened: PageStage<Server> | undefined;
  beforeAll(async () => {
    opened = await openStage(await startServer());
  });
  afterAll(async () => {
    await opened?.close();
    expect(opened?.faults).toEqual([]);
  });
  function stage(): PageStage<Server> {
    if (!opened) throw new Error("a stage is there only inside tests");
    return opened;
  }
  return {
    get server() {
      return stage().server;
    },
    get browser() {
      return stage().browser;
    },
    get faults() {
      return stage().faults;
    },
    open: (path, options) => stage().open(path, options),
    fresh: (width) => stage().fresh(width),
    close: () => stage().close(),
  };
}

/**
 * The server of most stages: in this process, with gates, on a database of its own of the run's PostgreSQL. That takes
 * a fraction of what the embedded database does, and what the page shows does not depend on it.
 */
export function pageServer(
  options: Pick<PageServerOptions, "agents" | "limits"> = {},
): () => Promise<PageServer> {
  return async () => {
    const database = await createMigratedDatabase();
    const server = await startPageServer({ ...options, pageFolder, databaseUrl: database.url });
    return {
      ...server,
      get entry() {
        return server.entry;
      },
      get token() {
        return server.token;
      },
      async close() {
        await server.close();
        await database.drop();
      },
    };
  };
}

/** The same with the embedded database, as `npm start` has it. */
export function embeddedPageServer(): () => Promise<PageServer> {
  return () => startPageServer({ pageFolder });
}

async function openStage<Server extends StageServer>(server: Server): Promise<PageStage<Server>> {
  if (!existsSync(`${pageFolder}/index.html`)) {
    throw new Error("The page is not built: run `npm run build` first.");
  }
  const browser = await workerBrowser();
  const faults: string[] = [];
  const contexts = new Map<string, BrowserContext>();
  let shared: Page | undefined;

  async function contextFor(how: OpenOptions): Promise<BrowserContext> {
    const key = JSON.stringify(how);
    const known = contexts.get(key);
    if (known) return known;
    const context = await browser.newContext({
      viewport: { width: how.width ?? deskWidth, height },
      colorScheme: how.theme ?? "light",
      reducedMotion: how.reducedMotion ?? "reduce",
      acceptDownloads: true,
    });
    // A busy machine is no reason to fail; the test's own limit is a little longer.
    context.setDefaultTimeout(150_000);
    await context.request.get(server.entry);
    contexts.set(key, context);
    return context;
  }

  async function open(path = "/", how: OpenOptions = {}): Promise<Page> {
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
  }

  return {
    server,
    browser,
    faults,
    open,
    async fresh(width = deskWidth) {
      shared ??= await open();
      if (shared.viewportSize()?.width !== width) {
        // As it is opened at this width: without what the page keeps from another one.
        await shared.setViewportSize({ width: deskWidth, height });
        await newConversation(shared);
        await shared.setViewportSize({ width, height });
        await shared.reload();
        return shared;
      }
      const recording = shared.getByRole("button", { name: "Close the recording" });
      if (await recording.isVisible()) await recording.click();
      await newConversation(shared);
      return shared;
    },
    async close() {
      for (const context of contexts.values()) await context.close();
      await server.close();
    },
  };
}

let started: Promise<Browser> | undefined;

/**
 * One browser for all files of a test worker: each stage opens and closes contexts of its own in it. Playwright ends the
 * browser with the worker.
 */
async function workerBrowser(): Promise<Browser> {
  started ??= findChromium().then((found) => chromium.launch(found));
  return await started;
}
