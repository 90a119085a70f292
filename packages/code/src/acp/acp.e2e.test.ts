/** The built program as an editor starts it, and beside a server of the same home: figures, profiles, MCP servers of the client. */

import { type ChildProcessByStdio, spawn } from "node:child_process";
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import type { Readable } from "node:stream";
import { consoleLogger, createFileSessionStore, systemClock } from "@callboard/agent-sdk";
import type { JsonObject } from "@callboard/run-log";
import { withoutUndefined } from "@callboard/run-log/values";
import { builtProgram, startFakeProvider } from "@callboard/testkit";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { type AcpTalk, openAcpTalk } from "../testing/acpTalk.js";
import {
  createTestPlace,
  programArguments,
  type RunningProgram,
  type TestPlace,
} from "../testing/program.js";
import { startSpanCollector } from "../testing/spanCollector.js";

let place: TestPlace;
const children: ChildProcessByStdio<null, Readable, null>[] = [];

beforeAll(() => {
  place = createTestPlace();
});
afterAll(() => place.remove());
afterEach(() => {
  for (const child of children.splice(0)) child.kill();
});

/** It prints nothing, so that its content comes with its end. */
const work = 'call shell {"command":"true"}\nsay done';

describe("beside a server of the same home", () => {
  let server: RunningProgram;
  beforeAll(async () => {
    server = place.start(["serve", "--port", "0"]);
    await server.untilSaid("http://127.0.0.1:");
  });
  afterAll(async () => {
    server.child.kill("SIGTERM");
    expect((await server.ended).exitCode).toBe(0);
  });

  function asked(path: string, init: RequestInit = {}): Promise<Response> {
    const { url, token } = JSON.parse(readFileSync(join(place.home, "server.json"), "utf8"));
    const headers = { authorization: `Bearer ${token}`, "content-type": "application/json" };
    return fetch(`${url}${path}`, { headers, ...init });
  }

  /** The samples of the server's `/metrics` that are about ACP. */
  async function samples(): Promise<Readonly<Record<string, number>>> {
    const text = await (await asked("/metrics")).text();
    const lines = text.split("\n").filter((line) => line.startsWith("callboard_acp_"));
    return Object.fromEntries(
      lines.map((line) => [line.slice(0, line.lastIndexOf(" ")), Number(line.split(" ").at(-1))]),
    );
  }

  async function session(
    ...args: readonly string[]
  ): Promise<AcpTalk & { readonly stderr: string }> {
    const talk = await openAcpTalk(place.start(args));
    await talk.prompt(await talk.newSession({ cwd: place.workdir }), work);
    const { exitCode, stderr } = await talk.end();
    expect(exitCode).toBe(0);
    return { ...talk, bytes: talk.bytes, stderr };
  }

  /** What the page does when a person writes a message. */
  async function said(text: string, conversation?: string) {
    const named = withoutUndefined({ conversation_id: conversation });
    const body = JSON.stringify({ user_input: text, stream: false, ...named });
    const response = await asked("/api/agent/execute", { method: "POST", body });
    return { status: response.status, body: JSON.parse(await response.text()) };
  }

  it("the terminal continues with a conversation of the page and the page with the terminal's, one at a time", async () => {
    const first = await said("say one");
    const id: string = first.body.conversation_id;
    const inTerminal = await place.run(["-p", "-r", id.slice(0, 8), "say two"]);
    expect([inTerminal.exitCode, inTerminal.stderr]).toEqual([0, ""]);
    expect(inTerminal.stdout).toContain("two");
    const store = createFileSessionStore({
      home: place.home,
      logger: consoleLogger,
      clock: systemClock,
    });
    const held = await store.open(id);
    expect(await held.runIds()).toHaveLength(2);
    const busy = await said("say no", id);
    expect(busy.status).toBe(409);
    expect(busy.body.detail).toMatch(
      new RegExp(`^Conversation ${id} is open in process ${process.pid} since .*: close it there`),
    );
    await held.close();
    expect(await said("say three", id)).toMatchObject({ status: 200 });
    const shown = await place.run(["sessions", "show", id, "--json"]);
    expect(JSON.parse(shown.stdout).runs).toMatchObject([
      { outcome: "ok" },
      { outcome: "ok" },
      { outcome: "ok" },
    ]);
    const { items } = JSON.parse(await (await asked(`/api/conversations/${id}/runs`)).text());
    expect(items).toHaveLength(3);
  });

  it("figures of updates are told by --stats and stand on the server's /metrics, for agent and proxy", async () => {
    const before = await samples();
    expect(before.callboard_acp_payload_bytes_count).toBe(0);

    const { bytes, stderr, callUpdates } = await session("acp", "--stats");
    const [first = ""] = stderr.split("\n").filter((line) => line.includes(" bytes; the largest"));
    expect(first).toContain(`, ${bytes} bytes; the largest`);
    expect(stderr).toMatch(/ updates offered, \d+ merged, \d+ without a change/);
    expect(stderr).toMatch(/characters of unchanged fields not sent again/);
    expect(stderr).toMatch(/ms spent finding changes, 0 failed writes/);

    const after = await samples();
    expect(after.callboard_acp_payload_bytes_sum).toBe(bytes);
    const updates = callUpdates().filter(({ sessionUpdate: kind }) => kind === "tool_call_update");
    expect(after['callboard_acp_updates_total{kind="tool_call_update"}']).toBe(updates.length);
    expect(after.callboard_acp_offered_total).toBeGreaterThan(0);
    expect(after.callboard_acp_saved_bytes_total).toBeGreaterThan(0);
    expect(after.callboard_acp_detection_seconds_total).toBeGreaterThan(0);
    expect(after).toHaveProperty("callboard_acp_merged_total");
    expect(after).toHaveProperty("callboard_acp_suppressed_total");
    expect(after.callboard_acp_processes).toBe(0);

    const proxy = await session(
      "acp-proxy",
      "--stats",
      "--",
      process.execPath,
      ...programArguments,
      "acp",
    );
    expect(proxy.stderr).toContain(`, ${proxy.bytes} bytes; the largest`);
    const both = await samples();
    expect(both.callboard_acp_payload_bytes_sum).toBeGreaterThan(bytes + proxy.bytes);
    expect(readdirSync(join(place.home, "acp-metrics"))).toEqual(["total.json"]);
  });
});

describe("--profile", () => {
  /** The names of the fields of each update of the call after its opening, in order of sending. */
  async function fieldsBy(...args: readonly string[]): Promise<readonly string[]> {
    const talk = await openAcpTalk(place.startHere(["acp", ...args]));
    await talk.prompt(await talk.newSession({ cwd: place.workdir }), work);
    await talk.end();
    return talk.callUpdates().map((update) => {
      const { sessionUpdate: _, toolCallId: __, ...fields } = update;
      return Object.keys(fields).join(" ");
    });
  }

  it.each([
    ["merging", ["status", "status content"]],
    ["context", ["status", "status content title"]],
    ["acpx", ["status title kind", "status content title kind"]],
    ["acp-ai-provider", ["status title rawInput", "status content title rawOutput"]],
    [
      "full",
      ["status title kind name rawInput", "status content title kind name rawInput rawOutput"],
    ],
  ])("%s repeats what it says, and nothing else", async (profile, expected) => {
    expect((await fieldsBy("--profile", profile)).slice(-2)).toEqual(expected);
  });

  it("is told by the client's name where it is not given, and refused where it is unknown; spans go to the collector", async () => {
    const collector = await startSpanCollector();
    const talk = await openAcpTalk(place.start(["acp"], collector.env), "acpx");
    await talk.prompt(await talk.newSession({ cwd: place.workdir }), work);
    await talk.end();
    collector.close();
    expect(Object.keys(talk.callUpdates().at(-1) ?? {})).toContain("title");
    const [chat, tool, agent] = ["chat", "execute_tool", "invoke_agent"];
    expect(collector.operations()).toEqual([chat, chat, tool, agent]);
    const refused = await place.run(["acp", "--profile", "tiny"]);
    expect(refused.exitCode).toBe(2);
    expect(refused.stderr).toContain(
      '--profile is one of merging, context, acpx, acp-ai-provider, full, not "tiny"',
    );
  });
});

describe("MCP servers of the client", () => {
  const server = (name: string) => [...builtProgram(`packages/agent-sdk/src/mcp/testing/${name}`)];
  /** A client means its words as they are. */
  const greeting = `as it $${"{is}"}`;
  const stdio = {
    ...{ name: "local", command: process.execPath, args: server("stdio-server-cli.js") },
    env: [{ name: "GREETING", value: greeting }],
  };

  async function startHttpServer(): Promise<JsonObject> {
    const child = spawn(process.execPath, server("http-server-cli.js"), {
      stdio: ["ignore", "pipe", "inherit"],
    });
    children.push(child);
    const port = await new Promise<string>((resolve) => {
      child.stdout.once("data", (chunk: Buffer) => resolve(chunk.toString("utf8").trim()));
    });
    const headers = [{ name: "authorization", value: "Bearer test-token-1" }];
    return { type: "http", name: "web", url: `http://127.0.0.1:${port}/mcp`, headers };
  }

  const results = (talk: AcpTalk): readonly unknown[] =>
    talk.callUpdates().flatMap(({ status, content }) => {
      if (status === undefined || status === "pending" || status === "in_progress") return [];
      return [[status, Array.isArray(content) ? Object(content[0]).content?.text : undefined]];
    });

  it("work over stdio and http, in new, loaded and resumed sessions", async () => {
    const mcpServers = [stdio, await startHttpServer()];
    const { workdir: cwd } = place;
    const first = await openAcpTalk(place.startHere(["acp"]));
    const sessionId = await first.newSession({ cwd, mcpServers });
    await first.prompt(
      sessionId,
      'call mcp__local__variable {"name":"GREETING"}\ncall mcp__web__echo {"text":"over http"}',
    );
    expect(results(first)).toEqual([
      ["completed", greeting],
      ["completed", "over http"],
    ]);
    expect((await first.end()).exitCode).toBe(0);

    const again = await openAcpTalk(place.startHere(["acp"]));
    for (const method of ["session/load", "session/resume"]) {
      await again.request(method, { sessionId, cwd, mcpServers });
      await again.prompt(sessionId, `call mcp__local__echo {"text":"${method}"}`);
      expect(results(again).at(-1)).toEqual(["completed", method]);
    }
    await again.end();
  });

  it("that are dead are named with the reason, and the session continues", async () => {
    const dead = { name: "gone", command: "/nowhere/server", args: [], env: [] };
    const talk = await openAcpTalk(place.startHere(["acp"]));
    const old = { type: "sse", name: "old", url: "http://127.0.0.1:1/sse", headers: [] };
    const mcpServers = [dead, old, stdio];
    const sessionId = await talk.newSession({ cwd: place.workdir, mcpServers });
    expect(await talk.prompt(sessionId, 'call mcp__local__echo {"text":"here"}')).toMatchObject({
      stopReason: "end_turn",
    });
    expect(talk.said()).toMatch(
      /^The MCP server gone could not be reached: .*ENOENT.*\. Its tools are missing in this session\.\n/,
    );
    expect(talk.said()).toMatch(/^The MCP server old could not be reached: .+\. Its tools are/m);
    expect(results(talk)).toEqual([["completed", "here"]]);
    await talk.prompt(sessionId, "say more");
    expect(talk.said().split("could not be reached")).toHaveLength(3);
    await talk.end();
  });
});

it("a question outlives the program that is killed: the next one asks again and runs the call once", async () => {
  const { workdir: cwd } = place;
  const killed = place.start(["acp"]);
  const first = await openAcpTalk(killed, "editor", true);
  const sessionId = await first.newSession({ cwd });
  void first.prompt(sessionId, 'call shell {"command":"echo ran >> effects.txt"}\nsay done');
  await expect.poll(() => first.permissions).toBe(1);
  killed.child.kill("SIGKILL");
  await killed.ended;
  const next = await openAcpTalk(place.start(["acp"]));
  await next.request("session/load", { sessionId, cwd, mcpServers: [] });
  await expect.poll(() => next.said()).toBe("Rehearsal: done");
  expect(next.permissions).toBe(1);
  expect(next.callUpdates().at(-1)).toMatchObject({ status: "completed" });
  expect(readFileSync(join(cwd, "effects.txt"), "utf8")).toBe("ran\n");
  expect((await next.end()).exitCode).toBe(0);
});

describe("what the editor may do without asking", () => {
  it.each([
    ["allow", "auto"],
    ["auto", "auto"],
    ["read-only", "read-only"],
  ])("is told by the flag %s", async (flag, currentModeId) => {
    const talk = await openAcpTalk(place.startHere(["acp", "--permission-mode", flag]));
    const params = { cwd: place.workdir, mcpServers: [] };
    expect(await talk.request("session/new", params)).toMatchObject({ modes: { currentModeId } });
    await talk.end();
  });

  it("is told by the environment, and is the editor's to change", async () => {
    const { workdir: cwd } = place;

    const env = { CALLBOARD_PERMISSION_MODE: "deny" };
    const denying = await openAcpTalk(place.startHere(["acp"], env));
    const refused = await denying.request("session/new", { cwd, mcpServers: [] });
    expect(refused).toMatchObject({ modes: { currentModeId: "read-only" } });
    const sessionId = String(refused.sessionId);
    await denying.prompt(sessionId, 'call shell {"command":"true"}');
    expect(denying.callUpdates().at(-1)).toMatchObject({ status: "failed" });
    await denying.request("session/set_mode", { sessionId, modeId: "auto" });
    await denying.prompt(sessionId, 'call shell {"command":"true"}');
    expect(denying.callUpdates().at(-1)).toMatchObject({ status: "completed" });
    await denying.end();
  });

  it("offers the models of the environment", async () => {
    const env = { CALLBOARD_MODELS: "rehearsal, openai:gpt-5" };
    const talk = await openAcpTalk(place.startHere(["acp"], env));
    const session = await talk.request("session/new", { cwd: place.workdir, mcpServers: [] });
    const [, model] = Array.isArray(session.configOptions) ? session.configOptions : [];
    expect(model).toMatchObject({
      ...{ id: "model", currentValue: "rehearsal" },
      options: [
        { value: "rehearsal", name: "rehearsal" },
        { value: "openai:gpt-5", name: "openai:gpt-5" },
      ],
    });
    await talk.end();
  });
});

describe("the folder of a session", () => {
  it("brings its rules, named agents, settings and commands, each session its own", async () => {
    const provider = await startFakeProvider();
    const [first, second] = ["first", "second"].map((name) => {
      const folder = join(place.workdir, name);
      mkdirSync(join(folder, ".callboard/commands"), { recursive: true });
      writeFileSync(join(folder, "AGENTS.md"), `The rule of ${name}.`);
      const command = `---\ndescription: Tidies ${name}\nargument-hint: what\n---\nTidy $1 up, ${name}.`;
      writeFileSync(join(folder, `.callboard/commands/tidy-${name}.md`), command);
      return folder;
    });
    const agents = { helper: { description: "The helper of the second folder." } };
    writeFileSync(join(String(second), ".callboard/config.json"), JSON.stringify({ agents }));
    const config = join(dirname(place.home), "config", "callboard");
    mkdirSync(config, { recursive: true });
    writeFileSync(join(config, "config.json"), JSON.stringify({ trustedFolders: [second] }));
    try {
      const address = provider.address(
        { steps: [{ text: "one" }] },
        { steps: [{ text: "two" }] },
        { steps: [{ text: "three" }] },
      );
      const env = { OPENAI_BASE_URL: address };
      const talk = await openAcpTalk(place.startHere(["acp", "--model", "openai:test"], env));
      const one = await talk.newSession({ cwd: String(first) });
      const two = await talk.newSession({ cwd: String(second) });
      await talk.prompt(one, "/tidy-first src");
      await talk.prompt(two, "/tidy-second lib");
      await talk.prompt(two, "/tidy-first lib");
      expect((await talk.end()).exitCode).toBe(0);
      const [asked = "", other = "", unknown = ""] = provider.bodies(address);
      expect(asked).toContain(`Working folder: ${first}`);
      expect(asked).toContain("The rule of first.");
      expect(asked).toContain("Tidy src up, first.");
      expect(asked).not.toContain("The helper of the second folder.");
      expect(other).toContain("The rule of second.");
      expect(other).not.toContain("The rule of first.");
      expect(other).toContain("Tidy lib up, second.");
      expect(other).toContain("The helper of the second folder.");
      expect(unknown).toContain("/tidy-first lib");
      expect(talk.commandsOf(two).at(-1)).toEqual({
        ...{ name: "tidy-second", description: "Tidies second", input: { hint: "what" } },
      });
    } finally {
      await provider.close();
    }
  });
});

it("a line that is too long is refused by its id, and the program continues", async () => {
  const talk = await openAcpTalk(place.startHere(["acp"]));
  const sessionId = await talk.newSession({ cwd: place.workdir });
  const long = "x".repeat(64 * 1024 ** 2);
  await expect(talk.prompt(sessionId, long)).rejects.toThrow(
    /-32600.*A message of 65 MB was refused: the limit is 64 MB/,
  );
  expect(await talk.prompt(sessionId, "say still here")).toMatchObject({ stopReason: "end_turn" });
  expect(talk.said()).toBe("Rehearsal: still here");
  expect((await talk.end()).exitCode).toBe(0);
});
