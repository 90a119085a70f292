/** What a project's configuration brings to a run: hooks, named agents and MCP servers, once the folder is trusted. */
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { builtProgram, type FakeProvider, startFakeProvider } from "@callboard/testkit";
import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from "vitest";
import { createTestPlace, type TestPlace } from "../testing/program.js";

let provider: FakeProvider;
let place: TestPlace;
beforeAll(async () => {
  provider = await startFakeProvider();
});
afterAll(() => provider.close());
beforeEach(() => {
  place = createTestPlace();
  mkdirSync(join(place.workdir, ".callboard/agents"), { recursive: true });
});
afterEach(() => place.remove());

function write(path: string, content: object | string): void {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, typeof content === "string" ? content : JSON.stringify(content));
}
const project = (content: object): void =>
  write(join(place.workdir, ".callboard/config.json"), content);
const trust = (): void =>
  write(join(String(place.env.XDG_CONFIG_HOME), "callboard/config.json"), {
    trustedFolders: [place.workdir],
  });
const call = (id: string, name: string, input: object) => ({
  call: { id, name, pieces: [JSON.stringify(input)] },
});
const run = (address: string, ...flags: readonly string[]) =>
  place.run(["-p", "--model", "openai:test", ...flags, "go"], {
    env: { OPENAI_BASE_URL: address },
  });

it("a command hook denies a call, adds context, and denies where it gives no answer in time", async () => {
  const answering = (answer: object): string => `echo '${JSON.stringify(answer)}'`;
  const hooks = [
    {
      ...{ on: "beforeCall", tools: ["shell"] },
      command: answering({ decision: "deny", reason: "not on Fridays" }),
    },
    { on: "beforeCall", tools: ["list_files"], command: "sleep 600", timeout: 0.2 },
    { on: "promptSubmit", command: answering({ context: "It is Friday." }) },
  ];
  project({ hooks });
  const address = provider.address(
    { steps: [call("c1", "shell", { command: "touch ran" }), call("c2", "list_files", {})] },
    { steps: [{ text: "denied" }] },
    { steps: [call("c3", "shell", { command: "touch ran" })] },
    { steps: [{ text: "allowed" }] },
  );
  trust();
  expect(await run(address, "--allow", "shell(*)")).toMatchObject({
    ...{ exitCode: 0, stdout: "denied\n" },
  });
  const [asked = "", told = ""] = provider.bodies(address);
  expect(asked).toContain("It is Friday.");
  expect(told).toContain("not on Fridays");
  expect(told).toContain("it gave no answer within 0.2 s");
  expect(readdirSync(place.workdir)).toEqual([".callboard"]);
  project({});
  expect(await run(address, "--allow", "shell(*)")).toMatchObject({ stdout: "allowed\n" });
  expect(readdirSync(place.workdir)).toEqual([".callboard", "ran"]);
});

it("command hooks judge the calls of a nested agent, change them, and keep an account", async () => {
  const account = join(place.home, "account.jsonl");
  const gate = [
    "read line",
    'case "$line" in',
    `*"npm install"*) echo '{"input":{"command":"echo locked"},"reason":"use the lockfile"}';;`,
    `*forbidden*) echo '{"decision":"deny","reason":"house rule"}';;`,
    `*unsure*) echo '{"decision":"ask","reason":"a person looks"}';;`,
    "esac",
  ].join("\n");
  project({
    hooks: [
      { on: "beforeCall", name: "gate", tools: ["shell"], command: gate },
      { on: "afterCall", name: "account", tools: ["shell"], command: `cat >> '${account}'` },
    ],
  });
  trust();
  const commands = ["npm install", "touch forbidden", "touch unsure"];
  const calls = commands.map((command, index) => call(`n${index}`, "shell", { command }));
  const address = provider.address(
    { steps: [call("c1", "delegate", { task: "install it" })] },
    { steps: calls },
    { steps: [{ text: "installed" }] },
    { steps: [{ text: "done" }] },
  );
  mkdirSync(place.home, { recursive: true });
  const ended = await run(address, "--allow", "shell(*)", "--output-format", "stream-json");
  expect(ended.exitCode).toBe(0);
  const [, , told = ""] = provider.bodies(address);
  expect(told).toContain("locked");
  expect(told).toContain("The hook gate denied this call: house rule");
  expect(told).toContain("The hook gate asks for it, also where a rule allows the call.");
  expect(readdirSync(place.workdir)).toEqual([".callboard"]);
  const kept = readFileSync(account, "utf8").trimEnd().split("\n");
  expect(kept.map((line) => JSON.parse(line))).toMatchObject([
    { outcome: "ok", parentCallId: "c1", input: { command: "echo locked" } },
    { outcome: "denied", parentCallId: "c1", input: { command: commands[1] } },
    { outcome: "denied", parentCallId: "c1", input: { command: commands[2] } },
  ]);
  const said = ended.stdout.split("\n").filter((line) => line.includes('"type":"hook"'));
  expect(said.map((line) => JSON.parse(line))).toMatchObject([
    { hook: "gate", moment: "beforeCall", reason: "use the lockfile" },
    { hook: "gate", moment: "beforeCall", decision: "deny", reason: "house rule" },
    { hook: "gate", moment: "beforeCall", decision: "ask", reason: "a person looks" },
  ]);
});

it("a named agent does a task with its own prompt, model and tools", async () => {
  write(
    join(place.workdir, ".callboard/agents/tester.md"),
    "---\ndescription: Runs the tests\ntools: read_file\nmodel: openai:inner\n---\nYou test, and nothing else.",
  );
  trust();
  const task = call("c1", "delegate", { agent: "tester", task: "test it" });
  const address = provider.address(
    { steps: [task] },
    { steps: [{ text: "all tests pass" }] },
    { steps: [{ text: "done" }] },
  );
  expect(await run(address)).toMatchObject({ exitCode: 0, stdout: "done\n" });
  const [first = "", second = "", third = ""] = provider.bodies(address);
  expect(first).toContain("Runs the tests");
  const { model, messages, tools } = JSON.parse(second);
  expect(model).toBe("inner");
  expect(JSON.stringify(messages)).toContain("You test, and nothing else.");
  expect(JSON.stringify(messages)).toContain("test it");
  expect(tools.map((tool: { function: { name: string } }) => tool.function.name)).toEqual([
    "read_file",
  ]);
  expect(third).toContain("all tests pass");
});

it("an MCP server of the project is started only where the folder is trusted", async () => {
  const args = [...builtProgram("packages/agent-sdk/src/mcp/testing/stdio-server-cli.js")];
  project({ mcpServers: { docs: { command: process.execPath, args } } });
  const address = provider.address(
    { steps: [{ text: "nothing there" }] },
    { steps: [call("c1", "mcp__docs__echo", { text: "from the project" })] },
    { steps: [{ text: "used" }] },
  );
  const untrusted = await run(address);
  expect([untrusted.exitCode, untrusted.stdout]).toEqual([0, "nothing there\n"]);
  expect(untrusted.stderr).toContain("mcpServers. This folder is not trusted.");
  trust();
  expect(await run(address, "--allow", "mcp__docs__echo")).toMatchObject({
    ...{ exitCode: 0, stdout: "used\n" },
  });
  const [before = "", after = "", answered = ""] = provider.bodies(address);
  expect(before).not.toContain("mcp__docs__echo");
  expect(after).toContain("mcp__docs__echo");
  expect(answered).toContain("from the project");
});
