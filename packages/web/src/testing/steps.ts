/** What tests do on a page, and what they read from it. */
import type { Page } from "playwright-core";

/** Says something in the chat. */
export async function say(page: Page, text: string): Promise<void> {
  await page.getByRole("textbox", { name: "Message", exact: true }).fill(text);
  await page.keyboard.press("Enter");
}

const chat = 'section[aria-label="Chat"]';

/** Waits until so many runs of the page are over. */
export async function runsEnd(page: Page, runs = 1): Promise<void> {
  await page
    .locator(`${chat} [data-run][data-status="closed"]`)
    .nth(runs - 1)
    .waitFor();
}

/** The first answer that is offered to the question that stands first. */
export async function allowOnce(page: Page): Promise<void> {
  await page.locator("[data-approval] button").first().click();
}

/** Does something of the menu of a conversation. */
export async function choose(page: Page, name: string): Promise<void> {
  await page.getByRole("button", { name: "More", exact: true }).click();
  await page.getByRole("menuitem", { name }).click();
}

/** Everything that is asked is allowed, until the run is over. */
export async function allowAll(page: Page): Promise<void> {
  const over = page.locator(`${chat} [data-run][data-status="closed"]`);
  const asked = page.locator("[data-approval] button").first();
  for (;;) {
    await over.or(asked).first().waitFor();
    if ((await over.count()) > 0) return;
    const question = await page.locator("[data-approval]").first().getAttribute("data-approval");
    await allowOnce(page);
    await page.locator(`[data-approval="${question}"]`).waitFor({ state: "detached" });
  }
}

/** The states of the calls that the chat shows. */
export async function statesIn(page: Page): Promise<readonly (string | null)[]> {
  return page
    .locator(`${chat} [data-call]`)
    .evaluateAll((calls) => calls.map((call) => call.getAttribute("data-state")));
}

/** What the board shows of every call, once they are all over and there are so many. */
export async function endedRows(page: Page, count: number): Promise<readonly string[]> {
  const ended = page.locator('[data-row]:is([data-state="done"], [data-state="failed"])');
  await ended.nth(count - 1).waitFor();
  return rowsIn(page);
}

/** What the board shows of every call. */
export async function rowsIn(page: Page): Promise<readonly string[]> {
  return page
    .locator("[data-row]")
    .evaluateAll((rows) =>
      rows.map((row) => `${row.getAttribute("data-state")}: ${row.textContent}`),
    );
}

/** What the chat says, run by run; replayed where a replay is shown. What can be done is omitted. */
export async function chatIn(page: Page): Promise<readonly string[]> {
  return page.locator("section[aria-label^='Chat']:visible [data-run]").evaluateAll((runs) =>
    runs.map((run) => {
      const copy = run.cloneNode(true);
      if (!(copy instanceof Element)) return "";
      for (const one of copy.querySelectorAll("[data-actions], [data-approval] :is(label, kbd)"))
        one.remove();
      return copy.textContent ?? "";
    }),
  );
}

/** Gives the page a file where it asks for a recording. */
export async function openRecording(page: Page, name: string, text: string): Promise<void> {
  const chosen = page.waitForEvent("filechooser");
  await page.getByRole("button", { name: "Open a recording" }).click();
  const buffer = Buffer.from(text);
  await (await chosen).setFiles({ name, mimeType: "application/jsonl", buffer });
}

/** What the rehearsed model is told to call. */
export const call = (tool: string, input: object): string =>
  `call ${tool} ${JSON.stringify(input)}`;
export const waiting = (name: string): string => call("wait_for_test", { name });
export const shell = (command: string): string => call("shell", { command });
