/** The built program in a process of its own, in pipes, for tests: its output and its exit. */
import { type ChildProcessByStdio, spawn } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Readable, Writable } from "node:stream";
import { builtProgram } from "@callboard/testkit";
import { type ProgramEnd, startHere, type TalkingProgram } from "./programHere.js";

/** What Node is started with to run the program. */
export const programArguments = builtProgram("packages/code/dist/callboard-cli.js");

export interface Ended extends ProgramEnd {
  readonly signal: NodeJS.Signals | null;
}

export interface RunningProgram extends TalkingProgram {
  readonly child: ChildProcessByStdio<Writable, Readable, Readable>;
  /** Resolves when standard output holds the text. */
  untilSaid(text: string): Promise<void>;
  readonly ended: Promise<Ended>;
}

export interface RunOptions {
  readonly env?: Readonly<Record<string, string>>;
  /** Its whole standard input. */
  readonly input?: string;
}

/** A home and a working folder of its own. */
export interface TestPlace {
  readonly home: string;
  readonly workdir: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Starts it in a process of its own. */
  start(args: readonly string[], env?: Readonly<Record<string, string>>): RunningProgram;
  /** Starts it in this process. */
  startHere(args: readonly string[], env?: Readonly<Record<string, string>>): TalkingProgram;
  /** Runs it to its end in this process. */
  run(args: readonly string[], options?: RunOptions): Promise<ProgramEnd>;
  /** Runs it to its end in a process of its own. */
  runAlone(args: readonly string[], options?: RunOptions): Promise<Ended>;
  remove(): void;
}

export function createTestPlace(): TestPlace {
  const folder = mkdtempSync(join(tmpdir(), "callboard-program-"));
  const home = join(folder, "home");
  const workdir = join(folder, "work");
  mkdirSync(workdir);
  const env = {
    PATH: process.env.PATH,
    HOME: folder,
    CALLBOARD_HOME: home,
    XDG_CONFIG_HOME: join(folder, "config"),
  };

  function start(
    args: readonly string[],
    more: Readonly<Record<string, string>> = {},
  ): RunningProgram {
    const child = spawn(process.execPath, [...programArguments, ...args], {
      cwd: workdir,
      env: { ...env, ...more },
      stdio: ["pipe", "pipe", "pipe"],
    });
    return followed(child);
  }

  const startInThisProcess: TestPlace["startHere"] = (args, more = {}) =>
    startHere(args, { cwd: workdir, env: { ...env, ...more } });

  return {
    home,
    workdir,
    env,
    start,
    startHere: startInThisProcess,
    run(args, { env: more = {}, input = "" } = {}) {
      const { child, ended } = startInThisProcess(args, more);
      child.stdin.end(input);
      return ended;
    },
    runAlone(args, { env: more = {}, input = "" } = {}) {
      const { child, ended } = start(args, more);
      // A program that does not read its input closes it first.
      child.stdin.on("error", () => undefined);
      child.stdin.end(input);
      return ended;
    },
    remove: () => rmSync(folder, { recursive: true, force: true, maxRetries: 5 }),
  };
}

export function followed(child: ChildProcessByStdio<Writable, Readable, Readable>): RunningProgram {
  let stdout = "";
  let stderr = "";
  let watchers: { readonly text: string; tell(): void }[] = [];
  child.stdout.setEncoding("utf8").on("data", (chunk: string) => {
    stdout += chunk;
    const due = watchers.filter(({ text }) => stdout.includes(text));
    watchers = watchers.filter((watcher) => !due.includes(watcher));
    for (const { tell } of due) tell();
  });
  child.stderr.setEncoding("utf8").on("data", (chunk: string) => {
    stderr += chunk;
  });
  return {
    child,
    untilSaid: (text) =>
      new Promise((tell) => {
        if (stdout.includes(text)) tell();
        else watchers.push({ text, tell });
      }),
    ended: new Promise((resolve) => {
      child.once("close", (exitCode, signal) => resolve({ stdout, stderr, exitCode, signal }));
    }),
  };
}

/** The lines of an NDJSON output. */
export function jsonLines(text: string): readonly Readonly<Record<string, unknown>>[] {
  return text
    .split("\n")
    .filter((line) => line !== "")
    .map((line) => JSON.parse(line));
}
