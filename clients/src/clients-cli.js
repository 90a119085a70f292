/**
 * `npm run test:clients [-- words of a name …] [--only=words of a feature] [--debug]`: drives other people's clients
 * against a real server, the pages among them in a real browser, and prints what they can do. A run with every feature
 * writes the rows of its clients in docs/clients.md. It fails where a client cannot do what the table does not excuse.
 */
import { findChromium } from "@callboard/testkit/page";
import { chromium } from "playwright-core";
import { pageClients } from "./clients.js";
import { startPageSite } from "./pageSite.js";
import { programs } from "./programs.js";
import { scenarios } from "./scenarios.js";
import { startCallboard } from "./server.js";
import { versionsOf, writeTable } from "./table.js";

const words = process.argv.slice(2);
const only = words.filter((word) => word.startsWith("--only=")).map((word) => word.slice(7));
const names = words.filter((word) => !word.startsWith("--"));
const isWanted = (name) => names.length === 0 || names.some((word) => name.includes(word));
const isAsked = (feature) => only.length === 0 || only.some((word) => feature.includes(word));

const site = await startPageSite();
const callboard = await startCallboard(site.origin);
const browser = await chromium.launch(await findChromium());

const features = Object.keys(scenarios);
/** @type {import("./table.js").Row[]} */
const rows = [];

/** Tries the features of one client and keeps what came of them. */
async function tried({ name, versions, without = {}, known = {} }, attempt) {
  /** @type {Map<string, string>} */
  const cells = new Map();
  for (const feature of features) {
    if (!isAsked(feature)) continue;
    const reason = without[feature];
    const problem = reason === undefined ? await attempt(feature).then(noProblem, messageOf) : "";
    const cell = problem === undefined ? "✓" : reason === undefined ? "✗" : "–";
    const why = reason ?? known[feature] ?? problem ?? "";
    cells.set(feature, cell === "✓" ? cell : `${cell} ${why}`);
    console.log(`${name}: ${feature}: ${cell} ${cell === "✓" ? "" : why}`);
    if (cell === "✗" && known[feature] === undefined) process.exitCode = 1;
  }
  rows.push({ name, versions: versionsOf(versions), cells });
}

function nameOf({ name, source }) {
  return `${name}, React ${source.react}`;
}

const noProblem = () => undefined;
const messageOf = (error) => error.message;

async function inPage(path, feature) {
  const context = await browser.newContext();
  const page = await context.newPage();
  page.setDefaultTimeout(60_000);
  if (words.includes("--debug")) listenTo(page);
  try {
    const chatId = callboard.newId();
    const { url: server, token } = callboard;
    await page.goto(
      `${site.origin}/${path}#${new URLSearchParams({ server, token, chat: chatId })}`,
    );
    const label = `${path}-${feature.replaceAll(/\W+/g, "-")}`;
    await scenarios[feature]({ page, chatId, callboard, label });
  } finally {
    await context.close();
  }
}

function listenTo(page) {
  page.on("console", (message) => console.log("   ", message.text()));
  page.on("pageerror", (error) => console.log("    uncaught", error.message));
  page.on("request", (request) => {
    if (request.method() === "POST") console.log("   ", request.url(), request.postData());
  });
  page.on("response", async (response) => {
    if (response.status() < 400) return;
    console.log("   ", response.status(), response.url(), await response.text());
  });
}

try {
  const pages = pageClients.map((client, index) => async () => {
    const { source } = client;
    const name = nameOf(client);
    if (!isWanted(name)) return;
    const path = `client-${index}`;
    await site.add(path, source);
    await tried({ ...client, name }, (feature) => inPage(path, feature));
  });
  const others = programs.map((program) => async () => {
    const { name, features } = program;
    if (!isWanted(name)) return;
    await tried(program, (feature) =>
      features[feature]({ callboard, label: `${name} ${feature}` }),
    );
  });
  const left = [...pages, ...others];
  const worker = async () => {
    for (let next = left.shift(); next; next = left.shift()) await next();
  };
  await Promise.all([worker(), worker()]);
} finally {
  await browser.close();
  await callboard.close();
  site.close();
}

const all = [...pageClients.map(nameOf), ...programs.map(({ name }) => name)];
if (only.length === 0) writeTable(rows, all, features);
