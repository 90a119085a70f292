/**
 * The live delay: from the moment when a watched agent prints a line to the moment when the page of a server on the
 * same home has its text. The same agent is also read by a server of thirty lines that sends each line on as it is:
 * what the machine and the browser take. The bar is 300 ms, which is nine pulses of the log.
 */
import { spawn } from "node:child_process";
import { randomUUID } from "node:crypto";
import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { createServer } from "node:http";
import { loadavg, tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { findChromium } from "@callboard/testkit/page";
import { chromium } from "playwright-core";
import { defaultPulseMs } from "../../../packages/run-log/dist/log/pulse.js";

const bar = 300;
const pathTo = (/** @type {string} */ path) => fileURLToPath(new URL(path, import.meta.url));
const program = pathTo("../../../packages/code/dist/callboard-cli.js");
const agent = pathTo("./agent-cli.js");

/** Runs in the page: how much later than it says each piece is in the document. */
const observe = `
  globalThis.delays = new Map();
  new MutationObserver(() => {
    const now = Date.now();
    for (const [, at] of (document.body?.textContent ?? "").matchAll(/said(\\d+)said/g))
      if (!delays.has(at)) delays.set(at, now - Number(at));
  }).observe(document, { subtree: true, childList: true, characterData: true });
`;

/** @param {{ quick: boolean, say: (line: string) => void }} options */
export async function run({ quick, say }) {
  const pieces = quick ? 20 : 100;
  const pause = 150;
  const load = loadavg()[0] ?? 0;
  const browser = await chromium.launch(await findChromium());
  try {
    const ours = figures(await watched(browser, pieces, pause));
    say(`watched, on the board: ${told(ours)}`);
    const bare = figures(await sentOn(browser, pieces, pause));
    say(`sent on as it is: ${told(bare)}`);
    const verdict = ours.p95 < bar ? "met" : "**missed**";
    return [
      `${pieces} pieces of text, one each ${pause} ms; the time on the clock from the line of the agent to the text in the page; load average ${load.toFixed(1)}.`,
      "",
      "| | median | 95 % | most | 95 % in pulses |",
      "| --- | --- | --- | --- | --- |",
      row("`callboard watch`, a server on the same home, its board", ours),
      row("each line sent on as it is", bare),
      "",
      "| bar | | measured |",
      "|---|---|---|",
      `| 95 % of the pieces < ${bar} ms | ${verdict} | ${ours.p95} ms, ${(ours.p95 / bare.p95).toFixed(1)} × of what is sent on as it is |`,
    ].join("\n");
  } finally {
    await browser.close();
  }
}

/** @param {readonly number[]} delays */
function figures(delays) {
  const sorted = [...delays].sort((left, right) => left - right);
  const at = (/** @type {number} */ part) => sorted[Math.floor((sorted.length - 1) * part)] ?? 0;
  return { count: sorted.length, median: at(0.5), p95: at(0.95), most: at(1) };
}

/** @param {ReturnType<typeof figures>} measured */
function told({ count, median, p95, most }) {
  return `${count} pieces: median ${median} ms, 95 % ${p95} ms, most ${most} ms`;
}

/**
 * @param {string} name
 * @param {ReturnType<typeof figures>} measured
 */
function row(name, { median, p95, most }) {
  const pulses = (p95 / defaultPulseMs).toFixed(1);
  return `| ${name} | ${median} ms | ${p95} ms | ${most} ms | ${pulses} |`;
}

/**
 * @param {import("playwright-core").Page} page
 * @param {number} pieces
 * @returns {Promise<readonly number[]>}
 */
async function delaysIn(page, pieces) {
  for (;;) {
    const delays = Object(await page.evaluate("[...delays.values()]"));
    if (delays.length >= pieces) return delays;
    await sleep(200);
  }
}

/**
 * @param {import("playwright-core").Browser} browser
 * @param {number} pieces
 * @param {number} pause
 */
async function watched(browser, pieces, pause) {
  const home = await mkdtemp(join(tmpdir(), "callboard-live-"));
  const env = { PATH: process.env.PATH, HOME: home, CALLBOARD_HOME: home };
  const server = spawn(process.execPath, [program, "serve", "--port", "0"], {
    env,
    cwd: home,
    stdio: ["ignore", "pipe", "pipe"],
  });
  try {
    const entry = await addressIn(server);
    const session = randomUUID();
    const words = [agent, session, `${pieces}`, `${pause}`];
    const watching = spawn(process.execPath, [program, "watch", "--", process.execPath, ...words], {
      env,
      cwd: home,
      stdio: ["pipe", "ignore", "ignore"],
    });
    const ended = once(watching, "exit");
    const context = await browser.newContext();
    await context.addInitScript(observe);
    const page = await context.newPage();
    await page.goto(entry.href);
    await page.goto(`${entry.origin}/c/${session}`);
    await page.getByText("Ready.").first().waitFor({ timeout: 60_000 });
    watching.stdin.write("go\n");
    const delays = await delaysIn(page, pieces);
    await ended;
    await context.close();
    return delays;
  } finally {
    const gone = once(server, "exit");
    server.kill("SIGTERM");
    await gone;
    await rm(home, { recursive: true, force: true });
  }
}

/**
 * @param {import("node:child_process").ChildProcessByStdio<null, import("node:stream").Readable, import("node:stream").Readable>} server
 * @returns {Promise<URL>}
 */
function addressIn(server) {
  return new Promise((resolve, reject) => {
    let said = "";
    const hear = (/** @type {unknown} */ chunk) => {
      said += String(chunk);
      const [address] = /http:\S+[?]token=\S+(?=\s)/.exec(said) ?? [];
      if (address !== undefined) resolve(new URL(address));
    };
    server.stdout.on("data", hear);
    server.stderr.on("data", hear);
    server.once("exit", () => reject(new Error(`the server gave no address: ${said}`)));
  });
}

const barePage = `<!doctype html><body><p id="text"></p><script>
  new EventSource("/lines").onmessage = ({ data }) => {
    const text = JSON.parse(data).event?.delta?.text;
    if (text !== undefined) document.querySelector("#text").append(text);
  };
</script></body>`;

/**
 * @param {import("playwright-core").Browser} browser
 * @param {number} pieces
 * @param {number} pause
 */
async function sentOn(browser, pieces, pause) {
  const child = spawn(process.execPath, [agent, randomUUID(), `${pieces}`, `${pause}`], {
    stdio: ["pipe", "pipe", "inherit"],
  });
  const server = createServer((request, response) => {
    if (request.url !== "/lines") {
      response.setHeader("content-type", "text/html").end(barePage);
      return;
    }
    response.setHeader("content-type", "text/event-stream").flushHeaders();
    createInterface({ input: child.stdout }).on("line", (line) =>
      response.write(`data: ${line}\n\n`),
    );
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const context = await browser.newContext();
  try {
    const address = server.address();
    const port = typeof address === "object" ? address?.port : undefined;
    await context.addInitScript(observe);
    const page = await context.newPage();
    await page.goto(`http://127.0.0.1:${port}/`);
    await page.getByText("Ready.").first().waitFor();
    child.stdin.write("go\n");
    return await delaysIn(page, pieces);
  } finally {
    await context.close();
    server.closeAllConnections();
    server.close();
    child.kill();
  }
}
