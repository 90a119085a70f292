/** All agents in one look: who needs an answer, given from there; what started elsewhere; the saved rules. */
import { expect, it } from "vitest";
import { pageServer, stageOf } from "./testing/stage.js";
import { runsEnd, say, shell, waiting } from "./testing/steps.js";

const stage = stageOf(pageServer());

it("shows who needs an answer, in the title too, and takes the answer", async () => {
  const page = await stage.open();
  const all = await stage.open("/all");
  await all.getByText("Nothing has run here yet").waitFor();
  expect(await all.getByRole("heading", { name: "What it took" }).count()).toBe(0);
  expect(await all.title()).toBe("Callboard");
  await say(page, shell("echo from-the-overview"));
  await expect.poll(() => all.title()).toBe("needs you (1) · Callboard");
  const rows = all.locator(".overview-row .status");
  await expect.poll(() => rows.allTextContents()).toEqual(["needs you"]);
  await all.getByRole("navigation").getByText("needs you (1)").waitFor();
  await all.locator("[data-question] [data-approval]").waitFor();
  // While somebody searches, what is found stands where the questions were.
  await all.getByRole("searchbox", { name: /Search everything/ }).fill("from-the-overview");
  await all.getByText("One call waits for you").waitFor();
  await expect.poll(() => all.locator("[data-question]").count()).toBe(0);
  await all.getByRole("button", { name: "Show them" }).click();
  await all.locator("[data-question] [data-approval] button").first().click();
  await runsEnd(page);
  await expect.poll(() => all.title()).toBe("Callboard");
  await expect.poll(() => rows.allTextContents()).toEqual(["done"]);
  await all.locator(".overview-row").click();
  await all.waitForURL(/\/c\//);
  await runsEnd(all);
  await page.close();
  await all.close();
});

it("opens one question at a time, so that what runs stays in sight below them", async () => {
  const page = await stage.open();
  for (const word of ["one", "two"]) {
    await page.getByRole("button", { name: "New conversation" }).click();
    await say(page, shell(`echo question-${word}`));
    await page.locator("[data-approval]").waitFor();
  }
  await page.getByRole("link", { name: /All agents/ }).click();
  await page.getByText("2 calls wait for you").waitFor();
  const cards = page.locator("[data-question]");
  const open = (): Promise<readonly boolean[]> =>
    cards.evaluateAll((all) => all.map((one) => one.querySelector("[data-approval]") !== null));
  await expect.poll(open).toEqual([true, false]);
  await cards.nth(1).getByRole("button", { name: "Answer…" }).click();
  await expect.poll(open).toEqual([true, true]);
  await cards.nth(1).getByRole("button", { name: "Later" }).click();
  await expect.poll(open).toEqual([true, false]);
  // The next one opens when the first is answered.
  await cards.first().locator("[data-approval] button").first().click();
  await page.getByText("One call waits for you").waitFor();
  await expect.poll(open).toEqual([true]);
  await cards.first().locator("[data-approval] button").first().click();
  await expect.poll(() => cards.count()).toBe(0);
  await page.close();
});

it("is live: what starts elsewhere appears, and is filtered by how it stands", async () => {
  const all = await stage.open("/all");
  await all.locator(".overview-row").first().waitFor();
  const before = await all.locator(".overview-row").count();
  const page = await stage.open();
  await say(page, waiting("overview"));
  await stage.server.waits("overview");
  await expect.poll(() => all.locator(".overview-row").count()).toBe(before + 1);
  await all.getByRole("button", { name: /^running/ }).click();
  const shown = all.locator(".overview-row .status");
  await expect.poll(() => shown.allTextContents()).toEqual(["running"]);
  // What it does now, how many calls it has made and for how long it has run.
  const row = all.locator(".overview-row");
  await expect
    .poll(() => row.locator(".overview-doing").textContent())
    .toBe("Using Wait For Test overview");
  expect(await row.locator('[data-fact="calls"]').textContent()).toBe("1 call");
  await expect.poll(() => row.locator("[data-live]").textContent()).toMatch(/^[\d.]+ (ms|s)$/);
  stage.server.release("overview");
  await runsEnd(page);
  await all.getByText("Nothing fits.").waitFor();
  await page.close();
  await all.close();
});

it("shows what another program sends while it comes, and finds it by arguments, outputs and errors", async () => {
  const all = await stage.open("/all");
  await all.getByRole("heading", { name: "All agents" }).waitFor();
  const { url, token } = stage.server;
  const session_id = "seen-from-here";
  const lines = [
    { type: "system", subtype: "init", session_id, model: "sonnet" },
    {
      ...{ type: "assistant", session_id },
      message: {
        id: "m1",
        content: [
          { type: "tool_use", id: "t1", name: "Bash", input: { command: "findme-argument" } },
          { type: "tool_use", id: "t2", name: "Read", input: { file_path: "a.txt" } },
        ],
      },
    },
    {
      ...{ type: "user", session_id },
      message: {
        content: [
          { type: "tool_result", tool_use_id: "t1", content: "findme-output" },
          { type: "tool_result", tool_use_id: "t2", content: "findme-error", is_error: true },
        ],
      },
    },
  ];
  const send = async (part: readonly object[], end: boolean): Promise<number> => {
    const answer = await fetch(`${url}/api/intake/claudeCode?stream=elsewhere&end=${end}`, {
      method: "POST",
      headers: { authorization: `Bearer ${token}`, "content-type": "application/x-ndjson" },
      body: part.map((line) => `${JSON.stringify(line)}\n`).join(""),
    });
    return answer.status;
  };
  expect(await send(lines.slice(0, 2), false)).toBe(200);
  const row = all.locator(".overview-row", { hasText: "claude-code" });
  await expect.poll(() => row.locator(".status").allTextContents()).toEqual(["running"]);
  // Lines that were taken before are recognized.
  expect(await send(lines, true)).toBe(200);
  await expect.poll(() => row.locator(".status").allTextContents()).not.toEqual(["running"]);
  const search = all.getByRole("searchbox", { name: "Search everything that was said and done" });
  const titles = all.locator(".overview-title");
  for (const word of ["findme-argument", "findme-output", "findme-error"]) {
    await search.fill("nobody-said-this");
    await all.getByText("Nothing fits.").waitFor();
    await search.fill(word);
    await expect
      .poll(() => titles.allTextContents())
      .toEqual([expect.stringMatching(/^claude-code of /)]);
  }
  await all.close();
});

it("keeps a conversation in its order although its last run was heard of first", async () => {
  const page = await stage.open();
  await say(page, "say first");
  await runsEnd(page);
  await say(page, waiting("order"));
  await stage.server.waits("order");
  const all = await stage.open("/all");
  await all.getByLabel("Tool", { exact: true }).selectOption("wait_for_test");
  expect(await all.locator(".overview-row").count()).toBeGreaterThan(0);
  await all.getByLabel("Cost", { exact: true }).selectOption("1");
  await all.getByText("Nothing fits.").waitFor();
  await all.getByRole("button", { name: "Show all" }).click();
  await all.locator(".overview-row").first().click();
  await all.locator('[data-call][data-state="running"]').waitFor();
  const asked = all.getByRole("article", { name: "You" });
  await expect.poll(() => asked.allTextContents()).toEqual(["say first", waiting("order")]);
  stage.server.release("order");
  await runsEnd(page, 2);
  await page.close();
  await all.close();
});

it("shows the rules that were saved, and takes one back: the call is asked about again", async () => {
  const page = await stage.open();
  await say(page, shell("echo always"));
  await page
    .getByRole("button", { name: /Always allow/ })
    .first()
    .click();
  await runsEnd(page);
  await say(page, shell("echo always"));
  await runsEnd(page, 2);
  await page.getByRole("link", { name: /All agents/ }).click();
  await page.getByRole("button", { name: "Saved rules" }).click();
  const dialog = page.getByRole("dialog", { name: "Saved rules" });
  await dialog.getByText(/^shell\(echo /).waitFor();
  await dialog.getByRole("button", { name: /^Take back shell\(echo / }).click();
  await dialog.getByText("No rule is saved.").waitFor();
  await page.keyboard.press("Escape");
  await page.goBack();
  await runsEnd(page, 2);
  await page.getByRole("button", { name: "New conversation" }).click();
  await say(page, shell("echo always"));
  await page.locator("[data-approval]").waitFor();
  await page.getByRole("button", { name: /^(\d )?Reject/ }).click();
  await runsEnd(page);
  await page.close();
});

it("says that there is nothing at a mistyped address, and stays live", async () => {
  const page = await stage.open("/c/not-an-id");
  const nowhere = (what: string): Promise<void> =>
    page.getByRole("heading", { name: `There is no such ${what}.` }).waitFor();
  await nowhere("conversation");
  const unknown = "00000000-0000-4000-8000-000000000000";
  await page.goto(`${stage.server.url}/c/${unknown}`);
  await nowhere("conversation");
  expect(await page.getByRole("button", { name: "Share" }).count()).toBe(0);
  for (const address of ["/compare/one/two", `/compare/${unknown}/${unknown}`]) {
    await page.goto(`${stage.server.url}${address}`);
    await nowhere("run");
    await page.locator('[data-connection="live"]').waitFor();
  }
  await page.locator("main").getByRole("button", { name: "New conversation" }).last().click();
  await say(page, "say here again");
  await runsEnd(page);
  await page.close();
});
