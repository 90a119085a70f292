/** A call that says nothing, in a browser: the page shows since when, and a rule ends it. */
import { expect, it } from "vitest";
import { pageServer, stageOf } from "./testing/stage.js";
import { call, endedRows, runsEnd, say, waiting } from "./testing/steps.js";

const callRules = [{ tools: ["wait_silently"], silenceTimeoutMs: 500 }];
const stage = stageOf(pageServer({ agents: { strict: { callRules } } }));

it("shows how long a running call has been silent, until it says something", async () => {
  // In a context of its own: time passes there when the test lets it.
  const page = await stage.open("/", { theme: "light" });
  await page.clock.install();
  await say(page, waiting("quiet"));
  await stage.server.waits("quiet");
  const row = page.locator('[data-call][data-state="running"]');
  await row.waitFor();
  expect(await row.textContent()).not.toContain("silent");
  await page.clock.fastForward(60_000);
  await row.getByText(/silent 1 min/).waitFor();
  stage.server.release("quiet");
  await runsEnd(page);
  const [ended] = await endedRows(page, 1);
  expect(ended).not.toContain("silent");
  expect(ended).not.toContain("no sign");
});

it("shows that a call was ended because its tool was silent for too long", async () => {
  const page = await stage.fresh();
  await page.getByLabel("Model").selectOption("strict · rehearsal");
  await say(page, call("wait_silently", { name: "for ever" }));
  await runsEnd(page);
  const [ended] = await endedRows(page, 1);
  expect(ended).toMatch(/^failed: .*timed out/);
  await page.getByText("no sign of the tool for 0.5 s").first().waitFor();
});
