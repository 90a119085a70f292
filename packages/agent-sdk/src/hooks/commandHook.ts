/**
 * A hook that is a command: it reads its subject as JSON on its standard input and answers with JSON on
 * its standard output, or with its exit code. Any other end is a failure, which is thrown.
 *
 * exit 0, no output   no answer
 * exit 0, JSON        the answer, as a function would return it
 * exit 2              denied; standard error contains the reason
 * anything else       failed
 */

import { type ChildProcess, spawn } from "node:child_process";
import { withoutUndefined } from "@callboard/run-log/values";
import type { Hook, HookContext } from "../types/hooks.js";
import { abortReasonOf } from "../utils/abortReason.js";

export type CommandHookMoment = Exclude<keyof Hook, "name" | "tools" | "timeoutMs">;

export interface CommandHookOptions {
  /** The name of the decider in the log. Default the command. */
  readonly name?: string;
  /** The moment at which the command is run. */
  readonly on: CommandHookMoment;
  /** The tools for whose calls it is called. Default all. */
  readonly tools?: readonly string[];
  /** A command line for the system's shell. */
  readonly command: string;
  readonly timeoutMs?: number;
  /** The folder it runs in. Default the current one. */
  readonly cwd?: string;
  /** Default the environment of the process. */
  readonly env?: Readonly<Record<string, string | undefined>>;
}

/** An answer is a few words: a command that writes more is stopped. */
const maxOutputBytes = 1_000_000;
const denied = 2;

/** Creates a hook that runs a command and reads its answer from standard output. */
export function createCommandHook(options: CommandHookOptions): Hook {
  const { on, tools, timeoutMs, name = options.command } = options;
  const ask = (subject: object, { signal }: HookContext) =>
    hookAnswerOf(options, { moment: on, ...subject }, signal);
  return {
    name,
    ...withoutUndefined({ tools, timeoutMs }),
    [on]: ask,
  };
}

async function hookAnswerOf(
  { on, command, cwd, env = process.env }: CommandHookOptions,
  subject: object,
  signal: AbortSignal,
): Promise<object | undefined> {
  const end = await ran(command, { cwd, env }, `${JSON.stringify(subject)}\n`, signal);
  const said = end.errors.trim();
  if (end.exitCode === denied && (on === "beforeCall" || on === "promptSubmit")) {
    return { decision: "deny", ...(said === "" ? {} : { reason: said }) };
  }
  if (end.exitCode !== 0) {
    throw new Error(`it ended with exit code ${end.exitCode}${said === "" ? "" : `: ${said}`}`);
  }
  const text = end.output.trim();
  return text === "" ? undefined : parsedOutput(text);
}

function parsedOutput(text: string): object {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw new Error(`its output is not JSON: ${text.slice(0, 200)}`);
  }
  if (typeof value === "object" && value !== null) return value;
  throw new Error(`its output is not a JSON object: ${text.slice(0, 200)}`);
}

interface CommandEnd {
  readonly exitCode: number | string;
  readonly output: string;
  readonly errors: string;
}

interface Place {
  readonly cwd: string | undefined;
  readonly env: Readonly<Record<string, string | undefined>>;
}

function ran(
  command: string,
  { cwd, env }: Place,
  input: string,
  signal: AbortSignal,
): Promise<CommandEnd> {
  return new Promise((resolve, reject) => {
    if (signal.aborted) return reject(new Error(abortReasonOf(signal)));
    const child = spawn(command, {
      shell: true,
      // A group of its own, so that what it started ends with it.
      detached: process.platform !== "win32",
      stdio: ["pipe", "pipe", "pipe"],
      env,
      ...withoutUndefined({ cwd }),
    });
    const stop = (problem: string): void => {
      endGroup(child);
      reject(new Error(problem));
    };
    const onAbort = (): void => stop(abortReasonOf(signal));
    signal.addEventListener("abort", onAbort, { once: true });
    const tooMuch = (): void => stop(`it wrote more than ${maxOutputBytes} bytes`);
    const output = collected(child.stdout, tooMuch);
    const errors = collected(child.stderr, tooMuch);
    child.once("error", (error) => stop(`it could not be started: ${error.message}`));
    child.once("close", (code, killedBy) => {
      signal.removeEventListener("abort", onAbort);
      resolve({ exitCode: code ?? killedBy ?? "unknown", output: output(), errors: errors() });
    });
    // A command that does not read its input has still answered.
    child.stdin.on("error", () => undefined);
    child.stdin.end(input);
  });
}

function collected(stream: NodeJS.ReadableStream, tooMuch: () => void): () => string {
  const chunks: Buffer[] = [];
  let length = 0;
  stream.on("data", (chunk: Buffer) => {
    length += chunk.length;
    if (length > maxOutputBytes) tooMuch();
    else chunks.push(chunk);
  });
  return () => Buffer.concat(chunks).toString("utf8");
}

function endGroup(child: ChildProcess): void {
  if (child.pid === undefined) return;
  try {
    if (process.platform === "win32") child.kill("SIGKILL");
    else process.kill(-child.pid, "SIGKILL");
  } catch {
    // It ended by itself meanwhile.
  }
}
