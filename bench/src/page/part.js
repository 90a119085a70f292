/**
 * The page in a real browser: what its first load costs, and whether it stays quick while much happens. A long task is one
 * of more than 50 ms; a frame is the time between two animation frames. Both are told as the clock on the wall measures
 * them, and as processor time of the page's main thread: on a machine that does other work too, only the second is the page's.
 */
import { findChromium, startPageServer } from "@callboard/testkit/page";
import { chromium } from "playwright-core";

const pageFolder = new URL("../../../packages/web/dist", import.meta.url).pathname;

/**
 * @typedef {{ longTasks: number, worstTaskMs: number, worstFrameMs: number }} Smoothness
 * @typedef {{ over50: number, over33: number, worstMs: number, totalMs: number }} Busy
 */

/** Runs in the page before its own scripts. */
const watch = `
  globalThis.smoothness = { longTasks: 0, worstTaskMs: 0, worstFrameMs: 0 };
  new PerformanceObserver((list) => {
    for (const { duration } of list.getEntries()) {
      smoothness.longTasks += 1;
      smoothness.worstTaskMs = Math.max(smoothness.worstTaskMs, duration);
    }
  }).observe({ type: "longtask" });
  let last;
  const frame = (now) => {
    if (last !== undefined) smoothness.worstFrameMs = Math.max(smoothness.worstFrameMs, now - last);
    last = now;
    requestAnimationFrame(frame);
  };
  requestAnimationFrame(frame);
`;

/** @param {{ quick: boolean, say: (line: string) => void }} options */
export async function run({ quick, say }) {
  const server = await startPageServer({ pageFolder });
  // The first writes as fast as it can, which ends 80 KB within a few frames; this one writes as a model does.
  const writer = await startPageServer({ pageFolder, paceMs: 1 });
  const browser = await chromium.launch(await findChromium());
  try {
    const context = await browser.newContext({ viewport: { width: 1_440, height: 900 } });
    await context.request.get(server.entry);
    await context.request.get(writer.entry);
    await context.addInitScript(watch);
    /** @type {(readonly [string, string])[]} */
    const rows = [];
    const add = (/** @type {string} */ what, /** @type {string} */ value) => {
      rows.push([what, value]);
      say(`${what}: ${value}`);
    };
    add(
      "first load, scripts as sent",
      `${Math.round((await firstLoad(context, server.url)) / 1_000)} KB`,
    );
    const kb = quick ? 20 : 80;
    const streamed = await streamedArguments(context, writer.url, kb);
    add(
      `${kb} KB of arguments stream for ${Math.round(streamed.seconds)} s, shown in the chat and in the details`,
      smooth(streamed),
    );
    const runs = quick ? 20 : 100;
    add(`${runs} runs on mission control`, smooth(await missionControl(context, server, runs)));
    const events = quick ? 5_000 : 50_000;
    add(`scrolling ${events} events`, smooth(await scrolledEvents(context, server.url, events)));
    const several = quick ? 5 : 20;
    add(
      `the timeline of ${several} runs with ${events} events: scrolling, magnifying, moving`,
      smooth(await movedTimeline(context, server.url, events, several)),
    );
    return [
      "| what | measured |",
      "|---|---|",
      ...rows.map((row) => `| ${row.join(" | ")} |`),
    ].join("\n");
  } finally {
    await browser.close();
    await server.close();
    await writer.close();
  }
}

/** @param {Smoothness & { busy: Busy }} measured */
function smooth({ longTasks, worstTaskMs, worstFrameMs, busy }) {
  const worst = longTasks === 0 ? "" : `, worst ${Math.round(worstTaskMs)} ms`;
  const wall = `${longTasks} long tasks${worst}; worst frame ${Math.round(worstFrameMs)} ms`;
  const { over50, over33, worstMs, totalMs } = busy;
  const own = `${over50} tasks over 50 ms, ${over33} over 33 ms, worst ${Math.round(worstMs)} ms, together ${Math.round(totalMs)} ms`;
  return `${wall}; processor time: ${own}`;
}

/**
 * Measures from here to `ended`.
 * @param {import("playwright-core").Page} page
 */
async function begin(page) {
  const session = await page.context().newCDPSession(page);
  /** @type {Busy} */
  const busy = { over50: 0, over33: 0, worstMs: 0, totalMs: 0 };
  /** @type {Map<number, string>} */
  const processes = new Map();
  /** @type {{ pid: number, tid: number, ms: number }[]} */
  const tasks = [];
  let main = "";
  session.on("Tracing.dataCollected", ({ value }) => {
    for (const event of value) {
      const { name, pid, tid, tdur, args } = Object(event);
      if (name === "thread_name" && args?.name === "CrRendererMain") processes.set(pid, `${tid}`);
      if (name === "TracingStartedInBrowser") main = String(args?.data?.frames?.[0]?.processId);
      if (name === "RunTask" && typeof tdur === "number")
        tasks.push({ pid, tid, ms: tdur / 1_000 });
    }
  });
  await session.send("Tracing.start", {
    transferMode: "ReportEvents",
    traceConfig: {
      includedCategories: ["toplevel", "disabled-by-default-devtools.timeline", "__metadata"],
    },
  });
  await page.evaluate(
    "Object.assign(smoothness, { longTasks: 0, worstTaskMs: 0, worstFrameMs: 0 })",
  );
  return async () => {
    const measured = Object(await page.evaluate("smoothness"));
    const told = new Promise((resolve) => session.once("Tracing.tracingComplete", resolve));
    await session.send("Tracing.end");
    await told;
    for (const { pid, tid, ms } of tasks) {
      if (processes.get(pid) !== `${tid}` || (main !== "" && `${pid}` !== main)) continue;
      busy.totalMs += ms;
      busy.worstMs = Math.max(busy.worstMs, ms);
      if (ms > 50) busy.over50 += 1;
      if (ms > 33) busy.over33 += 1;
    }
    if (busy.totalMs === 0) throw new Error("the trace names no task of the page");
    await page.close();
    return { ...measured, busy };
  };
}

/**
 * @param {import("playwright-core").BrowserContext} context
 * @param {string} url
 */
async function firstLoad(context, url) {
  const page = await context.newPage();
  const session = await context.newCDPSession(page);
  await session.send("Network.enable");
  let bytes = 0;
  const scripts = new Set();
  session.on("Network.responseReceived", ({ requestId, type }) => {
    if (type === "Script") scripts.add(requestId);
  });
  session.on("Network.loadingFinished", ({ requestId, encodedDataLength }) => {
    if (scripts.has(requestId)) bytes += encodedDataLength;
  });
  // The scripts that the document names, and what they import; what is loaded later comes after this event.
  await page.goto(url, { waitUntil: "domcontentloaded" });
  const sent = bytes;
  await page.close();
  return sent;
}

/**
 * @param {import("playwright-core").BrowserContext} context
 * @param {string} url
 * @param {number} kb
 */
async function streamedArguments(context, url, kb) {
  const page = await context.newPage();
  await page.goto(url);
  const field = page.getByRole("textbox", { name: "Message", exact: true });
  await field.fill("say ready");
  await field.press("Enter");
  const over = page.locator('[data-run][data-status="closed"]');
  await over.first().waitFor();
  const content = "All work and no play makes a long file. ".repeat(kb * 25);
  await field.fill(`call answer_with ${JSON.stringify({ content })}`);
  const ended = await begin(page);
  const from = performance.now();
  await field.press("Enter");
  // Opened in the chat, the call is selected on the board, and its details show the arguments too.
  await page.locator('[data-call][data-state="arguments"] summary').click();
  await page.getByRole("tab", { name: "Input" }).click();
  await over.nth(1).waitFor({ timeout: 300_000 });
  return { seconds: (performance.now() - from) / 1_000, ...(await ended()) };
}

/**
 * @param {import("playwright-core").BrowserContext} context
 * @param {Awaited<ReturnType<typeof startPageServer>>} server
 * @param {number} runs
 */
async function missionControl(context, server, runs) {
  const page = await context.newPage();
  await page.goto(`${server.url}/all`);
  await page.getByRole("heading", { name: "All agents" }).waitFor();
  const ended = await begin(page);
  const names = Array.from({ length: runs }, (_, index) => `bench-${index}`);
  for (const name of names) {
    const response = await fetch(`${server.url}/api/agent/execute`, {
      method: "POST",
      headers: { authorization: `Bearer ${server.token}`, "content-type": "application/json" },
      body: JSON.stringify({ user_input: `call wait_for_test {"name":"${name}"}` }),
    });
    if (!response.ok) throw new Error(`run ${name} was refused: ${await response.text()}`);
    await response.body?.cancel();
    await server.waits(name);
  }
  for (const name of names) server.release(name);
  await page.getByRole("button", { name: "running 0" }).waitFor();
  return await ended();
}

/**
 * @param {import("playwright-core").BrowserContext} context
 * @param {string} url
 * @param {number} events
 */
async function scrolledEvents(context, url, events) {
  const page = await openedRecording(context, url, longLog(events));
  await page.getByRole("button", { name: "Events", exact: true }).click();
  await page.locator("[data-line]").first().waitFor();
  const ended = await begin(page);
  await page.evaluate(scrollThrough);
  return await ended();
}

/** Runs in the page: from the start of the list to its end, in 120 frames. */
const scrollThrough = `new Promise((resolve) => {
  const list = document.querySelector(".long-list");
  let frames = 0;
  const step = () => {
    list.scrollTop += list.scrollHeight / 120;
    frames += 1;
    if (frames < 120) requestAnimationFrame(step);
    else resolve();
  };
  requestAnimationFrame(step);
})`;

/**
 * All runs in one look: scrolled through, then magnified and moved by wheel in the middle.
 * @param {import("playwright-core").BrowserContext} context
 * @param {string} url
 * @param {number} events
 * @param {number} runs
 */
async function movedTimeline(context, url, events, runs) {
  const page = await openedRecording(context, url, severalRuns(events, runs));
  await page.locator("[data-run-row]").first().waitFor();
  const ended = await begin(page);
  await page.evaluate(scrollThrough);
  const scale = await page.locator(".ruler-scale").boundingBox();
  if (!scale) throw new Error("the timeline has no scale");
  await page.mouse.move(scale.x + scale.width / 2, scale.y + 100);
  await page.keyboard.down("Control");
  for (let turn = 0; turn < 20; turn += 1) await page.mouse.wheel(0, -60);
  await page.keyboard.up("Control");
  await page.keyboard.down("Shift");
  for (let turn = 0; turn < 20; turn += 1) await page.mouse.wheel(0, 60);
  await page.keyboard.up("Shift");
  return await ended();
}

/**
 * @param {import("playwright-core").BrowserContext} context
 * @param {string} url
 * @param {string} log
 */
async function openedRecording(context, url, log) {
  const page = await context.newPage();
  await page.goto(url);
  const chosen = page.waitForEvent("filechooser");
  await page.getByRole("button", { name: "Open a recording" }).click();
  const buffer = Buffer.from(log);
  await (await chosen).setFiles({ name: "long.jsonl", mimeType: "application/jsonl", buffer });
  return page;
}

/**
 * Runs an hour apart, each turn with one short call.
 * @param {number} events
 * @param {number} runs
 */
function severalRuns(events, runs) {
  const calls = Math.floor(events / runs / 6);
  return Array.from({ length: runs }, (_, run) => {
    const turns = Array.from({ length: calls }, (_, index) => {
      const [callId, messageId] = [`call_${index}`, `m_${index}`];
      return [
        { type: "message.opened", messageId, role: "assistant" },
        { type: "call.opened", callId, messageId, toolName: "shell", toolType: "local" },
        { type: "call.input.closed", callId, parsed: true, input: { command: `step ${index}` } },
        { type: "message.closed", messageId, finishReason: "tool_calls" },
        { type: "call.run.started", callId },
        { type: "call.closed", callId, outcome: "ok", output: "done\n" },
      ];
    });
    const started = { type: "run.started", conversationId: "conv_long", model: "test" };
    const usage = { inputTokens: 1, outputTokens: 1 };
    const ended = { type: "run.closed", outcome: "ok", calls, usage };
    return [started, ...turns.flat(), ended]
      .map((event, index) =>
        JSON.stringify({
          ...{ v: 1, runId: `run_${run}`, seq: index + 1 },
          ...{ at: run * 3_600_000 + index * 20, ...event },
        }),
      )
      .join("\n");
  }).join("\n");
}

/**
 * A run whose one call reports line after line.
 * @param {number} events
 */
function longLog(events) {
  const [messageId, callId] = ["m_1", "call_1"];
  const opening = [
    { type: "run.started", conversationId: "conv_long", model: "test" },
    { type: "message.opened", messageId, role: "assistant" },
    { type: "call.opened", callId, messageId, toolName: "shell", toolType: "local" },
    { type: "call.input.closed", callId, parsed: true, input: { command: "make" } },
    { type: "message.closed", messageId, finishReason: "tool_calls" },
    { type: "call.run.started", callId },
  ];
  return Array.from({ length: events }, (_, index) => {
    const progress = { type: "message", message: `line ${index}` };
    const event = opening[index] ?? { type: "call.run.progressed", callId, progress };
    return JSON.stringify({ v: 1, runId: "run_long", seq: index + 1, at: index, ...event });
  }).join("\n");
}
