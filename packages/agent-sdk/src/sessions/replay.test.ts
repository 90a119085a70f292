/** What is replayed from a file is what was live, to the letter. */
import { formatEventLine, type RunEvent } from "@callboard/run-log";
import { afterEach, beforeEach, expect, it } from "vitest";
import { z } from "zod";
import { Agent } from "../agent.js";
import { defineTool } from "../tools/defineTool.js";
import { createTestHome, type TestHome } from "./testing/testHome.js";

let home: TestHome;
beforeEach(async () => {
  home = await createTestHome({ flush: "never" });
});
afterEach(() => home.remove());

const look = defineTool({
  name: "look",
  description: "looks",
  kind: "read",
  title: "Looking at {{at}}",
  input: z.object({ at: z.string(), deep: z.record(z.string(), z.number()) }),
  run({ at }, context) {
    context.step("one", { z: 1, a: 2 });
    context.output("half ");
    if (at === "nothing") throw new Error("there is nothing");
    const images = [{ data: "UElDVA==" }];
    return { summary: "seen", output: { z: [], a: at }, images, metadata: { z: 0, b: 1 } };
  },
});

it("gives a session's lines back as they were streamed", async () => {
  const agent = await Agent.create({
    model: "rehearsal",
    tools: [look],
    store: home.store,
    sessionId: "live",
    env: { CALLBOARD_HOME: home.home },
  });
  const live: RunEvent[] = [];
  const reading = (async () => {
    for await (const event of agent.events()) live.push(event);
  })();
  await agent.sendMessage(
    'think a while\ncall look {"deep":{"z":1,"a":2},"at":"here"}\ncall look {"at":"nothing","deep":{}}',
  );
  await agent.runTool("look", { at: "there", deep: {} });
  await agent.destroy();
  await reading;
  const log = await home.store.open("live");
  const replayed: RunEvent[] = [];
  for (const runId of await log.runIds()) replayed.push(...(await log.read(runId, { after: 0 })));
  await log.close();
  const types = new Set(live.map(({ type }) => type));
  expect(types.has("call.closed") && types.has("call.run.progressed")).toBe(true);
  expect(replayed.map(formatEventLine).join("")).toBe(live.map(formatEventLine).join(""));
});
