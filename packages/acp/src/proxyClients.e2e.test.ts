/** Real clients in front of the proxy, with recorded agents behind it: each sees the call, its end and its output. */
import { execFile, spawn } from "node:child_process";
import { mkdtemp, rm } from "node:fs/promises";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { builtProgram } from "@callboard/testkit";
import { createACPProvider } from "@mcpc-tech/acp-ai-provider";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { openTalk, type Talk } from "./testing/talk.js";
import { isFinal } from "./updates/sessionUpdate.js";

const require = createRequire(import.meta.url);
const acpx = join(dirname(require.resolve("acpx/package.json")), "dist", "cli.js");
const proxy = builtProgram("packages/acp/dist/testing/proxy-cli.js");
const recorded = builtProgram("packages/acp/dist/testing/recorded-agent-cli.js");

let home = "";
beforeEach(async () => {
  home = await mkdtemp(join(tmpdir(), "callboard-proxy-clients-"));
});
afterEach(async () => {
  await rm(home, { recursive: true, force: true, maxRetries: 3 });
});

const commandOf = (name: string): readonly string[] => [
  ...[process.execPath, ...proxy],
  ...[process.execPath, ...recorded, name],
];

describe("acpx", () => {
  function printed(name: string, permission: string): Promise<string> {
    const agent = commandOf(name).join(" ");
    const args = [acpx, "--cwd", home, permission, "--agent", agent, "exec", "go"];
    const env = { PATH: process.env.PATH, HOME: home };
    return new Promise((resolve) => {
      execFile(process.execPath, args, { env, timeout: 150_000 }, (_, stdout) => resolve(stdout));
    });
  }

  it.each(["claude-shell", "opencode-shell"])("prints the output of %s", async (name) => {
    const stdout = await printed(name, "--approve-all");
    expect(stdout).toMatch(/\[tool\] .*seq 1 160.*\(completed\)/);
    expect(stdout).toContain("line 0001: the quick brown fox jumps over the lazy dog");
    expect(stdout).toContain("[done] end_turn");
  });

  it("prints a denied call of gemini-write-deny as failed, though its agent says nothing more", async () => {
    const stdout = await printed("gemini-write-deny", "--deny-all");
    expect(stdout).toContain("[tool] Writing to out.txt (failed)");
    expect(stdout).toContain("[done] end_turn");
  });
});

describe.each([1, 2] as const)("the library's own client of v%s", (version) => {
  let talk: Talk | undefined;
  afterEach(async () => {
    await talk?.close();
    talk = undefined;
  });

  async function turnOf(command: readonly string[], words: string): Promise<Talk> {
    const [program = "", ...args] = command;
    const { PATH } = process.env;
    const env = { PATH, HOME: home, CALLBOARD_HOME: join(home, "callboard") };
    const started = spawn(program, args, {
      ...{ cwd: home, env },
      stdio: ["pipe", "pipe", "inherit"],
    });
    talk = await openTalk(version, { program: started });
    const sessionId = await talk.newSession({ cwd: home });
    await talk.prompt(sessionId, words);
    return talk;
  }

  it("has a recorded call with its end, and nothing that breaks a rule", async () => {
    const name = version === 1 ? "claude-shell" : "claude-sleep-cancel-v2";
    const editor = await turnOf(commandOf(name), "go");
    const status = version === 1 ? "completed" : "cancelled";
    expect(editor.updates().filter((update) => update.status === status)).toHaveLength(1);
    const violations = editor.check().findings.filter(({ severity }) => severity === "violation");
    expect(violations).toEqual([]);
  });

  it("has the calls of our own agent behind the proxy as without it", async () => {
    const agent = [process.execPath, ...builtProgram("packages/acp/dist/testing/agent-cli.js")];
    const command = [process.execPath, ...proxy, ...agent];
    const work = 'call shell {"command":"echo hi"}\ncall shell {"command":"echo out; exit 4"}';
    const editor = await turnOf(command, work);
    const ends = editor.updates().flatMap(({ status }) => (isFinal(status) ? [status] : []));
    expect(ends).toEqual(["completed", "failed"]);
    expect(editor.check().findings).toEqual([]);
  });
});

describe("acp-ai-provider", () => {
  it.each(["claude-shell", "opencode-shell"])("has the result of the call of %s", async (name) => {
    const [command = "", ...args] = commandOf(name);
    const env = { ACP_PROFILE: "acp-ai-provider" };
    const provider = createACPProvider({
      ...{ command, args, env },
      session: { cwd: home, mcpServers: [] },
    });
    const { stream } = await provider.languageModel().doStream({
      prompt: [{ role: "user", content: [{ type: "text", text: "go" }] }],
    });
    const parts: { readonly type: string; readonly [key: string]: unknown }[] = [];
    for await (const part of stream) parts.push({ ...part });
    provider.cleanup();
    const results = parts.filter(({ type }) => type === "tool-result");
    expect(results).toHaveLength(1);
    expect(JSON.stringify(results)).toContain("line 0160: the quick brown fox");
    expect(parts.at(-1)).toMatchObject({ type: "finish" });
  });
});
