/**
 * A server as a child process with JSON lines. It leads a process group of its own, so that closing leaves no process
 * behind; its stderr is reported as it comes and its last output is kept. It gets the few variables that programs need,
 * and those of its configuration.
 */

import { type ChildProcessByStdio, spawn } from "node:child_process";
import type { Readable, Writable } from "node:stream";
import { messageOfError, withoutUndefined } from "@callboard/run-log/values";
import { deserializeMessage, serializeMessage, type Transport } from "@modelcontextprotocol/client";
import { DEFAULT_INHERITED_ENV_VARS } from "@modelcontextprotocol/client/stdio";
import type { Clock } from "../types/clock.js";
import { createLineReader } from "./lineReader.js";
import { forgetGroup, signalGroup, watchGroup } from "./processGroups.js";
import type { Environment, McpStdioConfig } from "./serverConfig.js";

export interface StdioTransportOptions {
  readonly env: Environment;
  readonly clock: Clock;
  readonly onStderr: (text: string) => void;
}

type Child = ChildProcessByStdio<Writable, Readable, Readable>;

const exitWaitMs = 1_000;

export function createStdioTransport(
  config: McpStdioConfig,
  { env, clock, onStderr }: StdioTransportOptions,
): Transport {
  let child: Child | undefined;
  let exited: Promise<void> = Promise.resolve();

  const readLine = (line: string): void => {
    try {
      transport.onmessage?.(deserializeMessage(line));
    } catch (error) {
      const reason = messageOfError(error);
      transport.onerror?.(new Error(`The server wrote a line that is not a message: ${reason}`));
    }
  };

  function start(): Promise<void> {
    return new Promise((resolve, reject) => {
      const started: Child = spawn(config.command, [...(config.args ?? [])], {
        env: { ...inherited(env), ...config.env },
        stdio: ["pipe", "pipe", "pipe"],
        detached: process.platform !== "win32",
        windowsHide: true,
        ...withoutUndefined({ cwd: config.cwd }),
      });
      child = started;
      exited = new Promise((settle) => {
        started.once("close", () => settle());
      });
      started.once("spawn", () => {
        watchGroup(started.pid ?? 0);
        resolve();
      });
      started.on("error", (error) => {
        reject(error);
        transport.onerror?.(error);
      });
      started.once("exit", () => sweep(started));
      started.once("close", () => transport.onclose?.());
      started.stdin.on("error", (error) => transport.onerror?.(error));
      started.stderr.setEncoding("utf8").on("data", onStderr);
      started.stdout.on(
        "data",
        createLineReader(readLine, () => giveUp(started)),
      );
    });
  }

  function giveUp({ pid }: Child): void {
    transport.onerror?.(new Error("The server wrote a line without end; it was stopped."));
    if (pid !== undefined) signalGroup(pid, "SIGKILL");
  }

  function send(message: Parameters<Transport["send"]>[0]): Promise<void> {
    return new Promise((resolve, reject) => {
      if (child === undefined || child.exitCode !== null || child.signalCode !== null) {
        reject(new Error("The server is not running."));
        return;
      }
      child.stdin.write(serializeMessage(message), (error) => {
        if (error) reject(error);
        else resolve();
      });
    });
  }

  /** First closes stdin, then sends SIGTERM, then SIGKILL. */
  async function close(): Promise<void> {
    const closing = child;
    if (closing?.pid === undefined) return;
    closing.stdin.end();
    if (await happensInTime(exited, clock)) return;
    signalGroup(closing.pid, "SIGTERM");
    if (await happensInTime(exited, clock)) return;
    signalGroup(closing.pid, "SIGKILL");
    await exited;
  }

  const transport: Transport = { start, send, close };
  return transport;
}

/** The processes that the leader of the group left behind. */
function sweep({ pid }: Child): void {
  if (pid === undefined) return;
  signalGroup(pid, "SIGKILL");
  forgetGroup(pid);
}

async function happensInTime(event: Promise<void>, clock: Clock): Promise<boolean> {
  const waiting = new AbortController();
  const happened = event.then(() => true);
  const late = clock.sleep(exitWaitMs, waiting.signal).then(() => false);
  const inTime = await Promise.race([happened, late]);
  waiting.abort();
  return inTime;
}

const inherited = (env: Environment): Record<string, string> =>
  Object.fromEntries(
    DEFAULT_INHERITED_ENV_VARS.flatMap((name) => {
      const value = env[name];
      return value === undefined || value.startsWith("()") ? [] : [[name, value]];
    }),
  );
