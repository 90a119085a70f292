/** The dialogue in plain lines, in a real pseudo terminal: for screen readers and dumb terminals. */
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { Agent, systemClock } from "@callboard/agent-sdk";
import { createRehearsalModel } from "@callboard/agent-sdk/testing";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { createTestPlace, type TestPlace } from "../testing/program.js";
import { startInTerminal } from "../testing/pseudoTerminal.js";

let place: TestPlace;
beforeEach(() => {
  place = createTestPlace();
});
afterEach(() => place.remove());

describe.each([
  ["a screen reader", ["--screen-reader"], {}],
  ["a dumb terminal", [], { TERM: "dumb" }],
])("%s", (_, args, env) => {
  it("is told every transition once, in words, and nothing is redrawn", async () => {
    const size = { columns: 100, rows: 40 };
    const run = startInTerminal(place, args, { ...size, env: { NO_COLOR: "1", ...env } });
    await run.untilShown("Ready:");
    run.type('call shell {"command":"echo hi"}\n');
    await run.untilShown("Type a letter and Enter");
    run.type("y\n");
    await run.untilShown("— done");
    run.type('call ask_user {"question":"Which colour?","choices":["red","green"]}\n');
    await run.untilShown("Type the answer and Enter; /decline declines.");
    run.type("blue\n");
    await run.untilShown("Not answered: answer: give one of red, green.");
    run.type("2\n");
    await run.untilShown("done: Asked");
    run.type("/quit\n");
    expect(await run.ended).toBe(0);
    const told = run.terminal.lines().map((line) => line.replaceAll(/\d+\.\d s/g, "0.0 s"));
    const transitions = told.filter((line) => /^(Wants|Running|Asking|done:)/.test(line));
    expect(transitions).toEqual([
      "Wants to run echo hi: waiting for approval",
      "Running echo hi: running",
      expect.stringMatching(/^done: Ran echo hi · exit 0 · 1 line · 0\.0 s/),
      "Asking Which colour?: waiting for you",
      expect.stringMatching(/^done: Asked Which colour\? · answer: green/),
    ]);
    expect(run.written()).not.toContain("\u001b");
  });
});

it("a question of a session that was left is asked again, and the answer runs its call once", async () => {
  const agent = await Agent.create({
    model: createRehearsalModel({ clock: systemClock }),
    env: place.env,
    workdir: place.workdir,
    sessionId: "left",
    parkAfterMs: 0,
  });
  const left = await agent.sendMessage('call shell {"command":"echo once >> ran.txt"}\nsay over');
  expect(left.outcome).toBe("parked");
  await agent.destroy();
  const env = { NO_COLOR: "1", TERM: "dumb" };
  const run = startInTerminal(place, ["--resume", "left"], { columns: 100, rows: 40, env });
  await run.untilShown("Type a letter and Enter");
  run.type("y\n");
  await run.untilShown("— done");
  run.type("/quit\n");
  expect(await run.ended).toBe(0);
  expect(readFileSync(join(place.workdir, "ran.txt"), "utf8")).toBe("once\n");
});

it("the program's own commands say what they say, and none of them reaches the model", async () => {
  const args = ["--deny", "shell(rm *)"];
  const env = { NO_COLOR: "1", TERM: "dumb" };
  const run = startInTerminal(place, args, { columns: 100, rows: 60, env });
  await run.untilShown("Ready:");
  const answers: readonly (readonly [string, string])[] = [
    ["/help", "!command"],
    ["/tools", "delegate"],
    ["/rules", "deny  shell(rm *)"],
    ["/model rehearsal", "Model: rehearsal"],
    ["/model nobody:nothing", "nobody"],
    ["/cost", "0 tokens in, 0 out"],
    ["/resume", "There are no sessions here yet."],
    ["/export log.jsonl", "log.jsonl"],
    ["/modle", "there is no command /modle: did you mean /model?"],
    ["/nothing", "there is no command /nothing: see /help"],
  ];
  for (const [command, answer] of answers) {
    run.type(`${command}\n`);
    await run.untilShown(answer);
  }
  run.type("/quit\n");
  expect(await run.ended).toBe(0);
  const shown = run.terminal.lines().join("\n");
  expect(shown).toMatch(/write_file +Write a whole UTF-8 text file/);
  expect(shown).toMatch(/shell .*\n?.*\(asks\)/);
  expect(shown).not.toContain("— done");
});

it("asks after kill -9 whether a call runs again, and offers no other arguments for it", async () => {
  const folder = join(place.env.XDG_CONFIG_HOME ?? "", "callboard");
  const ran = join(place.workdir, "ran.txt");
  mkdirSync(folder, { recursive: true });
  const callRules = [{ tools: ["shell"], onInterrupted: "ask" }];
  writeFileSync(join(folder, "config.json"), JSON.stringify({ allow: ["shell"], callRules }));
  const options = { columns: 100, rows: 40, env: { NO_COLOR: "1", TERM: "dumb" } };
  const killed = startInTerminal(place, [], options);
  await killed.untilShown("Ready:");
  killed.type('call shell {"command":"echo ran >> ran.txt; sleep 600"}\n');
  await expect.poll(() => existsSync(ran) && readFileSync(ran, "utf8")).toBe("ran\n");
  killed.kill();
  await killed.ended;
  const run = startInTerminal(place, ["-c"], options);
  await run.untilShown("May it run again?");
  await run.untilShown("Type a letter and Enter; after m a reason may follow.");
  run.type("n\n");
  await run.untilShown("It was not run again");
  await run.untilShown("— done");
  run.type("/quit\n");
  expect(await run.ended).toBe(0);
  expect(readFileSync(ran, "utf8")).toBe("ran\n");
});
