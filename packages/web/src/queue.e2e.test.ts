/** Messages that are sent on the page while a run is under way. */
import { expect, it } from "vitest";
import { pageServer, stageOf } from "./testing/stage.js";
import { chatIn, runsEnd, say, waiting } from "./testing/steps.js";

const stage = stageOf(pageServer());

it("wait above the field, come back to be changed, steer the model, and start the next run", async () => {
  const page = await stage.fresh();
  await say(page, [waiting("queue"), "say over"].join("\n"));
  await stage.server.waits("queue");
  const list = page.getByRole("list", { name: "Messages that wait" });
  const field = page.getByRole("textbox", { name: "Message", exact: true });
  await say(page, "say one");
  await list.getByText("say one").waitFor();
  await say(page, "say two");
  await list.getByText("say two").waitFor();
  expect(await list.getByRole("listitem").nth(1).textContent()).toContain("Queued");
  await list.getByRole("listitem").nth(1).getByRole("button", { name: "Edit" }).click();
  await expect.poll(() => field.inputValue()).toBe("say two");
  await expect.poll(() => list.getByRole("listitem").count()).toBe(1);
  await field.fill("say steered");
  await page.getByRole("button", { name: "Send now" }).last().click();
  await list.getByText("Steering").waitFor();
  stage.server.release("queue");
  await runsEnd(page, 2);
  await expect.poll(() => list.count()).toBe(0);
  const said = (await chatIn(page)).join("\n");
  expect(said).toContain("Rehearsal: steered");
  expect(said).toContain("Rehearsal: one");
  expect(said).not.toContain("say two");
  await expect.poll(() => page.getByText(/^Context: [\d,]+ tokens/).count()).toBe(1);
});

it("are taken back with one click", async () => {
  const page = await stage.fresh();
  await say(page, waiting("removed"));
  await stage.server.waits("removed");
  await say(page, "say never");
  await page.getByRole("button", { name: "Remove say never" }).click();
  await expect.poll(() => page.getByText("say never").count()).toBe(0);
  stage.server.release("removed");
  await runsEnd(page);
});
