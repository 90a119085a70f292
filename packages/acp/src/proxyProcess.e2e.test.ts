/** The processes behind the proxy: whatever happens, calls are closed, requests answered, nobody is left. */

import { spawn } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { PassThrough, Writable } from "node:stream";
import type { Logger } from "@callboard/agent-sdk";
import type { JsonObject } from "@callboard/run-log";
import { withoutUndefined } from "@callboard/run-log/values";
import { builtProgram } from "@callboard/testkit";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { runAcpProxy } from "./runAcpProxy.js";

let folder = "";
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "callboard-proxy-"));
});
afterAll(() => rmSync(folder, { recursive: true }));

const quiet = (): void => undefined;
const call = {
  ...{ jsonrpc: "2.0", method: "session/update" },
  params: {
    sessionId: "s",
    update: { sessionUpdate: "tool_call", toolCallId: "c1", title: "ls", status: "in_progress" },
  },
};

/** An agent that answers nothing, opens a call when it is prompted, and then does as it is told. */
const agentOf = (then: string): readonly [string, ...string[]] => [
  process.execPath,
  "-e",
  `process.stdin.once("data", () => {
    process.stdout.write(${JSON.stringify(`${JSON.stringify(call)}\n`)}, () => { ${then} });
  });`,
];

interface Heard {
  readonly lines: readonly JsonObject[];
  readonly warnings: readonly string[];
  readonly said: (words: string) => Promise<void>;
  readonly ended: ReturnType<typeof runAcpProxy>;
  readonly input: PassThrough;
}

function proxied(
  command: readonly [string, ...string[]],
  signal?: AbortSignal,
  silenceTimeoutMs?: number,
): Heard {
  const [input, output] = [new PassThrough(), new PassThrough()];
  const lines: JsonObject[] = [];
  const warnings: string[] = [];
  const waiting: { readonly words: string; readonly resolve: () => void }[] = [];
  let rest = "";
  const heard = (): void => {
    for (const { words, resolve } of waiting) {
      if (JSON.stringify(lines).includes(words)) resolve();
    }
  };
  output.on("data", (chunk: Buffer) => {
    const parts = (rest + chunk.toString("utf8")).split("\n");
    rest = parts.pop() ?? "";
    for (const line of parts) lines.push(JSON.parse(line));
    heard();
  });
  const warn: Logger["warn"] = (message) => void warnings.push(message);
  const ended = runAcpProxy({
    ...{ command, input, output, store: null },
    logger: { debug: quiet, info: quiet, warn, error: warn },
    ...withoutUndefined({ signal, silenceTimeoutMs }),
  });
  const said = (words: string): Promise<void> =>
    new Promise((resolve) => {
      waiting.push({ words, resolve });
      heard();
    });
  return { lines, warnings, said, ended, input };
}

const prompt = { jsonrpc: "2.0", id: 7, method: "session/prompt", params: { sessionId: "s" } };
const closed = { sessionUpdate: "tool_call_update", toolCallId: "c1", status: "failed" };

const isAlive = (pid: number): boolean => {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
};

/** Until the process is gone: it is told to end, and the system takes its time. */
async function untilGone(pid: number): Promise<void> {
  while (isAlive(pid)) await new Promise((resolve) => setTimeout(resolve, 10));
}

describe("an agent behind the proxy", () => {
  it("that is dead is not waited for, though a grandchild holds its output", async () => {
    const then = `
      const child = require("child_process").spawn("sleep", ["600"], { stdio: ["ignore", 1, 2] });
      require("fs").writeFileSync(${JSON.stringify(join(folder, "held"))}, String(child.pid));
      process.exit(3);`;
    const { input, ended, lines } = proxied(agentOf(then));
    input.write(`${JSON.stringify(prompt)}\n`);
    expect(await ended).toMatchObject({ exitCode: 3, closedCalls: 1 });
    expect(lines.slice(1)).toEqual([
      expect.objectContaining({ params: { sessionId: "s", update: closed } }),
      expect.objectContaining({ id: 7, error: expect.anything() }),
    ]);
    await untilGone(Number(readFileSync(join(folder, "held"), "utf8")));
  });

  it.skipIf(process.platform !== "linux")(
    "has nobody left who speaks on its output from a session of its own, and a server that does not is left alone",
    async () => {
      const [speaker, server] = [join(folder, "speaker"), join(folder, "server")];
      // Both end long after the test has failed, so that it leaves nobody behind.
      const inner = (file: string): string => `
        process.on("SIGTERM", () => undefined);
        process.on("SIGHUP", () => undefined);
        setTimeout(() => process.exit(), 300_000);
        require("fs").writeFileSync(${JSON.stringify(file)}, String(process.pid));`;
      const start = (file: string, output: string): string => `
        require("child_process").spawn(process.execPath, ["-e", ${JSON.stringify(inner(file))}], {
          detached: true, stdio: ["ignore", ${output}, "ignore"] });`;
      const then = `
        ${start(speaker, "1")}
        ${start(server, '"ignore"')}
        const { existsSync, readFileSync } = require("fs");
        const isThere = (file) => existsSync(file) && readFileSync(file, "utf8") !== "";
        const files = ${JSON.stringify([speaker, server])};
        setInterval(() => files.every(isThere) && process.exit(0), 10);`;
      const { input, ended } = proxied(agentOf(then));
      input.write(`${JSON.stringify(prompt)}\n`);
      expect(await ended).toMatchObject({ exitCode: 0, closedCalls: 1 });
      await untilGone(Number(readFileSync(speaker, "utf8")));
      const serverId = Number(readFileSync(server, "utf8"));
      expect(isAlive(serverId)).toBe(true);
      process.kill(serverId, "SIGKILL");
    },
  );

  it("that closed its output but continues is ended: it can answer nothing any more", async () => {
    const then = `
      process.on("SIGTERM", () => undefined);
      process.stdin.resume();
      setInterval(() => undefined, 1000);
      require("fs").closeSync(1);`;
    const { input, ended, lines } = proxied(agentOf(then));
    input.write(`${JSON.stringify(prompt)}\n`);
    expect(await ended).toMatchObject({ exitCode: null, closedCalls: 1 });
    expect(lines.slice(1)).toEqual([
      expect.objectContaining({ params: { sessionId: "s", update: closed } }),
      expect.objectContaining({ id: 7, error: expect.anything() }),
    ]);
  });

  it("that ends in the middle of a line has the rest of its life told, and not that line", async () => {
    const then = `process.stdout.write('{"jsonrpc":"2.0","method":"sess', () => process.exit(1));`;
    const { input, ended, lines, warnings } = proxied(agentOf(then));
    input.write(`${JSON.stringify(prompt)}\n`);
    expect(await ended).toMatchObject({ exitCode: 1, closedCalls: 1 });
    expect(lines).toHaveLength(3);
    expect(warnings).toEqual(["The last line was cut off; it is not passed on."]);
  });

  it("that ignores the end of its input and a request to end is ended, with all it started", async () => {
    const file = join(folder, "stubborn");
    const inner = `
      process.on("SIGTERM", () => undefined);
      // Long after the test has failed, so that it leaves nobody behind.
      setTimeout(() => process.exit(), 300_000);
      require("fs").writeFileSync(${JSON.stringify(file)}, String(process.pid));
      process.stdout.write('{"jsonrpc":"2.0","method":"_ready"}' + String.fromCharCode(10));`;
    const script = join(folder, "inner.cjs");
    writeFileSync(script, inner);
    // The shell stands between: only its group reaches the agent.
    const abort = new AbortController();
    const { ended, said } = proxied(
      ["/bin/sh", "-c", `"${process.execPath}" "${script}"; true`],
      abort.signal,
    );
    await said("_ready");
    abort.abort();
    expect(await ended).toMatchObject({ exitCode: null });
    await untilGone(Number(readFileSync(file, "utf8")));
  });

  it("is ended by a signal to the proxy after its calls are closed and its requests answered", async () => {
    const abort = new AbortController();
    const { input, ended, said, lines } = proxied(
      agentOf("setInterval(() => undefined, 1000);"),
      abort.signal,
    );
    input.write(`${JSON.stringify(prompt)}\n`);
    await said("in_progress");
    abort.abort();
    expect(await ended).toMatchObject({ exitCode: null, closedCalls: 1 });
    expect(lines.slice(1)).toEqual([
      expect.objectContaining({ params: { sessionId: "s", update: closed } }),
      { jsonrpc: "2.0", id: 7, error: { code: -32603, message: "the agent ended by SIGTERM" } },
    ]);
  });

  it("that says nothing of a call for too long has it closed with the reason, and is not heard of it any more", async () => {
    const abort = new AbortController();
    const late = { sessionUpdate: "tool_call_update", toolCallId: "c1", status: "completed" };
    const message = { ...call, params: { sessionId: "s", update: late } };
    const said = [message, { jsonrpc: "2.0", id: 7, result: { stopReason: "end_turn" } }];
    const text = said.map((one) => `${JSON.stringify(one)}\n`).join("");
    const talk = proxied(
      agentOf(`process.stdin.once("data", () => process.stdout.write(${JSON.stringify(text)}));`),
      abort.signal,
      50,
    );
    talk.input.write(`${JSON.stringify(prompt)}\n`);
    await talk.said("closed in its place");
    talk.input.write('{"jsonrpc":"2.0","method":"_go_on"}\n');
    await talk.said('"end_turn"');
    abort.abort();
    expect(await talk.ended).toMatchObject({ closedCalls: 1 });
    const reason = "The agent gave no sign of this call for 0 s. The call was closed in its place.";
    const content = [{ type: "content", content: { type: "text", text: reason } }];
    expect(talk.lines.slice(1)).toEqual([
      expect.objectContaining({ params: { sessionId: "s", update: { ...closed, content } } }),
      said[1],
    ]);
    expect(talk.warnings).toEqual([reason]);
  });

  it("is ended by a signal although the editor reads nothing any more", async () => {
    const flood = `
      let count = 0;
      process.stdin.resume();
      setInterval(() => {
        count += 1;
        const toolCallId = "c" + count;
        const update = { sessionUpdate: "tool_call", toolCallId, title: "x".repeat(20_000), status: "in_progress" };
        const params = { sessionId: "s", update };
        process.stdout.write(JSON.stringify({ jsonrpc: "2.0", method: "session/update", params }) + String.fromCharCode(10));
      }, 1);`;
    const stop = new AbortController();
    // It takes the first line, and gives no sign that it has read it.
    const output = new Writable({ write: () => stop.abort() });
    const input = new PassThrough();
    input.write(`${JSON.stringify(prompt)}\n`);
    const ended = runAcpProxy({
      command: [process.execPath, "-e", flood],
      ...{ input, output, store: null, signal: stop.signal },
      logger: { debug: quiet, info: quiet, warn: quiet, error: quiet },
    });
    expect(await ended).toMatchObject({ exitCode: null });
  });

  it("does not outlive a proxy that is killed", async () => {
    const file = join(folder, "orphan");
    const agent = `
      process.on("SIGTERM", () => undefined);
      process.stdin.resume();
      setInterval(() => undefined, 1000);
      require("fs").writeFileSync(${JSON.stringify(file)}, String(process.pid));
      process.stdout.write('{"jsonrpc":"2.0","method":"_ready"}' + String.fromCharCode(10));`;
    const program = builtProgram("packages/acp/dist/testing/proxy-cli.js");
    const child = spawn(process.execPath, [...program, process.execPath, "-e", agent], {
      stdio: ["pipe", "pipe", "inherit"],
    });
    await new Promise((resolve) => child.stdout.once("data", resolve));
    child.kill("SIGKILL");
    await untilGone(Number(readFileSync(file, "utf8")));
  });
});

describe("a line that is too long", () => {
  const long = "x".repeat(65 * 1024 ** 2);

  it("of the editor is answered with an error, and the session continues", async () => {
    const echo = `
      let text = "";
      process.stdin.on("data", (chunk) => { text += chunk; if (text.includes("after")) process.exit(0); });`;
    const { input, ended, lines, warnings } = proxied([process.execPath, "-e", echo]);
    input.write(`{"jsonrpc":"2.0","id":8,"method":"session/prompt","params":{"text":"${long}"}}\n`);
    input.write('{"jsonrpc":"2.0","method":"_after"}\n');
    expect(await ended).toMatchObject({ exitCode: 0 });
    const message = expect.stringMatching(/^A message of 66 MB was refused: the limit is 64 MB\./);
    expect(lines).toEqual([{ jsonrpc: "2.0", id: 8, error: { code: -32600, message } }]);
    expect(warnings).toEqual([message]);
  });

  it("of the agent is an error for whoever waits for it, and words for who only listens", async () => {
    const agent = `
      const long = "x".repeat(65 * 1024 * 1024);
      const line = (text) => process.stdout.write(text + String.fromCharCode(10));
      process.stdin.once("data", () => {
        line('{"jsonrpc":"2.0","method":"session/update","params":{"sessionId":"s","update":{"text":"' + long + '"}}}');
        line('{"jsonrpc":"2.0","id":7,"result":{"stopReason":"end_turn","text":"' + long + '"}}');
      });`;
    const { input, ended, said, lines } = proxied([process.execPath, "-e", agent]);
    input.write(`${JSON.stringify(prompt)}\n`);
    await said('"id":7');
    input.end();
    await ended;
    const text = expect.stringMatching(/^The agent sent too much at once: A message of 66 MB/);
    const message = expect.stringMatching(/^A message of 66 MB was refused/);
    expect(lines).toEqual([
      expect.objectContaining({
        params: {
          sessionId: "s",
          update: { sessionUpdate: "agent_message_chunk", content: { type: "text", text } },
        },
      }),
      { jsonrpc: "2.0", id: 7, error: { code: -32600, message } },
    ]);
  });
});
