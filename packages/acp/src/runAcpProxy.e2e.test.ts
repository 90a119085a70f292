/** The proxy with real processes: it starts the agent, passes lines both ways and ends with either. */
import { PassThrough } from "node:stream";
import { createMemorySessionStore, systemClock } from "@callboard/agent-sdk";
import type { JsonObject } from "@callboard/run-log";
import { checkStream } from "@callboard/run-log/checker";
import { builtProgram } from "@callboard/testkit";
import { describe, expect, it } from "vitest";
import { type ProxyResult, runAcpProxy } from "./runAcpProxy.js";
import { sessionId } from "./testing/foreignTalk.js";

const program = builtProgram("packages/acp/dist/testing/foreign-agent-cli.js");

interface Talk {
  readonly lines: readonly string[];
  readonly result: ProxyResult;
}

/** Plays the editor: each answer of the agent brings the next request. */
async function talked(
  args: readonly string[],
  store: ReturnType<typeof createMemorySessionStore> | null = null,
): Promise<Talk> {
  const input = new PassThrough();
  const output = new PassThrough();
  const lines: string[] = [];
  const send = (message: JsonObject): void => {
    const line = JSON.stringify({ jsonrpc: "2.0", ...message });
    lines.push(line);
    input.write(`${line}\n`);
  };
  let rest = "";
  output.on("data", (chunk: Buffer) => {
    const parts = (rest + chunk.toString("utf8")).split("\n");
    rest = parts.pop() ?? "";
    for (const line of parts) hear(line);
  });
  function hear(line: string): void {
    lines.push(line);
    if (!line.startsWith("{")) return;
    const { id, method, result, error } = JSON.parse(line);
    if (method === "session/request_permission") {
      send({ id, result: { outcome: { outcome: "selected", optionId: "no" } } });
    } else if (result?.protocolVersion) {
      send({ id: 1, method: "session/new", params: { cwd: "/", mcpServers: [] } });
    } else if (result?.sessionId) {
      const prompt = [{ type: "text", text: "go" }];
      send({ id: 2, method: "session/prompt", params: { sessionId, prompt } });
    } else if (id === 2 && (result || error)) input.end();
    else if (line.includes("started")) send({ method: "session/cancel", params: { sessionId } });
  }
  send({ id: 0, method: "initialize", params: { protocolVersion: 1 } });
  const command: readonly [string, ...string[]] = [process.execPath, ...program, ...args];
  const result = await runAcpProxy({ command, input, output, store });
  return { lines, result };
}

const findings = (lines: readonly string[]) =>
  checkStream(lines.join("\n"), { dialect: "acp" }).findings.map(({ rule }) => rule);

describe("an agent behind the proxy", () => {
  it("that leaves a denied call open is completed", async () => {
    const { lines, result } = await talked(["4"]);
    expect(findings(lines)).toEqual([]);
    expect(result).toMatchObject({ exitCode: 0, closedCalls: 1 });
    expect(result.stats.updates).toMatchObject({ tool_call: 1, tool_call_update: 1 });
  });

  it("that asks about a call that it never opens adds nothing to its question when it is denied", async () => {
    const { lines, result } = await talked(["0"]);
    // Clients take the question for the start of the call, and know their own answer.
    expect(findings(lines)).toEqual(["update-before-open"]);
    expect(result).toMatchObject({ exitCode: 0, closedCalls: 0 });
    expect(Object.keys(result.stats.updates)).not.toContain("tool_call");
  });

  it("that continues after a cancelled turn is not heard any more", async () => {
    const { lines } = await talked(["2"]);
    expect(findings(lines)).toEqual([]);
    expect(lines.join("\n")).not.toContain("finished");
  });

  it("that dies has its calls closed and its prompt answered", async () => {
    const { lines, result } = await talked(["3", "dies"]);
    expect(result.exitCode).toBe(3);
    expect(JSON.parse(lines.at(-1) ?? "")).toMatchObject({
      id: 2,
      error: { message: "the agent ended with exit code 3" },
    });
    expect(findings(lines)).toEqual([]);
  });

  it("may say things that are no JSON", async () => {
    const { lines } = await talked(["0", "noisy"]);
    expect(lines[1]).toBe("this is no JSON");
  });

  it("is recorded", async () => {
    const store = createMemorySessionStore({ clock: systemClock });
    await talked(["0"], store);
    const log = await store.open(sessionId);
    const [runId] = await log.runIds();
    const events = runId === undefined ? [] : await log.read(runId, { after: 0 });
    const types = events.map(({ type }) => type);
    expect(types.slice(-3)).toEqual(["text.closed", "message.closed", "run.closed"]);
  });

  it("hears and is heard to the byte where nothing is changed", async () => {
    const odd = '{ "jsonrpc":"2.0","id":1, "result":{"n":12345678901234567890,"f":1.0,"e":1E2}}';
    const told =
      '{"jsonrpc":"2.0","method":"session/update","params":{"sessionId":"s","update":{"sessionUpdate":"_own","n":1.0}}}';
    const question = '{"jsonrpc":"2.0", "id":1,"method":"_own/echo","params":{"n":1.50}}';
    // The agent says what it heard on a line of its own, and then answers.
    const agent = `process.stdin.once("data", (heard) => {
      process.stdout.write("heard " + heard + ${JSON.stringify(`${told}\n${odd}\n`)});
    });`;
    const command = [process.execPath, "-e", agent] as const;
    const [input, output] = [new PassThrough(), new PassThrough()];
    const chunks: string[] = [];
    output.on("data", (chunk: Buffer) => {
      chunks.push(chunk.toString("utf8"));
      if (chunks.join("").includes('"result"')) input.end();
    });
    input.write(`${question}\n`);
    await runAcpProxy({ command, input, output, store: null });
    expect(chunks.join("")).toBe(`heard ${question}\n${told}\n${odd}\n`);
  });

  it("has numbers that no program of ours can hold, in updates that are merged or repeat what is known", async () => {
    const said = (fields: string): string =>
      `{"jsonrpc":"2.0","method":"session/update","params":{"sessionId":"s","update":{"sessionUpdate":${fields}}}}`;
    const lines = [
      said('"tool_call","toolCallId":"c1","title":"ls","status":"pending","rawInput":{"n":1e400}'),
      said('"tool_call_update","toolCallId":"c1","title":"ls -l"'),
      said(
        '"tool_call_update","toolCallId":"c1","title":"ls -l","rawOutput":{"n":12345678901234567890}',
      ),
      said('"tool_call_update","toolCallId":"c1","rawOutput":{"n":12345678901234567891}'),
      said('"tool_call_update","toolCallId":"c1","title":"ls -la"'),
      "Debugger attached.",
      said(
        '"tool_call_update","toolCallId":"c1","status":"completed","_meta":{"n":0.12345678901234567891}',
      ),
    ];
    const agent = `process.stdout.write(${JSON.stringify(`${lines.join("\n")}\n`)});`;
    const command = [process.execPath, "-e", agent] as const;
    const [input, output] = [new PassThrough(), new PassThrough()];
    const chunks: string[] = [];
    output.on("data", (chunk: Buffer) => chunks.push(chunk.toString("utf8")));
    await runAcpProxy({ command, input, output, store: null });
    expect(chunks.join("").trimEnd().split("\n")).toEqual(lines);
  });

  it("is heard to the byte where its bytes are no UTF-8 and its lines end otherwise", async () => {
    const said = Buffer.concat([
      Buffer.from('{"jsonrpc":"2.0","method":"_own/note","params":{"text":"'),
      Buffer.from([0xe9, 0xff, 0x80]),
      Buffer.from('"}}\r\n'),
      Buffer.from([0xfe, 0x00, 0xc3]),
      Buffer.from("\n"),
    ]);
    const agent = `process.stdout.write(Buffer.from("${said.toString("base64")}", "base64"));`;
    const command = [process.execPath, "-e", agent] as const;
    const [input, output] = [new PassThrough(), new PassThrough()];
    const chunks: Buffer[] = [];
    output.on("data", (chunk: Buffer) => chunks.push(chunk));
    await runAcpProxy({ command, input, output, store: null });
    expect(Buffer.concat(chunks)).toEqual(said);
  });

  it("that cannot be started is an error that names it", async () => {
    const command = ["/nowhere/agent"] as const;
    const [input, output] = [new PassThrough(), new PassThrough()];
    await expect(runAcpProxy({ command, input, output, store: null })).rejects.toThrow(
      /\/nowhere\/agent could not be started/,
    );
  });
});
