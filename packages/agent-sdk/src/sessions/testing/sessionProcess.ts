/** Starts real processes that use sessions, exchanges lines with them, and kills them. For tests alone. */
import { type ChildProcess, spawn } from "node:child_process";
import { createInterface } from "node:readline";
import { builtProgram } from "@callboard/testkit";

export interface SessionProcess {
  readonly pid: number;
  say(line: string): void;
  /** Its next line; undefined once it has ended. */
  next(): Promise<string | undefined>;
  /** Kills it without warning and resolves when it has ended, with its unread lines. */
  kill(): Promise<readonly string[]>;
  /** Resolves when it is gone by itself. */
  ended(): Promise<void>;
}

/** `fileBlocks` limits the size of any file that it writes, in the shell's blocks. */
export function startSessionProcess(
  home: string,
  limits: { readonly fileBlocks?: number } = {},
): SessionProcess {
  const program = builtProgram("packages/agent-sdk/dist/sessions/testing/session-process-cli.js");
  const limit = limits.fileBlocks === undefined ? "" : `ulimit -f ${limits.fileBlocks}; `;
  const child: ChildProcess = spawn(
    "/bin/sh",
    ["-c", `${limit}exec "$0" "$@"`, process.execPath, ...program, home],
    { stdio: ["pipe", "pipe", "inherit"] },
  );
  const { stdin, stdout, pid } = child;
  if (!stdin || !stdout || pid === undefined) throw new Error("the process did not start");
  const ended = new Promise<void>((resolve) => child.once("close", () => resolve()));
  const lines = createInterface({ input: stdout })[Symbol.asyncIterator]();
  // Its input breaks when it is killed, which is what the tests do to it.
  stdin.on("error", () => {});

  async function next(): Promise<string | undefined> {
    const { done, value } = await lines.next();
    return done ? undefined : value;
  }

  return {
    pid,
    say: (line) => void stdin.write(`${line}\n`),
    next,
    async kill() {
      child.kill("SIGKILL");
      const rest: string[] = [];
      for (let line = await next(); line !== undefined; line = await next()) rest.push(line);
      await ended;
      return rest;
    },
    ended: () => ended,
  };
}
