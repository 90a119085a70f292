/** What a test of MCP needs: a context that records its reports, servers as processes. */

import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import type { JsonValue } from "@callboard/run-log";
import { systemCodeOf } from "@callboard/run-log/values";
import { builtProgram } from "@callboard/testkit";
import { systemClock } from "../../system/systemClock.js";
import type { Clock } from "../../types/clock.js";
import type { Logger } from "../../types/logger.js";
import type { ToolContext, ToolDefinition, ToolResult } from "../../types/tools.js";
import { connectMcpServers, type McpConnections, type McpServerConfig } from "../index.js";
import { createMemoryLogins } from "../logins.js";
import type { McpStdioConfig } from "../serverConfig.js";

export const silentLogger: Logger = {
  debug: () => undefined,
  info: () => undefined,
  warn: () => undefined,
  error: () => undefined,
};

const programOf = (file: string): string[] => [
  ...builtProgram(`packages/agent-sdk/src/mcp/testing/${file}`),
];

export const stdioServer = (...flags: readonly string[]): McpStdioConfig => ({
  command: process.execPath,
  args: [...programOf("stdio-server-cli.js"), ...flags],
});

export const connected = (
  configs: Readonly<Record<string, McpServerConfig>>,
  clock: Clock = systemClock,
  env: Readonly<Record<string, string | undefined>> = process.env,
): Promise<McpConnections> =>
  connectMcpServers(configs, {
    ...{ logger: silentLogger, clock, env, canAsk: true },
    logins: createMemoryLogins(),
    howToLogIn: (server) => `Log in at ${server}.`,
  });

export function toolNamed(connections: McpConnections, name: string): ToolDefinition {
  const tool = connections.tools().find((one) => one.name === name);
  if (tool === undefined) throw new Error(`There is no tool ${name}.`);
  return tool;
}

export interface StagedCall {
  readonly result: Promise<ToolResult>;
  /** The reports of the tool, in order. */
  readonly progress: readonly (readonly [message: string, percent: number | undefined])[];
  cancel(): void;
}

export function startCall(
  connections: McpConnections,
  name: string,
  input: JsonValue = {},
): StagedCall {
  const progress: [string, number | undefined][] = [];
  const controller = new AbortController();
  const context: ToolContext = {
    callId: "call",
    toolName: name,
    runId: "run",
    effectKey: "effect",
    sessionId: "session",
    workdir: "/",
    additionalDirectories: [],
    signal: controller.signal,
    logger: silentLogger,
    progress: (message, percent) => void progress.push([message, percent]),
    step: () => undefined,
    preview: () => undefined,
    terminal: () => undefined,
    output: () => undefined,
    title: () => undefined,
    locations: () => undefined,
  };
  return {
    result: toolNamed(connections, name).execute(input, context),
    progress,
    cancel: () => controller.abort(),
  };
}

export interface HttpServer {
  readonly port: number;
  readonly url: string;
  kill(): Promise<void>;
}

export async function startHttpServer(port = 0, notes = ""): Promise<HttpServer> {
  const child: ChildProcess = spawn(
    process.execPath,
    [...programOf("http-server-cli.js"), String(port)],
    { stdio: ["ignore", "pipe", "inherit"], env: { ...process.env, MCP_TEST_NOTES: notes } },
  );
  if (child.stdout === null) throw new Error("The server has no stdout.");
  const [line]: unknown[] = await Promise.race([
    once(child.stdout, "data"),
    once(child, "exit").then(([code]) => {
      throw new Error(`The server ended at once: ${String(code)}`);
    }),
  ]);
  const taken = Number(String(line).trim());
  return {
    port: taken,
    url: `http://127.0.0.1:${taken}/mcp`,
    async kill() {
      if (child.exitCode !== null || child.signalCode !== null) return;
      const gone = once(child, "exit");
      child.kill("SIGKILL");
      await gone;
    },
  };
}

export function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    if (systemCodeOf(error) === "ESRCH") return false;
    throw error;
  }
}
