/** The page as people use it: the same flows whatever the server keeps its runs in. */
import type { Page } from "playwright-core";
import { describe, expect, it } from "vitest";
import type { PageStage } from "./stage.js";
import {
  allowAll,
  allowOnce,
  call,
  chatIn,
  choose,
  endedRows,
  rowsIn,
  runsEnd,
  say,
  shell,
  statesIn,
  waiting,
} from "./steps.js";

/** `stored` omits the flows in which the page alone acts: these are the same on every database. */
export function describeFlows(stage: PageStage, flows: "all" | "stored" = "all"): void {
  const itOnPage: (name: string, test: () => Promise<void>) => void =
    flows === "all" ? it : () => undefined;

  describe("a conversation", () => {
    it("shows every state that a call goes through, in words", async () => {
      const page = await stage.fresh();
      await say(page, [waiting("states"), call("read_file", { path: "none.txt" })].join("\n"));
      await stage.server.waits("states");
      await page.locator('[data-call][data-state="failed"]').waitFor();
      await page.locator('[data-call][data-state="running"]').waitFor();
      expect(await page.locator("[data-connection]").getAttribute("data-connection")).toBe("live");
      await expect.poll(() => page.locator("[data-now-line]").count()).toBe(1);
      stage.server.release("states");
      await runsEnd(page);
      await say(page, shell("printf 'one\\ntwo\\n'"));
      await page.locator('[data-call][data-state="approval"] [data-approval]').waitFor();
      // Six options, and changing the arguments.
      expect(await page.locator("[data-approval] button").count()).toBe(7);
      await allowOnce(page);
      await runsEnd(page, 2);
      await say(page, waiting("stopped"));
      await stage.server.waits("stopped");
      await page.getByRole("button", { name: "Stop", exact: true }).click();
      await runsEnd(page, 3);
      await expect.poll(() => statesIn(page)).toEqual(["done", "failed", "done", "stopped"]);
    });

    it("is the same after a reload in the middle of a run, in a second tab, and when it is over", async () => {
      const page = await stage.fresh();
      await say(page, [`think hm`, "say # Look", waiting("reload"), "say **done**"].join("\n"));
      await stage.server.waits("reload");
      await page.locator('[data-call][data-state="running"]').waitFor();
      await page.waitForURL(/\/c\//);
      const other = await stage.open(new URL(page.url()).pathname);
      await other.locator('[data-call][data-state="running"]').waitFor();
      await page.reload();
      await page.locator('[data-call][data-state="running"]').waitFor();
      stage.server.release("reload");
      await Promise.all([runsEnd(page), runsEnd(other)]);
      const shown = async (tab: Page): Promise<readonly string[]> => {
        await tab.locator("[data-run] strong").waitFor();
        return [...(await chatIn(tab)), ...(await endedRows(tab, 1))];
      };
      const live = await shown(other);
      await other.reload();
      await runsEnd(other);
      expect(await shown(other)).toEqual(live);
      expect(await shown(page)).toEqual(live);
      await other.close();
    });

    it("can be answered from a second tab, by key", async () => {
      const page = await stage.fresh();
      await say(page, shell("echo from-the-other-tab"));
      await page.locator("[data-approval]").waitFor();
      const other = await stage.open(new URL(page.url()).pathname);
      await other.locator("[data-approval]").waitFor();
      await other.locator("h1").click();
      await other.keyboard.press("1");
      await runsEnd(page);
      expect(await page.locator("[data-approval]").count()).toBe(0);
      await page.bringToFront();
      await page.locator("[data-call] summary").first().click();
      // It is shown in the chat, and chosen on the board.
      const outputs = page.getByRole("group", { name: "Text" }).getByText("from-the-other-tab");
      await outputs.nth(1).waitFor();
      await other.close();
    });

    it("can be retried, edited, forked, renamed, shared and deleted", async () => {
      const page = await stage.fresh();
      await page.getByLabel("Model").selectOption("second · rehearsal");
      await say(page, "say first");
      await runsEnd(page);
      await page.getByRole("button", { name: "Retry" }).click();
      await runsEnd(page, 2);
      const asked = page.getByRole("article", { name: "You" });
      expect(await asked.allTextContents()).toEqual(["say first", "say first"]);
      const before = page.url();
      await page.getByRole("button", { name: "Edit and resend" }).nth(1).click();
      await page.getByRole("textbox", { name: "Edited message" }).fill("say second");
      await page.keyboard.press("Enter");
      await page.waitForURL((url) => url.href !== before);
      await runsEnd(page, 2);
      expect(await asked.allTextContents()).toEqual(["say first", "say second"]);
      await choose(page, "Rename");
      await page.getByRole("textbox", { name: "Title" }).fill("A better name");
      await page.keyboard.press("Enter");
      await page.getByRole("link", { name: "A better name" }).waitFor();
      const renamed = page.url();
      await page.getByRole("button", { name: "More about this run" }).first().click();
      await page.getByRole("menuitem", { name: "Fork from here" }).click();
      await page.waitForURL((url) => url.href !== renamed);
      await runsEnd(page, 1);
      expect(await page.locator("[data-run]").count()).toBe(1);
      await page.getByRole("button", { name: "Share" }).click();
      await page.getByText("Users of this server").click();
      await page.getByRole("checkbox", { name: /Everybody/ }).click();
      await page.getByRole("checkbox", { name: /Everybody/, checked: true }).waitFor();
      await page.keyboard.press("Escape");
      await page.getByRole("searchbox", { name: "Search conversations" }).fill("better");
      const found = page.getByRole("navigation").locator("[data-title]");
      await expect.poll(() => found.allTextContents()).toEqual(["A better name"]);
      await found.click();
      await page.waitForURL(renamed);
      await choose(page, "Delete");
      await page.getByRole("dialog").getByRole("button", { name: "Delete" }).click();
      await page.waitForURL(/\/$/);
      await page.getByText("Nothing was found.").waitFor();
      await page.getByRole("searchbox", { name: "Search conversations" }).fill("");
    });
  });

  describe("a link", () => {
    it("is read by whoever holds it, live and only to be read, until it is revoked", async () => {
      const page = await stage.fresh();
      await say(page, shell("echo shared"));
      await page.locator("[data-approval]").waitFor();
      await page.getByRole("button", { name: "Share", exact: true }).click();
      await page.getByLabel("It ends after").selectOption("1 hour");
      await page.getByRole("button", { name: "Make a link" }).click();
      const address = await page.getByRole("textbox", { name: "The link" }).inputValue();
      const context = await stage.browser.newContext();
      const guest = await context.newPage();
      await guest.goto(address);
      await guest.getByText("Its owner is asked whether it may run.").waitFor();
      await guest.waitForURL(/\/v\//);
      const shown = guest.url();
      await page.keyboard.press("Escape");
      await allowOnce(page);
      await guest.locator('[data-run][data-status="closed"]').waitFor();
      await guest.locator("[data-row]").click();
      await guest.getByRole("tab", { name: "Input" }).click();
      expect(await controlsOf(guest)).toEqual(visitorControls);
      await guest.goto(`${stage.server.url}/`);
      await guest.getByText("Your link opens one conversation.").waitFor();
      expect(await guest.getByRole("textbox").count()).toBe(0);
      await guest.goto(shown);
      await guest.locator('[data-run][data-status="closed"]').waitFor();
      await page.getByRole("button", { name: "Share", exact: true }).click();
      await page.getByRole("button", { name: "Revoke" }).click();
      await page.locator('[data-link="revoked"]').waitFor();
      await page.keyboard.press("Escape");
      await guest.getByText("This link no longer opens the conversation.").waitFor();
      await guest.goto(address);
      await guest.getByRole("heading", { name: "This link was revoked." }).waitFor();
      await guest.goto(`${stage.server.url}/s/nonsense`);
      await guest.getByRole("heading", { name: "There is no such link." }).waitFor();
      await guest.goto(`${stage.server.url}/?token=of-another-start`);
      await guest.getByText("Your browser session is no longer valid.").waitFor();
      await context.close();
    });
  });

  describe("the board", () => {
    itOnPage("replays what was, with the chat: each moment is what was live then", async () => {
      const page = await stage.fresh();
      await say(page, [call("list_files", {}), shell("echo over"), "say over"].join("\n"));
      await page.locator('[data-row][data-state="approval"]').waitFor();
      await page.locator("[data-approval]").waitFor();
      await page.waitForURL(/\/c\//);
      // How long a question has waited continues with the clock while it is looked at.
      const still = (lines: readonly string[]) =>
        lines.map((line) => line.replaceAll(/waited [\d.]+ m?s/g, ""));
      const seen = async (): Promise<unknown> => [
        still(await chatIn(page)),
        still(await rowsIn(page)),
      ];
      const asked = await seen();
      await allowOnce(page);
      await runsEnd(page);
      await endedRows(page, 2);
      const over = await seen();
      await page.getByRole("button", { name: "Replay", exact: true }).click();
      await page.getByRole("status").getByText("The chat and the board as they were").waitFor();
      await expect.poll(seen).toEqual(over);
      const position = page.getByRole("slider", { name: "Position" });
      await position.focus();
      await page.keyboard.press("Home");
      await expect.poll(seen).toEqual([[], []]);
      const states = new Set<string>();
      while (!states.has("approval")) {
        await page.getByRole("button", { name: "One event on" }).click();
        for (const row of await rowsIn(page)) states.add(row.split(":")[0] ?? "");
      }
      await expect.poll(seen).toEqual(asked);
      expect(states).toEqual(new Set(["arguments", "queued", "running", "done", "approval"]));
      expect(await page.locator("[data-approval] button").last().isDisabled()).toBe(true);
      await page.locator("h1").click();
      await page.keyboard.press("l");
      await page.getByRole("textbox", { name: "Message", exact: true }).waitFor();
      await expect.poll(seen).toEqual(over);
    });

    itOnPage(
      "shows all changes as one diff, the prompt as it was sent, and two runs side by side",
      async () => {
        const page = await stage.fresh();
        const write = (content: string): string =>
          call("write_file", { path: "poem.txt", content });
        await say(page, [write("one\ntwo\n"), "say written"].join("\n"));
        await allowAll(page);
        await say(page, write("one\n2\nthree\n"));
        await page.locator("[data-approval]").waitFor();
        await allowOnce(page);
        await runsEnd(page, 2);
        await page.getByRole("button", { name: "Changes", exact: true }).click();
        await page.getByText("1 file changed by 2 calls").waitFor();
        const lines = page.locator("[data-changes] .diff-line");
        expect(await lines.allTextContents()).toEqual(["+ one\n", "+ 2\n", "+ three\n"]);
        expect(await lines.last().getAttribute("data-numbers")).toBe("   3");
        const more = page.getByRole("button", { name: "More about this run" });
        await more.last().click();
        await page.getByRole("menuitem", { name: "Prompt as it was sent" }).click();
        const dialog = page.getByRole("dialog");
        await dialog.getByLabel("Before answer").selectOption("1");
        const roles = dialog.locator(".prompt-role");
        await expect
          .poll(async () => (await roles.allTextContents()).filter((role) => !/system/.test(role)))
          .toEqual(["user", "assistant", "tool", "assistant", "user"]);
        await page.keyboard.press("Escape");
        await more.last().click();
        await page.getByRole("menuitem", { name: "Compare with another run" }).click();
        await page.waitForURL(/\/compare\//);
        await page.locator('[data-pair="different"]').waitFor();
        expect(await page.locator("[data-pair]").count()).toBe(1);
        const calls = page.getByRole("row", { name: /^calls/ }).getByRole("cell");
        await expect.poll(() => calls.allTextContents()).toEqual(["1", "1", "the same"]);
      },
    );

    itOnPage("is used by keyboard: j, k, e, /, Enter, Esc, ?", async () => {
      const page = await stage.fresh();
      const reads = ["none.txt", "notes.md", "nothing.txt"].map((path) =>
        call("read_file", { path }),
      );
      await say(page, reads.join("\n"));
      await runsEnd(page);
      await page.locator("h1").click();
      const selected = (): Promise<string[]> =>
        page.locator('[data-row][aria-pressed="true"]').allTextContents();
      await page.keyboard.press("j");
      await page.keyboard.press("j");
      await expect.poll(async () => (await selected())[0]).toContain("notes.md");
      await page.waitForURL(/\/r\/[^/]+\/call\/rehearsal_2$/);
      await page.keyboard.press("e");
      await expect.poll(async () => (await selected())[0]).toContain("nothing.txt");
      await page.keyboard.press("e");
      await expect.poll(async () => (await selected())[0]).toContain("none.txt");
      await page.keyboard.press("Enter");
      await page.locator('section[aria-label="Call details"]:focus').waitFor();
      await page.keyboard.press("Escape");
      await expect.poll(() => selected()).toEqual([]);
      await page.keyboard.press("/");
      await page.keyboard.type("notes");
      await page.locator("[data-row]").nth(1).waitFor({ state: "detached" });
      await page.keyboard.press("Escape");
      await page.keyboard.press("?");
      await page.getByRole("dialog", { name: "Keyboard" }).waitFor();
      await page.keyboard.press("Escape");
    });

    it("opens at a deep link, and runs the call again, as it was and with other arguments", async () => {
      const page = await stage.fresh();
      await say(page, call("read_file", { path: "none.txt" }));
      await runsEnd(page);
      await page.locator("[data-row]").first().click();
      await page.waitForURL(/\/call\//);
      const opened = await stage.open(new URL(page.url()).pathname);
      const details = opened.getByRole("region", { name: "Call details" });
      await details.getByRole("tab", { name: "Events" }).click();
      await details.getByText("call.opened").waitFor();
      await details.getByRole("tab", { name: "Input" }).click();
      await details.getByText("Run this tool again").click();
      await details.getByRole("button", { name: "Run again" }).click();
      await runsEnd(opened, 2);
      const edited = details.getByLabel(/Arguments \(JSON\)/);
      const run = details.getByRole("button", { name: "Run with these arguments" });
      await edited.fill('{"path":');
      await run.click();
      await details
        .getByRole("alert")
        .getByText(/Not run: .*JSON/)
        .waitFor();
      await edited.fill('["notes.md"]');
      await run.click();
      await details.getByRole("alert").getByText("Arguments are an object in braces").waitFor();
      await edited.fill('{"path":"notes.md"}');
      await run.click();
      await runsEnd(opened, 3);
      await expect.poll(() => statesIn(opened)).toEqual(["failed", "failed", "done"]);
      await opened.close();
    });

    itOnPage("announces each transition once", async () => {
      const page = await stage.fresh();
      await say(page, "say ready");
      await runsEnd(page);
      await say(page, shell("echo heard"));
      await page.locator("[data-approval]").waitFor();
      await allowOnce(page);
      await runsEnd(page, 2);
      const words = async (): Promise<readonly unknown[]> => {
        const said = await page.getByRole("log", { name: "Calls" }).locator("p").allTextContents();
        return said.map((line) => line.split(", ").at(-1));
      };
      await expect.poll(words).toEqual(["waiting for approval", "running", "done"]);
    });
  });
}

/** Everything on a page that can be used, by its name; rows of the board are omitted. */
async function controlsOf(page: Page): Promise<readonly string[]> {
  return page
    .locator(":is(button, input, textarea, select):visible:not(.line-main, [data-row])")
    .evaluateAll((controls) =>
      controls.map((control) => control.getAttribute("aria-label") ?? control.textContent ?? ""),
    );
}

/** What somebody who came by a link can do: look at it in other ways, and copy it. */
const visitorControls: readonly string[] = [
  "Theme: system. Change to light",
  ...["Zoom out", "Zoom: 1 times. Show everything", "Zoom in", "Replay"],
  ...["List", "Timeline", "Changes", "Events", "Tools", "Filter calls", "Which calls"],
  "Hide the run",
  ...["Close details", "Input", "Output", "Events", "Raw", "Copy input", "Copy link"],
];
