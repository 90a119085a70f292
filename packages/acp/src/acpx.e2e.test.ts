/** A real client, acpx: text and JSON, a session that lives on, a denial, a cancellation. */
import { execFile, spawn } from "node:child_process";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { checkStream } from "@callboard/run-log/checker";
import { builtProgram } from "@callboard/testkit";
import { afterEach, beforeEach, expect, it } from "vitest";
import { protocolSchema } from "./testing/schemas.js";

const require = createRequire(import.meta.url);
const acpx = join(dirname(require.resolve("acpx/package.json")), "dist", "cli.js");
const program = builtProgram("packages/acp/dist/testing/agent-cli.js");

let home = "";
let env: NodeJS.ProcessEnv = {};

beforeEach(async () => {
  home = await mkdtemp(join(tmpdir(), "callboard-acpx-"));
  const { PATH } = process.env;
  env = { PATH, HOME: home, CALLBOARD_HOME: join(home, "callboard") };
});

afterEach(async () => {
  await rm(home, { recursive: true, force: true, maxRetries: 3 });
});

interface Ran {
  readonly code: number;
  readonly stdout: string;
}

/** A session's owner lives until the session is closed: on a slow machine a short time would end it between two prompts. */
const argsOf = (args: readonly string[]): string[] => [
  ...[acpx, "--cwd", home, "--ttl", "600", "--agent", [process.execPath, ...program].join(" ")],
  ...args,
];

function run(args: readonly string[]): Promise<Ran> {
  return new Promise((resolve) => {
    execFile(process.execPath, argsOf(args), { env, timeout: 150_000 }, (error, stdout) => {
      resolve({ code: error ? Number(error.code ?? 1) : 0, stdout });
    });
  });
}

/** Two calls that succeed and one that fails. */
const work = [
  'call write_file {"path":"a.txt","content":"one\\n"}',
  'call shell {"command":"echo hi"}',
  'call shell {"command":"echo out; exit 4"}',
].join("\n");

it("prints what the tools did, and what a failed command printed with its exit code", async () => {
  const { code, stdout } = await run(["--approve-all", "exec", work]);
  expect(code).toBe(0);
  expect(await readFile(join(home, "a.txt"), "utf8")).toBe("one\n");
  expect(stdout).toContain("[tool] Write a.txt (completed)");
  expect(stdout).toMatch(/\[tool\] Run echo hi \(completed\)\n(?: {2}.*\n)* {2}output:\n {4}hi\n/);
  expect(stdout).toMatch(
    /\[tool\] Run echo out; exit 4 \(failed\)\n(?: {2}.*\n)* {2}output:\n {4}out\n\s*exit code 4\n/,
  );
  expect(stdout).toContain("[done] end_turn");
});

it("gives a talk without a fault as JSON, valid by the schema, with the tokens of the turn", async () => {
  const { code, stdout } = await run(["--approve-all", "--format", "json", "exec", work]);
  expect(code).toBe(0);
  const report = checkStream(stdout, { dialect: "acp" });
  expect(report.calls).toBe(3);
  // This client does not merge updates: title and kind are sent with each on purpose, which is a suspicion.
  const told = report.findings.map(({ severity, rule }) => `${severity} ${rule}`);
  expect(new Set(told)).toEqual(new Set(["suspicion unchanged-field"]));
  const { lineProblemOf } = protocolSchema(1);
  const updates = stdout.split("\n").filter((line) => line.includes('"session/update"'));
  expect(updates.map(lineProblemOf).filter((problem) => problem !== undefined)).toEqual([]);
  const ends = stdout
    .split("\n")
    .filter((line) => line.includes('"stopReason"'))
    .map((line) => JSON.parse(line).result);
  expect(ends).toEqual([
    {
      stopReason: "end_turn",
      usage: expect.objectContaining({ totalTokens: expect.any(Number) }),
    },
  ]);
});

it("is told of a denial as a failure", async () => {
  const { stdout } = await run(["--deny-all", "exec", 'call shell {"command":"echo hi"}']);
  expect(stdout).toContain("[tool] Run echo hi (failed)");
  expect(stdout).toContain("[done] end_turn");
});

it("continues with a session, and stops it", async () => {
  try {
    expect((await run(["sessions", "new"])).code).toBe(0);
    expect((await run(["prompt", "say first"])).stdout).toContain("Rehearsal: first");
    const { stdout, code } = await cancelled('call shell {"command":"echo started; sleep 30"}');
    expect(code).toBe(0);
    expect(stdout).toContain("(failed)");
    expect(stdout).toContain("[done] cancelled");
    expect((await run(["prompt", "say again"])).stdout).toContain("Rehearsal: again");
  } finally {
    // The owner of the session is a process that lives on.
    await run(["sessions", "close"]);
  }
});

/** Prompts, and cancels when the command's terminal is up. */
function cancelled(prompt: string): Promise<Ran> {
  return new Promise((resolve) => {
    const child = spawn(process.execPath, argsOf(["--approve-all", "prompt", prompt]), { env });
    let stdout = "";
    let isAsked = false;
    child.stdout.on("data", (chunk: Buffer) => {
      stdout += chunk.toString("utf8");
      if (isAsked || !stdout.includes("terminal/wait_for_exit")) return;
      isAsked = true;
      void run(["cancel"]);
    });
    child.once("close", (code) => resolve({ code: code ?? 1, stdout }));
  });
}
