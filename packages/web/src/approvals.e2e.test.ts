/** Questions that can be trusted: whole, wrapped, nothing hidden, and keys that answer the one in sight. */
import { builtProgram } from "@callboard/testkit";
import type { Page } from "playwright-core";
import { expect, it } from "vitest";
import { pageServer, stageOf } from "./testing/stage.js";
import { call, chatIn, runsEnd, say, shell } from "./testing/steps.js";

const mcpServer = builtProgram("packages/agent-sdk/src/mcp/testing/stdio-server-cli.js");
const stage = stageOf(
  pageServer({
    agents: {
      thrifty: { limits: { maxTurns: 1, onLimit: "ask" } },
      patient: {},
      travelling: {
        asksUser: true,
        approval: { allow: ["mcp__test__*"] },
        mcpServers: { test: { command: process.execPath, args: [...mcpServer] } },
      },
      hasty: { asksUser: true, approval: { timeoutMs: 20 } },
    },
    limits: { sweepMs: 200 },
  }),
);

/** How far anything of the question reaches beyond the page, in pixels; and what can be read of it. */
async function questionIn(page: Page): Promise<{ readonly beyond: number; readonly text: string }> {
  const question = page.locator("[data-approval]").first();
  await question.waitFor();
  const beyond = await question.evaluate((element) => {
    const rights = [element, ...element.querySelectorAll("*")].map(
      (one) => one.getBoundingClientRect().right,
    );
    return Math.max(0, Math.max(...rights) - window.innerWidth);
  });
  return { beyond, text: (await question.textContent()) ?? "" };
}

/** The parts of the question that somebody would have to scroll to. */
async function outOfSight(page: Page): Promise<readonly string[]> {
  const parts = page.locator(
    "[data-approval] :is(legend, [data-end], button, [role=group]), [data-approval] input",
  );
  return parts.evaluateAll((all) =>
    all
      .filter((one) => {
        const { top, bottom, left, right } = one.getBoundingClientRect();
        const [x, y] = [(left + right) / 2, (top + bottom) / 2];
        return !one.contains(document.elementFromPoint(x, y)) || bottom > window.innerHeight;
      })
      .map((one) => one.getAttribute("aria-label") ?? one.textContent ?? ""),
  );
}

it("shows a long command whole from 360 to 1440 px, in its chat and among all agents", async () => {
  const page = await stage.fresh();
  const words = Array.from({ length: 1_100 }, (_, index) => `part-${index}`).join(" ");
  const command = `echo ${"x".repeat(2_000)} ${words} && echo the-end-of-it`;
  await say(page, shell(command));
  await page.locator("[data-approval]").waitFor();
  const conversation = page.url();
  for (const width of [360, 390, 800, 1_024, 1_440]) {
    await page.setViewportSize({ width, height: width < 768 ? 780 : 860 });
    for (const address of [conversation, `${stage.server.url}/all`]) {
      await page.goto(address);
      const { beyond, text } = await questionIn(page);
      expect(beyond).toBe(0);
      expect(text).toContain(`$ ${command}`);
      const pageWidth = await page.evaluate("document.documentElement.scrollWidth");
      expect(pageWidth).toBeLessThanOrEqual(width);
      await page.locator("[data-approval] [data-end]").nth(1).waitFor();
      // What it begins with, how it ends, the rule and the buttons are in sight at once.
      await expect
        .poll(async () => [width, address, await outOfSight(page)])
        .toEqual([width, address, []]);
    }
  }
  await page.getByRole("button", { name: /^(\d )?Reject/ }).click();
  await page.locator("[data-approval]").waitFor({ state: "detached" });
});

it("writes out characters that would hide or turn around what is run", async () => {
  const page = await stage.fresh();
  await say(page, shell("echo \u202ecod.exe\u2066 \u200brm"));
  const { text } = await questionIn(page);
  expect(text).toContain("$ echo [U+202E]cod.exe[U+2066] [U+200B]rm");
  await page.locator("[data-pulse]", { hasText: "Waiting for you…" }).waitFor();
  const hidden = /[\u202a-\u202e\u2066-\u2069\u200b]/;
  expect(text).not.toMatch(hidden);
  const shown = page.locator('[data-call][data-state="approval"] summary, [data-row], nav a, h2');
  expect((await shown.allTextContents()).filter((one) => hidden.test(one))).toEqual([]);
  // On a phone a short command is whole in its box, and is not told again as its own end.
  await page.setViewportSize({ width: 360, height: 780 });
  const boxes = page.locator("[data-approval] [role=group]");
  const beyond = () =>
    boxes.evaluateAll((all) => all.map((one) => one.scrollHeight - one.clientHeight));
  await expect.poll(beyond).toEqual([0, 0]);
  expect(await page.locator("[data-approval] [data-end]").count()).toBe(0);
  await page.getByRole("button", { name: /^(\d )?Reject/ }).click();
  await runsEnd(page);
});

it("marks one of two questions, and its keys answer that one alone", async () => {
  const page = await stage.fresh();
  const fetching = (path: string): string =>
    call("web_fetch", { url: `https://callboard.invalid/${path}` });
  await say(page, [fetching("one"), fetching("two")].join("\n"));
  const questions = page.locator("[data-approval]");
  await questions.nth(1).waitFor();
  const marks = async (): Promise<readonly (string | null)[]> =>
    questions.evaluateAll((all) => all.map((one) => one.getAttribute("data-current")));
  await expect.poll(marks).toEqual(["true", "false"]);
  expect(await questions.nth(1).locator("kbd").count()).toBe(0);
  await questions.nth(1).getByRole("button").first().focus();
  await expect.poll(marks).toEqual(["false", "true"]);
  const second = await questions.nth(1).getAttribute("data-approval");
  const reject = (await questions.nth(1).getByRole("button").count()) - 1;
  // A question that has just become the current one ignores keys for a moment; one that was answered is
  // not pressed for again.
  const open = page.locator(`[data-approval="${second}"][data-current="true"]:enabled`);
  await expect
    .poll(async () => {
      if ((await open.count()) > 0) await page.keyboard.press(String(reject));
      return page.locator(`[data-approval="${second}"]`).count();
    })
    .toBe(0);
  expect(await questions.count()).toBe(1);
  await questions
    .first()
    .getByRole("button", { name: /^(\d )?Reject/ })
    .click();
  await runsEnd(page);
});

it("runs a command that was changed in the form of its tool, and shows the change first; an exit code is a failure", async () => {
  const page = await stage.fresh();
  await say(page, shell("echo one"));
  const question = page.locator("[data-approval]");
  await question.getByRole("button", { name: "Edit the arguments…" }).click();
  // Only the schema of the tool says what is required.
  await question.getByLabel("command (required)").fill("echo two; exit 3");
  await question.locator("figure").getByText('"command": "echo two; exit 3"').waitFor();
  await question.getByRole("button", { name: "Run once with these arguments" }).click();
  await runsEnd(page);
  const failed = page.locator('[data-call][data-state="failed"]');
  await failed.getByText("echo two; exit 3").first().waitFor();
  expect(await failed.locator(".row-reason").textContent()).toBe("exit code 3");
  const row = page.locator('[data-row][data-state="failed"]');
  expect(await row.locator(".bar-note").textContent()).toMatch(/^[\d.]+ m?s · exit 3/);
  expect(await page.locator("[data-run-row]").textContent()).toMatch(/1 call · 1 failed$/);
  const sums = page.locator("[data-sums] > div", { hasText: "failed" });
  await expect.poll(() => sums.textContent()).toBe("failed1");
  // Opened, the call names who changed it, and why it failed once.
  await failed.locator("summary").click();
  await failed.getByText("changed by a user before the call ran").waitFor();
  expect(await failed.locator(".row-reason").isVisible()).toBe(false);
});

it("asks nothing about arguments that the tool does not take", async () => {
  const page = await stage.fresh();
  await say(page, call("write_file", { path: 42, content: "x" }));
  await runsEnd(page);
  await page.locator('[data-call][data-state="failed"]').waitFor();
  expect(await page.locator("[data-approval]").count()).toBe(0);
});

it("counts a question of the model, takes its answer under all agents, and shows it in the chat", async () => {
  const page = await stage.fresh();
  await say(page, call("ask_user", { question: "Which colour?", choices: ["red", "green"] }));
  await page.locator('[data-call] [data-ask]:has-text("Which colour?")').waitFor();
  await expect.poll(() => page.title()).toBe("needs you (1) · Callboard");
  const conversation = page.url();
  await page.goto(`${stage.server.url}/all`);
  const question = page.locator("[data-question] [data-ask]");
  await question.getByRole("button", { name: "green" }).click();
  await question.waitFor({ state: "detached" });
  await expect.poll(() => page.title()).toBe("Callboard");
  await page.goto(conversation);
  await runsEnd(page);
  expect(await page.locator("[data-call] [data-answered]").textContent()).toBe(
    "Which colour?Answer:green",
  );
});

it("takes words and a form as answers, and that nobody wants to answer", async () => {
  const page = await stage.fresh();
  const question = page.locator("[data-call] [data-ask]");
  const answered = page.locator("[data-call] [data-answered]");
  const form = { type: "object", properties: { name: { type: "string" } }, required: ["name"] };
  await say(page, call("ask_user", { question: "Why?" }));
  await question.getByRole("textbox").fill("because");
  await question.getByRole("button", { name: "Answer", exact: true }).click();
  await runsEnd(page);
  await say(page, call("ask_user", { question: "Who?", form }));
  await question.getByRole("textbox").fill("Ada");
  await question.getByRole("button", { name: "Answer", exact: true }).click();
  await runsEnd(page);
  await say(page, call("ask_user", { question: "When?" }));
  await question.getByRole("button", { name: "Decline to answer" }).click();
  await page.locator('[data-call][data-state="failed"]').waitFor();
  await runsEnd(page);
  expect(await answered.allTextContents()).toEqual(["Why?Answer:because", "Who?Answer:nameAda"]);
});

it("fills the form of an MCP server, and declines it", async () => {
  const page = await stage.fresh();
  await page.getByLabel("Model").selectOption("travelling · rehearsal");
  const question = page.locator("[data-call] [data-ask]");
  const asked = "The MCP server test asks: Who flies?";
  const book = call("mcp__test__ask", {});
  await say(page, book);
  await question.getByText(asked).waitFor();
  await question.getByRole("textbox").fill("Ada");
  await question.getByRole("button", { name: "Answer", exact: true }).click();
  await runsEnd(page);
  const servers = page.locator('[data-call][data-state="done"]', { hasText: "test" });
  await servers.first().waitFor();
  await say(page, book);
  await question.getByText(asked).waitFor();
  await question.getByRole("button", { name: "Decline to answer" }).click();
  await runsEnd(page);
  await page.locator('[data-call][data-state="failed"]', { hasText: asked }).waitFor();
  const told = await page.locator("[data-call] [data-answered]").allTextContents();
  expect(told).toEqual([`${asked}Answer:nameAda`]);
});

it("allows more turns, and shows what was allowed", async () => {
  const page = await stage.fresh();
  await page.getByLabel("Model").selectOption("thrifty · rehearsal");
  await say(page, `${call("list_files", { path: "." })}\nsay the second turn`);
  const question = page.locator("[data-approval]");
  await question.getByText("The run has used 1 turn of 1 turn. Allow 1 turn more?").waitFor();
  await question.getByRole("button", { name: /Allow once/ }).click();
  await runsEnd(page);
  await page.locator('[data-call][data-state="done"]', { hasText: "Allowed more turns" }).waitFor();
  expect((await chatIn(page))[0]).toContain("Rehearsal: the second turn");
});

it("shows that an approval and a question of the model have expired, and takes no answer", async () => {
  const page = await stage.fresh();
  await page.getByLabel("Model").selectOption("hasty · rehearsal");
  await say(page, [shell("echo one"), call("ask_user", { question: "Why?" })].join("\n"));
  await runsEnd(page);
  const calls = page.locator("[data-call]");
  await calls.filter({ hasText: /Could not run echo one.*No answer came in time/ }).waitFor();
  await calls.filter({ hasText: /Could not ask Why\?.*no result within 0.02 s/ }).waitFor();
  expect(await page.locator("[data-approval], [data-ask]").count()).toBe(0);
});

it("asks whether a call runs again that its server did not survive, and runs it again once", async () => {
  const page = await stage.fresh();
  await page.getByLabel("Model").selectOption("patient · rehearsal");
  await say(page, call("wait_and_ask", { name: "again" }));
  await stage.server.waits("again");
  // The chat is loaded: what follows comes by its stream alone.
  await page.locator('[data-call][data-state="running"]').waitFor();
  await stage.server.restart();
  const question = page.locator("[data-approval]", { hasText: "Run it again?" });
  const again = question.getByRole("button", { name: /^(\d )?Run it again/ });
  await again.waitFor();
  expect(await question.getByRole("button", { name: "Edit the arguments…" }).count()).toBe(0);
  await again.click();
  stage.server.release("again");
  await runsEnd(page);
  await page.locator('[data-call][data-state="done"]').waitFor();
  expect((await chatIn(page))[0]).toContain("1 tool call (wait_and_ask): 1 ok");
});
