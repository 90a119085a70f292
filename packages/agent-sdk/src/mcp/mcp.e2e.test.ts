import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from "vitest";
import type { McpConnections } from "./index.js";
import {
  connected,
  type HttpServer,
  isRunning,
  startCall,
  startHttpServer,
  stdioServer,
  toolNamed,
} from "./testing/mcpStage.js";

const open: (() => Promise<void>)[] = [];
const folder = mkdtempSync(join(tmpdir(), "mcp-"));
let notesCount = 0;

afterEach(async () => {
  for (const close of open.splice(0).toReversed()) await close();
});

const kept = async (connecting: Promise<McpConnections>): Promise<McpConnections> => {
  const connections = await connecting;
  open.push(() => connections.close());
  return connections;
};
const newNotes = (): string => {
  notesCount += 1;
  return join(folder, `notes-${notesCount}`);
};
const hasNoted = (file: string, word: string): Promise<void> =>
  vi.waitFor(() => expect(readFileSync(file, "utf8").split("\n")).toContain(word), 120_000);
const isGone = (pid: number): Promise<void> =>
  vi.waitFor(() => expect(isRunning(pid)).toBe(false), 120_000);
const textOf = async (connections: McpConnections, name: string, input = {}) =>
  (await startCall(connections, name, input).result).output;

process.once("exit", () => rmSync(folder, { recursive: true, force: true }));

const protocolVersion = "2025-11-25";
const connectedStatus = { name: "test", status: "connected", tools: 13, protocolVersion };

interface Place {
  readonly connections: McpConnections;
  readonly notes: string;
  /** Ends the server with SIGKILL. */
  kill(): Promise<void>;
  /** Makes it possible to connect again. */
  revive(): Promise<void>;
}

const places: readonly (readonly [string, () => Promise<Place>])[] = [
  [
    "stdio",
    async () => {
      const notes = newNotes();
      const config = { ...stdioServer(), env: { MCP_TEST_NOTES: notes } };
      const connections = await kept(connected({ test: config }));
      const pid = Number(await textOf(connections, "mcp__test__process"));
      const kill = async (): Promise<void> => {
        process.kill(pid, "SIGKILL");
        await isGone(pid);
      };
      return { connections, notes, kill, revive: async () => undefined };
    },
  ],
  [
    "streamable HTTP",
    async () => {
      const notes = newNotes();
      let server: HttpServer = await startHttpServer(0, notes);
      open.push(() => server.kill());
      const headers = { authorization: `Bearer \${MCP_TEST_TOKEN:-test-token-1}` };
      const connections = await kept(connected({ test: { url: server.url, headers } }));
      const revive = async (): Promise<void> => {
        server = await startHttpServer(server.port, notes);
      };
      return { connections, notes, kill: () => server.kill(), revive };
    },
  ],
];

describe.each(places)("a server over %s", (_, start) => {
  /** One server for the tests that leave it as it was. */
  let shared: Place;
  let closeShared: () => Promise<void>;
  beforeAll(async () => {
    shared = await start();
    const closing = open.splice(0).toReversed();
    closeShared = async () => {
      for (const close of closing) await close();
    };
  });
  afterAll(() => closeShared());

  it("lists its tools under clean names with what is known of them", async () => {
    const { connections } = shared;
    expect(connections.status()).toEqual([connectedStatus]);
    expect(
      connections
        .tools()
        .map(({ name, kind, concurrency, needsApproval, retries }) => [
          name,
          kind,
          concurrency,
          needsApproval,
          retries,
        ]),
    ).toEqual([
      ["mcp__test__echo", "read", "safe", true, 1],
      ["mcp__test__variable", "other", "exclusive", true, 0],
      ["mcp__test__add_numbers", "other", "exclusive", true, 1],
      ["mcp__test__picture", "read", "safe", true, 1],
      ["mcp__test__steps", "read", "safe", true, 1],
      ["mcp__test__drip", "read", "safe", true, 1],
      ["mcp__test__wait", "other", "exclusive", true, 0],
      ["mcp__test__fail", "delete", "exclusive", true, 0],
      ["mcp__test__die", "other", "exclusive", true, 0],
      ["mcp__test__process", "read", "safe", true, 1],
      ["mcp__test__child", "other", "exclusive", true, 0],
      ["mcp__test__ask", "other", "exclusive", true, 0],
      ["mcp__test__learn", "other", "exclusive", true, 0],
    ]);
    const echo = toolNamed(connections, "mcp__test__echo");
    expect(echo.toolType).toBe("external_mcp");
    expect(echo.description).toBe("Says what it is told.");
    expect(echo.inputSchema).toMatchObject({ type: "object", required: ["text"] });
    expect(echo.title({})).toBe("test: Echo");
    expect(echo.compactParams({ text: "hello" })).toBe("hello");
  });

  it("answers with text, structured content, images and resources", async () => {
    const { connections } = shared;
    expect(await startCall(connections, "mcp__test__echo", { text: "hi" }).result).toEqual({
      output: "hi",
    });
    expect(await startCall(connections, "mcp__test__add_numbers", { a: 1, b: 2 }).result).toEqual({
      output: { sum: 3 },
    });
    const picture = await startCall(connections, "mcp__test__picture").result;
    expect(picture.output).toBe(
      "A pixel:\ntest://note\nA note.\ntest://pixel\n[more](test://more)\n[audio audio/wav, 3 bytes, not shown]",
    );
    expect(picture.images?.map(({ mediaType }) => mediaType)).toEqual(["image/png", "image/png"]);
  });

  it("fails with what the server says", async () => {
    const { connections } = shared;
    await expect(startCall(connections, "mcp__test__fail").result).rejects.toMatchObject({
      errorType: "mcp_remote",
      message: "The disk is full.",
    });
    await expect(
      startCall(connections, "mcp__test__echo", { text: 7 }).result,
    ).rejects.toMatchObject({
      errorType: "mcp_remote",
      message: expect.stringContaining("expected string"),
    });
    await expect(startCall(connections, "mcp__test__echo", []).result).rejects.toMatchObject({
      errorType: "invalid_arguments",
    });
  });

  it("reports all progress in order, and none after the end", async () => {
    const { connections } = shared;
    const call = startCall(connections, "mcp__test__steps", { count: 50 });
    expect((await call.result).output).toBe("50 steps");
    const expected = Array.from({ length: 50 }, (_unused, step) => [
      `step ${step + 1}`,
      (step + 1) * 2,
    ]);
    expect(call.progress).toEqual(expected);
    await textOf(connections, "mcp__test__echo", { text: "later" });
    expect(call.progress).toHaveLength(50);
  });

  it("is told when a call is cancelled, and what it says then is not heard", async () => {
    const { connections, notes } = shared;
    const call = startCall(connections, "mcp__test__wait");
    await hasNoted(notes, "waiting");
    call.cancel();
    await expect(call.result).rejects.toMatchObject({ errorType: "cancelled" });
    await hasNoted(notes, "cancelled");
    expect(await textOf(connections, "mcp__test__echo", { text: "still here" })).toBe("still here");
    expect(call.progress).toEqual([]);
  });

  it("killed during a call is a clear error, and is found again on the next call", async () => {
    const { connections, notes, kill, revive } = await start();
    const call = startCall(connections, "mcp__test__wait");
    const failure = expect(call.result).rejects.toMatchObject({
      errorType: "mcp_connection",
      isRetryable: false,
      message: expect.stringMatching(/^The MCP server test disconnected during the call: /),
      suggestion: expect.stringContaining("Check that the MCP server test runs"),
    });
    await hasNoted(notes, "waiting");
    await kill();
    await failure;
    await revive();
    expect(connections.tools()).toHaveLength(13);
    expect(await textOf(connections, "mcp__test__echo", { text: "back" })).toBe("back");
    expect(connections.status()).toEqual([connectedStatus]);
  });

  it("tells when its tools change", async () => {
    const { connections } = await start();
    await textOf(connections, "mcp__test__learn");
    await vi.waitFor(() => expect(connections.tools()).toHaveLength(14), 120_000);
    expect(await textOf(connections, "mcp__test__learned")).toBe("new");
  });

  it("is closed for good", async () => {
    const { connections } = await start();
    await connections.close();
    expect(connections.status()).toMatchObject([{ status: "closed" }]);
    await expect(
      startCall(connections, "mcp__test__echo", { text: "x" }).result,
    ).rejects.toMatchObject({
      errorType: "mcp_connection",
      message: "The MCP server test is closed",
    });
  });
});

describe("silence", () => {
  it("ends a call after its time, and the server is told", async () => {
    const notes = newNotes();
    const config = { ...stdioServer(), env: { MCP_TEST_NOTES: notes }, timeoutMs: 100 };
    const connections = await kept(connected({ test: config }));
    await expect(startCall(connections, "mcp__test__wait").result).rejects.toMatchObject({
      errorType: "timeout",
      message: "The MCP server test stayed silent for too long.",
    });
    await hasNoted(notes, "cancelled");
  });

  it("is broken by progress", async () => {
    const connections = await kept(connected({ test: { ...stdioServer(), timeoutMs: 800 } }));
    const call = startCall(connections, "mcp__test__drip");
    expect((await call.result).output).toBe("dripped");
    expect(call.progress.map(([message]) => message)).toEqual(["1", "2", "3", "4", "5"]);
  });
});

describe("processes", () => {
  it("end with their children when the connection is closed, however stubborn", async () => {
    const connections = await kept(connected({ test: stdioServer("--stubborn") }));
    const server = Number(await textOf(connections, "mcp__test__process"));
    const child = Number(await textOf(connections, "mcp__test__child"));
    expect([isRunning(server), isRunning(child)]).toEqual([true, true]);
    await connections.close();
    await isGone(server);
    await isGone(child);
  });

  it("that die leave their last words and no children", async () => {
    const connections = await kept(connected({ test: stdioServer() }));
    const child = Number(await textOf(connections, "mcp__test__child"));
    await expect(startCall(connections, "mcp__test__die").result).rejects.toMatchObject({
      errorType: "mcp_connection",
      message: expect.stringContaining("I was told to die."),
    });
    await isGone(child);
  });

  it("get what their configuration names, and none of our secrets", async () => {
    const env = { PATH: process.env.PATH, OUR_API_KEY: "ours", NAME: "given" };
    const config = { ...stdioServer(), env: { A: `\${NAME}`, B: `\${NOT_SET:-fallback}` } };
    const connections = await kept(connected({ test: config }, undefined, env));
    const variable = (name: string) => textOf(connections, "mcp__test__variable", { name });
    expect([await variable("A"), await variable("B"), await variable("OUR_API_KEY")]).toEqual([
      "given",
      "fallback",
      "unset",
    ]);
  });
});
