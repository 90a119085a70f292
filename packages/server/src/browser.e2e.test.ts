/** A real browser: its EventSource misses and repeats nothing over cuts, and pages of other origins are let in or not. */
import { randomUUID } from "node:crypto";
import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { createServer } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { systemClock } from "@callboard/agent-sdk";
import { createRehearsalModel } from "@callboard/agent-sdk/testing";
import { findChromium } from "@callboard/testkit/page";
import { openEmbeddedStore } from "@callboard/testkit/postgres";
import { type Browser, chromium } from "playwright-core";
import { afterAll, beforeAll, expect, it } from "vitest";
import { type RunningServer, startServer } from "./startServer.js";
import { quietLogger } from "./testing/place.js";
import { createTestTools } from "./testing/testTools.js";

const tools = createTestTools();
let home = "";
let server: RunningServer | undefined;
let browser: Browser | undefined;
/** Shows an empty page: at 127.0.0.1 its origin is allowed, at localhost it is not. */
const elsewhere = createServer((_, response) => {
  response.writeHead(200, { "content-type": "text/html" }).end("<title>elsewhere</title>");
});
const portElsewhere = (): string => {
  const address = elsewhere.address();
  return typeof address === "object" ? String(address?.port) : "";
};

beforeAll(async () => {
  elsewhere.listen(0, "127.0.0.1");
  await once(elsewhere, "listening");
  home = await mkdtemp(join(tmpdir(), "callboard-browser-"));
  server = await startServer({
    port: 0,
    home,
    env: { CALLBOARD_HOME: home },
    logger: quietLogger,
    allowedOrigins: [`http://127.0.0.1:${portElsewhere()}`],
    store: await openEmbeddedStore({ clock: systemClock, logger: quietLogger }),
    agents: {
      default: { tools: tools.all, model: createRehearsalModel({ clock: systemClock, paceMs: 2 }) },
    },
  });
  browser = await chromium.launch(await findChromium());
});

afterAll(async () => {
  await browser?.close();
  elsewhere.closeAllConnections();
  elsewhere.close();
  await server?.close();
  await rm(home, { recursive: true, force: true });
});

it("follows a run with the page's cookie, through cuts, and stops at its end", async () => {
  if (!server || !browser) throw new Error("nothing is open");
  const page = await browser.newPage();
  page.setDefaultTimeout(150_000);
  await page.goto(`${server.url}/?token=${server.token}`);
  const gate = randomUUID();
  const words = Array.from({ length: 60 }, (_, index) => `word${index}`).join(" ");
  const user_input = `say ${words}\ncall wait_for_test {"name":"${gate}"}\nsay ${words}`;
  const response = await fetch(`${server.url}/api/agent/execute?rate=all`, {
    method: "POST",
    headers: {
      authorization: `Bearer ${server.token}`,
      "content-type": "application/json",
    },
    body: JSON.stringify({ user_input }),
  });
  const runId = response.headers.get("x-request-id") ?? "";
  // This reader is cut like every other; what it had read does not matter here.
  const left = response.text().catch(() => "");
  const reading = page.evaluate((id) => {
    return new Promise<{ lines: string[]; opened: number }>((resolve) => {
      const lines: string[] = [];
      let opened = 0;
      const source = new EventSource(`/api/agent/runs/${id}/events?rate=all`);
      source.onopen = () => {
        opened += 1;
        Object.assign(globalThis, { streamsOpened: opened });
      };
      source.onmessage = ({ data }) => {
        lines.push(data);
      };
      // It comes back after every end, also the last one, until it is told to stop.
      source.onerror = () => {
        if (source.readyState === EventSource.CLOSED) resolve({ lines, opened });
      };
    });
  }, runId);
  await tools.waits(gate);
  // A stream that opens only after the cut would not be cut.
  await page.waitForFunction("globalThis.streamsOpened === 1");
  // Every stream of the page is cut while the run waits; the browser comes back by itself.
  server.app.parts.hub.close();
  tools.release(gate);
  const { lines, opened } = await reading;
  const told = (await fetched(server, runId)).trimEnd().split("\n");
  expect(lines).toEqual(told);
  expect(opened).toBeGreaterThan(1);
  await left;
}, 120_000);

it("lets a page of an allowed origin start a run and read its headers, and no other page", async () => {
  if (!server || !browser) throw new Error("nothing is open");
  const page = await browser.newPage();
  page.setDefaultTimeout(150_000);
  const asked = { url: server.url, token: server.token ?? "" };
  const ask = async ({ url, token }: typeof asked): Promise<unknown> => {
    const headers = {
      authorization: `Bearer ${token}`,
      "content-type": "application/json",
      "idempotency-key": "from a page",
    };
    const body = JSON.stringify({ user_input: "say hello" });
    try {
      const response = await fetch(`${url}/api/agent/execute`, { method: "POST", headers, body });
      const named = ["x-request-id", "x-conversation-id"].map((name) => response.headers.get(name));
      return { status: response.status, named, text: await response.text() };
    } catch (error) {
      return error instanceof Error ? error.name : String(error);
    }
  };
  await page.goto(`http://127.0.0.1:${portElsewhere()}/`);
  const uuid = expect.stringMatching(/^[\da-f-]{36}$/);
  expect(await page.evaluate(ask, asked)).toEqual({
    status: 200,
    named: [uuid, uuid],
    text: expect.stringMatching(/"event":"end","data":true,"seq":\d+\}\n$/),
  });
  await page.goto(`http://localhost:${portElsewhere()}/`);
  expect(await page.evaluate(ask, asked)).toBe("TypeError");
}, 120_000);

async function fetched({ url, token }: RunningServer, runId: string): Promise<string> {
  const headers = { authorization: `Bearer ${token}` };
  return (await fetch(`${url}/api/agent/runs/${runId}/events?rate=all`, { headers })).text();
}
