/** What depends on the size of the terminal, in real pseudo terminals from very small to large: one walk in each. */
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { type FakeProvider, startFakeProvider } from "@callboard/testkit";
import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from "vitest";
import { widthOf } from "../door/textWidth.js";
import { createTestPlace, type TestPlace } from "../testing/program.js";
import { startInTerminal } from "../testing/pseudoTerminal.js";

let provider: FakeProvider;
let place: TestPlace;
beforeAll(async () => {
  provider = await startFakeProvider();
});
afterAll(() => provider.close());
beforeEach(() => {
  place = createTestPlace();
});
afterEach(() => place.remove());

const endOfInput = "\u0004";
const expand = "\u000f";
const call = (id: string, name: string, input: object) => ({
  call: { id, name, pieces: [JSON.stringify(input)] },
});

const large = {
  hint: "Ask for something",
  waiting: "waiting for the model · ",
  approval: ["? Wants to write. May it run?", "  overwrites made.txt: +1 −1"],
  question: ["? The agent asks you", "  Which colour?"],
  howTo: "  Press a number, Esc declines",
};
const sizes = [
  {
    ...{ columns: 20, rows: 8, hint: "Ask for somethin…", waiting: "waiting · " },
    approval: ["? Writing made.txt", "  overwrites"],
    keys: "  y yes, n no",
    hasWholeDiff: false,
    question: ["? Which colour?"],
    howTo: "  Press 1-3 or Esc",
  },
  {
    ...{ ...large, columns: 40, rows: 15, hasWholeDiff: true },
    approval: ["? Writing made.txt", "  overwrites made.txt: +1 −1"],
    keys: "  y yes, s session, a always, n no",
  },
  {
    ...{ ...large, columns: 80, rows: 24, hasWholeDiff: true },
    keys: "  [y] yes, once   [s] yes, in this session",
  },
  {
    ...{ ...large, columns: 120, rows: 40, hasWholeDiff: true },
    keys: "  [y] yes, once   [s] yes, in this session   [a] yes, always: write_file(made.txt)   [n] no",
  },
];

it.each(sizes)("at $columns × $rows everything that must be seen is in sight", async (expected) => {
  const { columns, rows } = expected;
  let answer: () => void = () => undefined;
  const until = new Promise<void>((resolve) => {
    answer = resolve;
  });
  writeFileSync(join(place.workdir, "made.txt"), "one\ntwo\nthree\n");
  const content = "one\n漢字\nthree\n";
  const words = "# Plan\n\nIt is **bold** with `code`.\n\n";
  const choices = ["red", "green", "blue"];
  const address = provider.address(
    {
      steps: [{ until }, { text: words }, call("c1", "write_file", { path: "made.txt", content })],
    },
    { steps: [call("c2", "ask_user", { question: "Which colour?", choices })] },
    { steps: [{ text: "Written: 漢字." }] },
  );
  for (const title of ["say one", "say two"]) await place.run(["-p", title]);

  const env = { OPENAI_BASE_URL: address, CALLBOARD_CONTEXT_WINDOW: "200000" };
  const run = startInTerminal(place, ["-r", "--model", "openai:test"], { columns, rows, env });
  const screen = (): readonly string[] => run.terminal.lines().slice(-rows);

  // The picker.
  await run.untilShown("Which one?");
  expect(screen().filter((line) => /^ +\d .*say (one|two)/.test(line))).toHaveLength(2);
  run.type("one\r");
  await run.untilShown("> say one");
  await run.untilShown(expected.hint);

  // A sign of life with the time, from the first moment.
  run.type("write 漢字\r");
  await run.untilShown(expected.waiting);
  const [waiting = ""] = screen().filter((line) => line.includes(expected.waiting));
  expect(waiting).toMatch(/ · \d+\.\d s/);
  answer();

  // The approval with what the edit changes.
  await expect.poll(screen).toContain(expected.keys);
  for (const line of expected.approval) expect(screen()).toContain(line);
  const hasDiff = () => screen().some((line) => line.endsWith("+ 漢字"));
  expect(hasDiff()).toBe(expected.hasWholeDiff);
  if (!expected.hasWholeDiff) {
    run.type(expand);
    await run.untilShown("+ 漢字");
    run.type(expand);
    await run.untilShown("collapsed");
    await expect.poll(screen).toContain(expected.keys);
  }
  run.type("a");

  // The question of the model with all its choices.
  await expect.poll(screen).toContain(expected.howTo);
  const offered = choices.map((choice, index) => `  [${index + 1}] ${choice}`);
  for (const line of [...expected.question, ...offered]) expect(screen()).toContain(line);
  run.type("2");
  await run.untilShown("Written: 漢字.");
  await expect.poll(() => screen().join("\n")).toContain(expected.hint);
  expect(readFileSync(join(place.workdir, "made.txt"), "utf8")).toBe(content);
  const shown = run.terminal.lines();
  expect(shown.filter((line) => /✓ Wrote made\.txt/.test(line))).toHaveLength(1);

  // Markdown without its signs.
  expect(shown).toContain("Plan");
  expect(shown.join("\n")).toMatch(/It is bold\s+with\s+code\./);

  // The commands.
  run.type("/rules\r");
  await run.untilShown("/rules rm");
  const told = () => run.terminal.lines().join("").replaceAll(/\s+/g, "");
  expect(told()).toContain("1allowwrite_file(made.txt)");
  expect(told()).toContain("approvals.jsonl");
  run.type("/context\r");
  await run.untilShown("░");
  await run.untilShown("system prompt");
  run.type(endOfInput);
  expect(await run.ended).toBe(0);
  const lines = run.terminal.lines();
  expect(lines.filter((line) => widthOf(line) > columns)).toEqual([]);
  expect(lines.slice(-3).join("")).toMatch(/To continue: callboard -r [\da-f]{8}$/);
  // The terminal is given back first: what follows are plain lines.
  expect(run.written().split("\u001b[?2004l").at(-1)).toContain("To continue: callboard -r");
});
