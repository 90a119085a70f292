/** Each kind of question, answered in the program in a real pseudo terminal. `docs/questions.md` shows the table. */
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { builtProgram } from "@callboard/testkit";
import { afterEach, beforeEach, expect, it } from "vitest";
import { createTestPlace, type TestPlace } from "../testing/program.js";
import { startInTerminal } from "../testing/pseudoTerminal.js";

let place: TestPlace;
beforeEach(() => {
  place = createTestPlace();
});
afterEach(() => place.remove());

const size = { columns: 100, rows: 40 } as const;
const mcpServer = builtProgram("packages/agent-sdk/src/mcp/testing/stdio-server-cli.js");
const endOfInput = "\u0004";
const askUser = (asked: object): string => `call ask_user ${JSON.stringify(asked)}\r`;

it("takes changed arguments, words, a form and more turns, each once", async () => {
  const run = startInTerminal(place, ["--max-turns", "2"], size);
  await run.untilShown("Ask for something");

  run.type('call shell {"command":"echo asked >> ran.txt"}\r');
  await run.untilShown("[e] edit, then run");
  run.type("e");
  await run.untilShown("Change the arguments; Enter runs the call with them");
  // The arguments end with `asked >> ran.txt"}`.
  run.type(`${"\u007f".repeat('asked >> ran.txt"}'.length)}changed >> ran.txt"}\r`);
  await run.untilShown("Ran echo changed >> ran.txt");
  expect(readFileSync(join(place.workdir, "ran.txt"), "utf8")).toBe("changed\n");

  run.type(askUser({ question: "Why?" }));
  await run.untilShown("Write an answer and Enter, Esc declines");
  run.type("because\r");
  await run.untilShown("Asked Why? · answer: because");

  const properties = { name: { type: "string" }, age: { type: "integer" } };
  const form = { type: "object", properties, required: ["name", "age"] };
  run.type(askUser({ question: "Who?", form }));
  await run.untilShown("age: integer, required");
  run.type("name: Ada\\\rage: many\r");
  await run.untilShown("Not answered: ");
  run.type(`${"\u007f".repeat("many".length)}36\r`);
  await run.untilShown('Asked Who? · answer: {"name":"Ada","age":36}');

  // Three turns: the third is asked for.
  const look = 'call list_files {"path":"."}';
  run.type(`\u001b[200~${look}\nsay between\n${look}\nsay the third turn\u001b[201~\r`);
  await run.untilShown("more: 2");
  await run.untilShown("[y] yes, once");
  run.type("y");
  await run.untilShown("Rehearsal: the third turn");
  run.type(endOfInput);
  expect(await run.ended).toBe(0);
  const ended = run.terminal.lines().filter((line) => line.startsWith("✓"));
  expect(ended).toEqual([
    expect.stringContaining("Ran echo changed >> ran.txt · changed from echo asked >> ran.txt"),
    expect.stringContaining("Asked Why?"),
    expect.stringContaining("Asked Who?"),
    ...["Listed", "Listed", "Allowed more turns"].map((words) => expect.stringContaining(words)),
  ]);
});

it("fills the form of an MCP server, and declines it", async () => {
  const folder = join(place.env.XDG_CONFIG_HOME ?? "", "callboard");
  mkdirSync(folder, { recursive: true });
  const test = { command: process.execPath, args: [...mcpServer] };
  const config = { allow: ["mcp__test__*"], mcpServers: { test } };
  writeFileSync(join(folder, "config.json"), JSON.stringify(config));
  const run = startInTerminal(place, [], size);
  await run.untilShown("Ask for something");
  run.type("call mcp__test__ask {}\r");
  await run.untilShown("The MCP server test asks: Who flies?");
  await run.untilShown("name: string, required");
  run.type("name: Ada\r");
  await run.untilShown('· answer: {"name":"Ada"}');
  await run.untilShown("— done");
  run.type("\u001b[200~call mcp__test__ask {}\nsay more\u001b[201~\r");
  await run.untilShown("Esc declines");
  run.type("\u001b");
  await run.untilShown("The user declined to answer.");
  await run.untilShown("Rehearsal: more");
  run.type(endOfInput);
  expect(await run.ended).toBe(0);
  const told = readdirSync(place.home, { recursive: true, encoding: "utf8" })
    .filter((name) => name.endsWith(".jsonl"))
    .map((name) => readFileSync(join(place.home, name), "utf8"));
  const ends = told.join("").match(/\{\\"action\\".*?\}(?=")/g);
  expect(ends).toEqual([
    '{\\"action\\":\\"accept\\",\\"content\\":{\\"name\\":\\"Ada\\"}}',
    '{\\"action\\":\\"decline\\"}',
  ]);
});

it("shows that an approval and a question of the model have expired, and runs nothing", async () => {
  const env = { CALLBOARD_APPROVAL_TIMEOUT: "0.01" };
  const run = startInTerminal(place, [], { ...size, env });
  await run.untilShown("Ask for something");
  run.type('call shell {"command":"echo ran >> ran.txt"}\r');
  await run.untilShown("Could not run echo ran >> ran.txt: No answer came in time. · denied");
  await run.untilShown("— done");
  run.type(askUser({ question: "Why?" }));
  await run.untilShown("Could not ask Why?: no result within");
  run.type(endOfInput);
  expect(await run.ended).toBe(0);
  expect(existsSync(join(place.workdir, "ran.txt"))).toBe(false);
});

it.each([
  ["y", "ran\nran\n", "Ran echo ran"],
  ["n", "ran\n", "It was not run again"],
])("asks after kill -9 whether a call runs again, and takes %s once", async (key, ran, shown) => {
  const text = (name: string): string => {
    const path = join(place.workdir, name);
    return existsSync(path) ? readFileSync(path, "utf8") : "";
  };
  const folder = join(place.env.XDG_CONFIG_HOME ?? "", "callboard");
  mkdirSync(folder, { recursive: true });
  const callRules = [{ tools: ["shell"], onInterrupted: "ask" }];
  writeFileSync(join(folder, "config.json"), JSON.stringify({ allow: ["shell"], callRules }));

  const killed = startInTerminal(place, [], size);
  await killed.untilShown("Ask for something");
  killed.type('call shell {"command":"echo ran >> ran.txt; test -e go || sleep 600"}\r');
  await expect.poll(() => text("ran.txt")).toBe("ran\n");
  killed.kill();
  expect(await killed.ended).not.toBe(0);

  writeFileSync(join(place.workdir, "go"), "");
  const run = startInTerminal(place, ["-c"], size);
  await run.untilShown("May it run again?");
  await run.untilShown("whether it had its effect is not known");
  await run.untilShown("[y] yes, run it again");
  // Nothing runs before the answer.
  expect(text("ran.txt")).toBe("ran\n");
  run.type(key);
  await run.untilShown(shown);
  await run.untilShown("— done");
  run.type(endOfInput);
  expect(await run.ended).toBe(0);
  expect(text("ran.txt")).toBe(ran);
  const again = await place.run(["-c", "-p", "say later"]);
  expect(again.stdout).toContain("later");
  expect(text("ran.txt")).toBe(ran);
});
