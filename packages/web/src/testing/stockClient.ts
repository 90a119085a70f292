/**
 * The pages of other people's clients, which `npm run test:clients` drives with many versions, bundled with the
 * versions that this repository has. What they show is read in lines.
 */
import { fileURLToPath } from "node:url";
import { build } from "esbuild";
import type { Page } from "playwright-core";
import type { PageStage } from "./stage.js";

const root = fileURLToPath(new URL("../../../..", import.meta.url));

export interface StockClient {
  readonly name: string;
  /** Under `clients/src/pages`. */
  readonly file: string;
  /** What the page imports under `#` names. */
  readonly packages: Readonly<Record<string, string>>;
  readonly constants?: Readonly<Record<string, string>>;
}

async function bundled({ file, packages, constants = {} }: StockClient): Promise<string> {
  const { outputFiles } = await build({
    absWorkingDir: root,
    entryPoints: [`clients/src/pages/${file}`],
    bundle: true,
    write: false,
    format: "esm",
    platform: "browser",
    target: "es2022",
    jsx: "automatic",
    loader: { ".js": "jsx" },
    define: { "process.env.NODE_ENV": '"production"', ...constants },
    // One copy of each, also where `clients` has packages of its own.
    alias: { react: "react", "react-dom": "react-dom", ...packages },
  });
  return outputFiles[0]?.text ?? "";
}

/** Opens the page of a client at a chat. It is of the server's origin and has its session. */
export async function openStockClient(
  stage: PageStage,
  client: StockClient,
  chatId: string,
): Promise<Page> {
  const page = await stage.open("/healthz");
  const script = await bundled(client);
  await page.route("**/stock-client.js", (route) =>
    route.fulfill({ contentType: "text/javascript", body: script }),
  );
  await page.route("**/stock-client", (route) =>
    route.fulfill({
      contentType: "text/html",
      body: '<!doctype html><script type="module" src="/stock-client.js"></script>',
    }),
  );
  const { url: server, token } = stage.server;
  const fields = new URLSearchParams({ server, token, chat: chatId });
  await page.goto(`${server}/stock-client#${fields}`);
  return page;
}

/** The page in lines: what was said, and the tools with their state and output. */
export async function linesOf(page: Page): Promise<readonly string[]> {
  return await page.locator("main li").evaluateAll((items) =>
    items.flatMap((item) =>
      [...item.querySelectorAll<HTMLElement>("p, pre")].flatMap(({ dataset, textContent }) => {
        const text = (textContent ?? "").trim();
        if (dataset.tool !== undefined) return [`${dataset.tool} ${dataset.state}: ${text}`];
        return text === "" ? [] : [`${item.dataset.role}: ${text}`];
      }),
    ),
  );
}

export async function press(page: Page, name: string): Promise<void> {
  await page.getByRole("button", { name, exact: true }).click();
}

export async function send(page: Page, text: string): Promise<void> {
  await page.locator("textarea").fill(text);
  await press(page, "Send");
}
