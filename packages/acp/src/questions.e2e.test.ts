/** Each kind of question of `callboard acp`, answered by the library's own client. `docs/questions.md` shows the table. */
import { type ChildProcess, spawn } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { JsonObject } from "@callboard/run-log";
import { builtProgram } from "@callboard/testkit";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { EditorOptions, FilledForm } from "./testing/editor.js";
import { openTalk, type Talk } from "./testing/talk.js";

let cwd = "";
let talk: Talk | undefined;
let program: ChildProcess | undefined;
beforeEach(async () => {
  cwd = await mkdtemp(join(tmpdir(), "callboard-editor-"));
});
afterEach(async () => {
  await talk?.close();
  talk = undefined;
  await rm(cwd, { recursive: true, force: true, maxRetries: 5 });
});

const mcpServer = builtProgram("packages/agent-sdk/src/mcp/testing/stdio-server-cli.js");
const never = (): Promise<never> => new Promise(() => undefined);
const command = 'call shell {"command":"echo ran >> ran.txt"}';
const look = 'call list_files {"path":"."}';
const askUser = (asked: object): string => `call ask_user ${JSON.stringify(asked)}`;
const form = { type: "object", properties: { name: { type: "string" } }, required: ["name"] };

describe.each([1, 2] as const)("an editor of v%s", (version) => {
  async function opened(
    options: EditorOptions,
    more: Readonly<Record<string, string>> = {},
  ): Promise<Talk> {
    const { PATH } = process.env;
    const env = { PATH, HOME: cwd, CALLBOARD_HOME: join(cwd, "home"), ...more };
    const args = [...builtProgram("packages/code/dist/callboard-cli.js"), "acp"];
    const started = spawn(process.execPath, args, {
      ...{ cwd, env },
      stdio: ["pipe", "pipe", "inherit"],
    });
    program = started;
    talk = await openTalk(version, {
      ...{ program: started, capabilities: { elicitation: { form: {} } } },
      ...options,
    });
    return talk;
  }

  /** How the last call of the session ended. */
  const lastEnd = (told: Talk): JsonObject =>
    told.updates().findLast(({ status }) => status === "completed" || status === "failed") ?? {};

  it("allows, denies, chooses, writes words, fills a form, declines and allows more turns", async () => {
    let choice = "allow_once";
    let filled: FilledForm = { action: "decline" };
    const asked: string[] = [];
    const editor = await opened(
      {
        choose(params) {
          asked.push(JSON.stringify(params));
          return choice;
        },
        elicit(params) {
          asked.push(String(params.message));
          return filled;
        },
      },
      { CALLBOARD_MAX_TURNS: "2" },
    );
    const sessionId = await editor.newSession({ cwd });
    const ran = (): string => readFileSync(join(cwd, "ran.txt"), "utf8");

    await editor.prompt(sessionId, command);
    expect([ran(), lastEnd(editor).status]).toEqual(["ran\n", "completed"]);
    choice = "reject_once";
    await editor.prompt(sessionId, command);
    expect([ran(), lastEnd(editor).status]).toEqual(["ran\n", "failed"]);
    expect(asked).toEqual([
      expect.stringContaining("echo ran >> ran.txt"),
      expect.stringContaining("echo ran >> ran.txt"),
    ]);

    const answers: readonly (readonly [object, FilledForm, string, string])[] = [
      [{ choices: ["red", "green"] }, accepted({ answer: "green" }), "completed", "green"],
      [{}, accepted({ answer: "because" }), "completed", "because"],
      [{ form }, accepted({ name: "Ada" }), "completed", "Ada"],
      [{}, { action: "decline" }, "failed", "The user declined to answer."],
    ];
    for (const [question, given, status, told] of answers) {
      filled = given;
      await editor.prompt(sessionId, askUser({ question: "Which?", ...question }));
      expect(lastEnd(editor)).toMatchObject({ status });
      expect(JSON.stringify(lastEnd(editor))).toContain(told);
    }
    expect(asked.slice(2)).toEqual(answers.map(() => "Which?"));

    choice = "allow_once";
    const ended = await editor.prompt(sessionId, `${look}\nsay two\n${look}\nsay three`);
    expect(ended.stopReason).toBe("end_turn");
    expect(asked.slice(6)).toEqual([expect.stringContaining("The run has used 2 turns of 2")]);
    expect(editor.said()).toContain("Rehearsal: three");
    expect(editor.check().findings).toEqual([]);
  });

  it("fills the form of an MCP server, and declines it", async () => {
    let filled: FilledForm = accepted({ name: "Ada" });
    const asked: unknown[] = [];
    const editor = await opened({
      choose: () => "allow_once",
      elicit(params) {
        asked.push(params.message);
        return filled;
      },
    });
    const server = { name: "test", command: process.execPath, args: [...mcpServer], env: [] };
    const type = version === 1 ? {} : { type: "stdio" };
    const sessionId = await editor.newSession({ cwd, mcpServers: [{ ...type, ...server }] });
    await editor.prompt(sessionId, "call mcp__test__ask {}");
    expect(JSON.stringify(lastEnd(editor))).toContain("accept");
    expect(JSON.stringify(lastEnd(editor))).toContain("Ada");
    filled = { action: "decline" };
    await editor.prompt(sessionId, "call mcp__test__ask {}");
    expect(JSON.stringify(lastEnd(editor))).toContain("decline");
    const question = "The MCP server test asks: Who flies?";
    expect(asked).toEqual([question, question]);
    expect(editor.check().findings).toEqual([]);
  });

  it.each([
    ["allow_once", "ran\nran\n", "completed"],
    ["reject_once", "ran\n", "failed"],
  ])(
    "asks after kill -9 whether a call runs again, and takes %s once",
    async (optionId, ran, end) => {
      const text = (): string => {
        const path = join(cwd, "ran.txt");
        return existsSync(path) ? readFileSync(path, "utf8") : "";
      };
      await mkdir(join(cwd, ".config/callboard"), { recursive: true });
      const callRules = [{ tools: ["shell"], onInterrupted: "ask" }];
      const settings = JSON.stringify({ allow: ["shell"], callRules });
      await writeFile(join(cwd, ".config/callboard/config.json"), settings);

      const killed = await opened({ choose: never });
      const sessionId = await killed.newSession({ cwd });
      const cut = killed
        .prompt(sessionId, 'call shell {"command":"echo ran >> ran.txt; test -e go || sleep 600"}')
        .catch(() => undefined);
      await expect.poll(text).toBe("ran\n");
      program?.kill("SIGKILL");
      if (version === 1) await cut;
      await killed.close();

      await writeFile(join(cwd, "go"), "");
      const asked: string[] = [];
      const editor = await opened({
        choose(params) {
          asked.push(`${text()}${JSON.stringify(params)}`);
          return optionId;
        },
      });
      const [method, replay] =
        version === 1
          ? (["session/load", {}] as const)
          : (["session/resume", { replayFrom: { type: "start" } }] as const);
      await editor.request(method, { sessionId, cwd, mcpServers: [], ...replay });
      await expect.poll(() => editor.said()).toContain("Rehearsal: done");
      expect(asked).toEqual([expect.stringMatching(/^ran\n\{.*Do not run it again/)]);
      expect([text(), lastEnd(editor).status]).toEqual([ran, end]);
      expect((await editor.prompt(sessionId, "say later")).stopReason).toBe("end_turn");
      expect([text(), asked.length]).toEqual([ran, 1]);
      expect(editor.check().findings).toEqual([]);
    },
  );

  it("is told that an approval and a form have expired, and nothing runs", async () => {
    const env = { CALLBOARD_APPROVAL_TIMEOUT: "0.01" };
    const editor = await opened({ choose: never, elicit: never }, env);
    const sessionId = await editor.newSession({ cwd });
    await editor.prompt(sessionId, command);
    expect(JSON.stringify(lastEnd(editor))).toContain("No answer came in time.");
    await editor.prompt(sessionId, askUser({ question: "Which?" }));
    expect(JSON.stringify(lastEnd(editor))).toContain("no result within 0.01 s");
    expect(existsSync(join(cwd, "ran.txt"))).toBe(false);
    // Both questions are taken back.
    const takenBack = (): number =>
      editor.agentLines.filter((line) => line.includes("$/cancel_request")).length;
    await expect.poll(takenBack).toBe(2);
  });
});

function accepted(content: Record<string, string>): FilledForm {
  return { action: "accept", content };
}
