/**
 * The built program in a real pseudo terminal, made by `script` of util-linux. What it writes is kept as
 * it came, and shown on a terminal of the tests that refuses every code which the program does not use.
 */
import { spawn } from "node:child_process";
import { randomUUID } from "node:crypto";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { programArguments, type TestPlace } from "./program.js";
import { createVirtualTerminal, type VirtualTerminal } from "./virtualTerminal.js";

/** On every Debian, and on most others. */
const terminalMaker = "script";

export interface PseudoTerminal {
  readonly terminal: VirtualTerminal;
  /** Everything that was written, byte for byte. */
  written(): string;
  /** Resolves when a line of the terminal, or of what scrolled away, holds the text. */
  untilShown(text: string): Promise<void>;
  type(keys: string): void;
  /** Ends the program as `kill -9` does. */
  kill(): void;
  readonly ended: Promise<number | null>;
}

export interface PseudoTerminalOptions {
  readonly columns: number;
  readonly rows: number;
  readonly env?: Readonly<Record<string, string>>;
}

export function startInTerminal(
  place: TestPlace,
  args: readonly string[],
  { columns, rows, env = {} }: PseudoTerminalOptions,
): PseudoTerminal {
  const quoted = [process.execPath, ...programArguments, ...args].map(
    (word) => `'${word.replaceAll("'", "'\\''")}'`,
  );
  const pidFile = join(place.home, "..", `terminal-${randomUUID()}.pid`);
  const command = `echo $$ > '${pidFile}'; stty rows ${rows} cols ${columns}; exec ${quoted.join(" ")}`;
  const child = spawn(terminalMaker, ["-qefc", command, "/dev/null"], {
    cwd: place.workdir,
    env: { ...place.env, TERM: "xterm-256color", SHELL: "/bin/sh", ...env },
    stdio: ["pipe", "pipe", "inherit"],
  });
  const terminal = createVirtualTerminal(columns, rows);
  let written = "";
  let failure: unknown;
  let watchers: { readonly text: string; tell(): void; fail(error: unknown): void }[] = [];

  function look(): void {
    const lines = terminal.lines().join("\n");
    const due = watchers.filter(({ text }) => failure !== undefined || lines.includes(text));
    watchers = watchers.filter((watcher) => !due.includes(watcher));
    for (const { tell, fail } of due) {
      if (failure === undefined) tell();
      else fail(failure);
    }
  }

  const frames = createFrameCutter();
  child.stdout.setEncoding("utf8").on("data", (chunk: string) => {
    written += chunk;
    try {
      terminal.write(frames(chunk));
    } catch (error) {
      failure = error;
    }
    look();
  });
  const ended = new Promise<number | null>((resolve) => {
    child.once("close", (exitCode) => {
      failure ??= new Error(`it ended; the terminal showed:\n${terminal.lines().join("\n")}`);
      look();
      resolve(exitCode);
    });
  });
  return {
    terminal,
    written: () => written,
    untilShown: (text) =>
      new Promise((tell, fail) => {
        watchers.push({ text, tell, fail });
        look();
      }),
    kill: () => void process.kill(Number(readFileSync(pidFile, "utf8")), "SIGKILL"),
    type: (keys) => void child.stdin.write(keys),
    ended,
  };
}

/** A code may be cut in two by the pipe: its start waits for its rest. */
function createFrameCutter(): (chunk: string) => string {
  let held = "";
  return (chunk) => {
    const text = held + chunk;
    const last = text.lastIndexOf("\u001b");
    const isCut = last !== -1 && !/[A-Za-z]/.test(text.slice(last + 1));
    held = isCut ? text.slice(last) : "";
    return isCut ? text.slice(0, last) : text;
  };
}
