/**
 * Stock clients of others on a real page: one chat of a person who sends, allows, denies, stops, loads the page again,
 * and has a message answered again. `npm run test:clients` does more of it, with every version.
 */
import { randomUUID } from "node:crypto";
import type { Page } from "playwright-core";
import { describe, expect, it } from "vitest";
import { pageServer, stageOf } from "./testing/stage.js";
import { call, shell, waiting } from "./testing/steps.js";
import { linesOf, openStockClient, press, type StockClient, send } from "./testing/stockClient.js";

const stage = stageOf(pageServer());

const clients: readonly StockClient[] = [
  {
    name: "useChat 6",
    file: "useChat.js",
    packages: { "#ai": "ai", "#ai-react": "@ai-sdk/react" },
    constants: { SDK_VERSION: '"6"' },
  },
  { name: "AG-UI 1.0", file: "agUi.js", packages: { "#ag-ui": "@ag-ui/client" } },
];

const patience = { timeout: 120_000 };

/** Waits until the newest lines of the page are these, whatever the order in a message, and it has come to rest. */
async function showsLast(page: Page, lines: readonly string[]): Promise<void> {
  await page.locator('main[data-status="ready"]').waitFor();
  const newest = async () => (await linesOf(page)).slice(-lines.length).toSorted();
  await expect.poll(newest, patience).toEqual(lines.toSorted());
  await page.locator('main[data-status="ready"]').waitFor();
}

describe.each(clients)("$name on a page", (client) => {
  const chatId = randomUUID();
  let opened: Promise<Page> | undefined;
  const use = (): Promise<Page> => {
    opened ??= openStockClient(stage, client, chatId);
    return opened;
  };
  /** How each run of the chat stands, the newest first. */
  const runsOf = async (): Promise<readonly string[]> => {
    const page = await use();
    const answer = await page.request.get(`${stage.server.url}/api/conversations/${chatId}/runs`);
    // With the reason of one that failed, which the failure of a test then shows.
    const runs = [
      ...(await answer.text()).matchAll(/"status":"(\w+)"(?:[^{}]*?"error":"([^"]*)")?/g),
    ];
    return runs
      .map(([, status = "", error]) => (status === "failed" ? `${status}: ${error}` : status))
      .toReversed();
  };

  /** The same once every run has ended: the page may show an answer before its run is closed. */
  const endedRuns = async (): Promise<readonly string[]> => {
    await expect.poll(runsOf, patience).not.toContain("pending");
    return runsOf();
  };

  it("shows text and a tool of the server", async () => {
    const page = await use();
    stage.server.setOutput("again");
    const script = `say hello\n${call("answer_with", {})}\nsay bye`;
    await send(page, script);
    await showsLast(page, [
      `user: ${script}`,
      "assistant: Rehearsal: hello",
      "answer_with done: again",
      "assistant: Rehearsal: bye",
    ]);
  });

  it.each([
    ["Allow", /^shell done: was-run$/],
    ["Deny", /^shell (denied|done|failed): (?!.*was-run)/],
  ])("answers a question: %s", async (answer, told) => {
    const page = await use();
    const before = await endedRuns();
    await send(page, `${shell("echo was-$(echo run)")}\nsay ${answer}`);
    await press(page, answer);
    await page.getByText(`Rehearsal: ${answer}`).waitFor();
    const tools = (await linesOf(page)).filter((line) => line.startsWith("shell "));
    expect(tools.at(-1)).toMatch(told);
    expect(await endedRuns()).toEqual(["completed", ...before]);
  });

  it("runs a tool of its own, and it is one run", async () => {
    const page = await use();
    const before = await endedRuns();
    await send(page, `${call("page_weather", { city: "Ghent" })}\nsay warm`);
    await page.getByText("Rehearsal: warm").waitFor();
    const result = JSON.stringify({ city: "Ghent", degrees: 21 });
    expect(await linesOf(page)).toContain(`page_weather done: ${result}`);
    expect(await endedRuns()).toEqual(["completed", ...before]);
  });

  it("stops, and its next message is taken at once", async () => {
    const page = await use();
    const gate = randomUUID();
    await send(page, `${waiting(gate)}\nsay late`);
    await stage.server.waits(gate);
    await press(page, "Stop");
    await page.locator('main[data-status="ready"]').waitFor();
    await send(page, "say next");
    await showsLast(page, ["user: say next", "assistant: Rehearsal: next"]);
    expect((await endedRuns()).slice(0, 2)).toEqual(["completed", "cancelled"]);
  });

  it("shows that the provider failed, and its next message works", async () => {
    const page = await use();
    await send(page, "say half\nfail");
    await page.getByRole("alert").getByText("asked to fail").waitFor();
    await send(page, "say recovered");
    await showsLast(page, ["user: say recovered", "assistant: Rehearsal: recovered"]);
  });

  it("is loaded again in the middle of a run, and has a message answered again", async () => {
    const page = await use();
    const gate = randomUUID();
    const script = `say begun\n${waiting(gate)}\nsay after`;
    await send(page, script);
    await stage.server.waits(gate);
    await page.reload();
    await page.getByText("Rehearsal: begun").waitFor();
    stage.server.release(gate);
    const said = [
      `user: ${script}`,
      "assistant: Rehearsal: begun",
      `wait_for_test done: ${gate} went on`,
      "assistant: Rehearsal: after",
    ];
    await showsLast(page, said);
    const before = await endedRuns();
    const lines = await linesOf(page);
    await press(page, "Regenerate");
    await expect.poll(runsOf, patience).toEqual(["completed", ...before]);
    await showsLast(page, said);
    expect((await linesOf(page)).toSorted()).toEqual(lines.toSorted());
  });
});
