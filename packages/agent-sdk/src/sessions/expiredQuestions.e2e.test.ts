/** Questions that expire in a session of files while no process has it: the next agent ends their calls. */
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { z } from "zod";
import { Agent } from "../agent.js";
import { consoleLogger } from "../system/loggers.js";
import { systemClock } from "../system/systemClock.js";
import { createUserQuestions } from "../tools/askUser.js";
import { defineTool } from "../tools/defineTool.js";
import { createFileSessionStore } from "./fileSessionStore.js";

let home = "";
beforeEach(async () => {
  home = await mkdtemp(join(tmpdir(), "callboard-expired-"));
});
afterEach(() => rm(home, { recursive: true, force: true }));

const hour = 3_600_000;

it("an approval and a question that expired in between end their calls, and nothing runs", async () => {
  const paid: string[] = [];
  const ends: unknown[] = [];
  const pay = defineTool({
    ...{ name: "pay", description: "Pays.", kind: "execute", needsApproval: true },
    concurrency: "safe",
    input: z.object({ to: z.string() }),
    run({ to }) {
      paid.push(to);
      return `paid ${to}`;
    },
  });
  const opened = (lateMs: number): Promise<Agent> => {
    const clock = { ...systemClock, now: () => systemClock.now() + lateMs };
    return Agent.create({
      ...{ model: "rehearsal", sessionId: "s1", workdir: home, parkAfterMs: 0, clock },
      env: { CALLBOARD_HOME: home },
      store: createFileSessionStore({ home, clock, logger: consoleLogger }),
      tools: [pay, createUserQuestions({ timeoutMs: hour }).tool],
      approval: { timeoutMs: hour },
      callbacks: {
        onToolBlockUpdated(params) {
          if (params.stage === "end") ends.push([params.name, params.success, params.error]);
        },
      },
    });
  };
  const first = await opened(0);
  const message = 'call pay {"to":"ada"}\ncall ask_user {"question":"Why?"}';
  const sent = await first.sendMessage(message, { runId: "run-1" });
  expect(sent).toMatchObject({ outcome: "parked", questions: [{}, {}] });
  await first.destroy();
  expect(ends).toEqual([]);
  const second = await opened(2 * hour);
  expect(await second.continueRun("run-1")).toMatchObject({ outcome: "ok" });
  await second.destroy();
  expect(paid).toEqual([]);
  expect(ends).toHaveLength(2);
  expect(ends).toEqual(
    expect.arrayContaining([
      ["pay", false, expect.stringContaining("No answer came in time.")],
      ["ask_user", false, expect.stringContaining("no result within 3600 s")],
    ]),
  );
});
