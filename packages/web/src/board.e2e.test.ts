/** The page as people use it: on the real server, in a real browser. */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import {
  allowOnce,
  call,
  endedRows,
  openStage,
  rowsIn,
  runsEnd,
  type Stage,
  say,
  shell,
  statesIn,
  waiting,
} from "./testing/stage.js";

let stage: Stage;

beforeAll(async () => {
  stage = await openStage();
});

afterAll(async () => {
  await stage.close();
  expect(stage.faults).toEqual([]);
});

describe("a conversation", () => {
  it("shows every state that a call goes through, in words", async () => {
    const page = await stage.open();
    await say(page, [waiting("states"), call("read_file", { path: "none.txt" })].join("\n"));
    await stage.server.waits("states");
    await page.locator('[data-call][data-state="running"]').waitFor();
    await page.locator('[data-call][data-state="failed"]').waitFor();
    expect(await page.locator("[data-connection]").getAttribute("data-connection")).toBe("live");
    expect(await page.locator("[data-now-line]").count()).toBe(1);
    stage.server.release("states");
    await runsEnd(page);
    await say(page, shell("printf 'one\\ntwo\\n'"));
    await page.locator('[data-call][data-state="approval"] [data-approval]').waitFor();
    const options = await page.locator("[data-approval] button").allTextContents();
    expect(options).toHaveLength(5);
    await allowOnce(page);
    await runsEnd(page, 2);
    await say(page, waiting("stopped"));
    await stage.server.waits("stopped");
    await page.getByRole("button", { name: "Stop", exact: true }).click();
    await runsEnd(page, 3);
    await expect.poll(() => statesIn(page)).toEqual(["done", "failed", "done", "stopped"]);
    await page.close();
  });

  it("is the same after a reload in the middle of a run, in a second tab, and when it is over", async () => {
    const page = await stage.open();
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
    const shown = async (tab: typeof page): Promise<string | null> => {
      await tab.locator("[data-run] strong").waitFor();
      return tab.locator("[data-run]").textContent();
    };
    const live = await shown(other);
    await other.reload();
    await runsEnd(other);
    expect(await shown(other)).toBe(live);
    expect(await shown(page)).toBe(live);
    expect(await endedRows(other, 1)).toEqual(await endedRows(page, 1));
    await Promise.all([page.close(), other.close()]);
  });

  it("can be answered from a second tab, by key", async () => {
    const page = await stage.open();
    await say(page, shell("echo from-the-other-tab"));
    await page.locator("[data-approval]").waitFor();
    const other = await stage.open(new URL(page.url()).pathname);
    await other.locator("[data-approval]").waitFor();
    await other.locator("h1").click();
    await other.keyboard.press("1");
    await runsEnd(page);
    expect(await page.locator("[data-approval]").count()).toBe(0);
    await page.locator("[data-call] summary").first().click();
    await page.getByText("from-the-other-tab").nth(2).waitFor();
    await Promise.all([page.close(), other.close()]);
  });

  it("can be retried, edited, forked, renamed, shared and deleted", async () => {
    const page = await stage.open();
    await page.getByLabel("Model").selectOption("second · rehearsal");
    await say(page, "say first");
    await runsEnd(page);
    await page.getByRole("button", { name: "Retry" }).click();
    await runsEnd(page, 2);
    const before = page.url();
    await page.getByRole("button", { name: "Edit and resend" }).nth(1).click();
    await page.getByRole("textbox", { name: "Edited message" }).fill("say second");
    await page.keyboard.press("Enter");
    await page.waitForURL((url) => url.href !== before);
    await runsEnd(page, 2);
    expect(await page.getByRole("article", { name: "You" }).allTextContents()).toEqual([
      "say first",
      "say second",
    ]);
    await page.getByRole("button", { name: "Rename" }).click();
    await page.getByRole("textbox", { name: "Title" }).fill("A better name");
    await page.keyboard.press("Enter");
    await page.getByRole("link", { name: "A better name" }).waitFor();
    const renamed = page.url();
    await page.getByRole("button", { name: "Fork from here" }).first().click();
    await page.waitForURL((url) => url.href !== renamed);
    await runsEnd(page, 1);
    expect(await page.locator("[data-run]").count()).toBe(1);
    await page.getByRole("button", { name: "Share" }).click();
    await page.getByRole("checkbox", { name: /Everybody/ }).click();
    await page.getByRole("checkbox", { name: /Everybody/, checked: true }).waitFor();
    await page.keyboard.press("Escape");
    await page.getByRole("searchbox", { name: "Search conversations" }).fill("better");
    await page.getByRole("link", { name: "A better name" }).first().click();
    await page.waitForURL(renamed);
    await page.getByRole("button", { name: "Delete", exact: true }).click();
    await page.getByRole("dialog").getByRole("button", { name: "Delete" }).click();
    await page.waitForURL(/\/$/);
    await page.close();
  });
});

describe("the board", () => {
  it("replays what was: every prefix is what the log says, the end is what was live", async () => {
    const page = await stage.open();
    await say(page, [call("list_files", {}), waiting("replay"), "say over"].join("\n"));
    await stage.server.waits("replay");
    const during = page.locator('[data-row][data-state="running"]');
    await during.waitFor();
    stage.server.release("replay");
    await runsEnd(page);
    const live = await endedRows(page, 2);
    await page.getByRole("button", { name: "Replay", exact: true }).click();
    const position = page.getByRole("slider", { name: "Position" });
    await position.waitFor();
    await expect.poll(() => rowsIn(page)).toEqual(live);
    await position.focus();
    await page.keyboard.press("Home");
    await expect.poll(() => rowsIn(page)).toEqual([]);
    const states = new Set<string>();
    for (let step = 0; step < 60 && states.size < 5; step += 1) {
      await page.getByRole("button", { name: "One event on" }).click();
      for (const row of await rowsIn(page)) states.add(row.split(":")[0] ?? "");
    }
    expect(states).toEqual(new Set(["arguments", "queued", "running", "done"]));
    await page.keyboard.press("Home");
    await page.getByRole("button", { name: "Back to live" }).click();
    await expect.poll(() => rowsIn(page)).toEqual(live);
    await page.close();
  });

  it("is used by keyboard: j, k, e, /, Enter, Esc, ?", async () => {
    const page = await stage.open();
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
    await page.close();
  });

  it("opens at a deep link, and asks for a call again with other arguments", async () => {
    const page = await stage.open();
    await say(page, call("read_file", { path: "none.txt" }));
    await runsEnd(page);
    await page.locator("[data-row]").first().click();
    const link = new URL(page.url()).pathname;
    await page.close();
    const opened = await stage.open(link);
    const details = opened.getByRole("region", { name: "Call details" });
    await details.getByRole("tab", { name: "Events" }).click();
    await details.getByText("call.opened").waitFor();
    await details.getByRole("tab", { name: "Input" }).click();
    await details.getByText("Run again with other arguments").click();
    await details.getByLabel("Arguments as JSON").fill('{"path":"notes.md"}');
    await details.getByRole("button", { name: "Run again" }).click();
    await runsEnd(opened, 2);
    await expect.poll(() => statesIn(opened)).toEqual(["failed", "done"]);
    await opened.close();
  });

  it("announces each transition once", async () => {
    const page = await stage.open();
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
    await page.close();
  });
});
