/**
 * One command as a process group that cannot outlive this process. A watcher outside the group holds a pipe
 * from us; when it closes, because the command is over, was stopped, or because this process has ended, the
 * watcher ends all that is left. The command starts only when its watcher is there. Nothing here
 * needs an exit handler, and it never kills by itself.
 *
 * Not reached: a process that left the group, the mark in the environment and all parents at once (a
 * daemon that cleared its environment), and what another service starts on request.
 */
import { type ChildProcess, spawn } from "node:child_process";
import { randomUUID } from "node:crypto";
import { Socket } from "node:net";
import { constants } from "node:os";
import { ToolFailure } from "../utils/toolFailure.js";
import { leaderScript, watcherScript } from "./shellScripts.js";

export interface ShellCommand {
  readonly shell: string;
  readonly command: string;
  readonly cwd: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Aborting ends the command and all it started. */
  readonly signal: AbortSignal;
  /** Output in the order of its arrival; the command waits while this is pending. */
  readonly onOutput: (chunk: Uint8Array) => Promise<void>;
}

/** `isAllGone`: no started process is left. An exit code of 128 and more means a signal. */
export type ShellEnd =
  | { readonly status: "exited"; readonly exitCode: number; readonly isAllGone: boolean }
  | { readonly status: "stopped"; readonly isAllGone: boolean };

/** The ids of all calls around a process: a command may itself run an agent. */
const markVariable = "CALLBOARD_CALLS";
/** How long the output may stay open and silent after the command is over. */
const idleMs = 250;

/** Resolves when the command is over and what it started is gone. */
export async function runShellCommand(command: ShellCommand): Promise<ShellEnd> {
  const { signal } = command;
  signal.throwIfAborted();
  const group = startGroup(command);
  const exits = {
    leader: shellExitOf(group.leader),
    watcher: shellExitOf(group.watcher).then(group.retry),
  };
  const stop = () => group.watcher.stdin?.end();
  const idle = createIdleTimer(idleMs, stop);
  const reported = exitCodeFrom(group.control);
  void reported.then(idle.start);
  void exits.leader.then(idle.start);
  signal.addEventListener("abort", stop, { once: true });
  try {
    group.control.write("go\n");
    for await (const chunk of group.output) {
      idle.hold();
      await command.onOutput(chunk);
      idle.release();
    }
  } finally {
    idle.end();
    signal.removeEventListener("abort", stop);
    stop();
    await Promise.all([exits.leader, exits.watcher]);
    group.control.destroy();
  }
  const [code, leader, watcher] = await Promise.all([reported, exits.leader, exits.watcher]);
  const isAllGone = watcher === 0;
  if (code === undefined && signal.aborted) return { status: "stopped", isAllGone };
  // A leader that ends well without a code lost the part that reports it.
  const exitCode = code ?? (leader === 0 ? exitCodeOf("SIGKILL") : leader);
  return { status: "exited", exitCode, isAllGone };
}

interface Group {
  readonly leader: ChildProcess;
  readonly watcher: ChildProcess;
  readonly control: Socket;
  readonly output: AsyncIterable<Uint8Array>;
  /** From the watcher's exit code to that of the process that did its work. */
  readonly retry: (code: number) => number | Promise<number>;
}

function startGroup({ shell, command, cwd, env }: ShellCommand): Group {
  const mark = randomUUID();
  const marks = [env[markVariable], mark].filter((one) => one !== undefined).join(",");
  const leader = spawn("/bin/sh", ["-c", leaderScript, "callboard-shell", shell, command], {
    cwd,
    env: { ...env, [markVariable]: marks },
    detached: true,
    stdio: ["ignore", "pipe", "ignore", "pipe"],
  });
  // Without file descriptors there is neither a process nor a `stdio`, and the error comes as an event.
  leader.on("error", () => {
    // Set when the process turns out to be missing, or by its exit.
  });
  const control = leader.stdio?.[3];
  if (leader.pid === undefined || leader.stdout === null || !(control instanceof Socket)) {
    throw notStarted("The command could not be started.");
  }
  control.on("error", () => {
    // The leader ended before it read its line or after it reported its code; its exit contains the rest.
  });
  const target = [String(leader.pid), mark];
  const watcher = startWatcher(target, "pipe");
  if (watcher.pid === undefined || !watcher.stdin) {
    control.destroy();
    throw notStarted("The watcher of the command could not be started.");
  }
  watcher.stdin.on("error", () => {
    // The watcher has ended; its exit is handled where it is awaited.
  });
  // Someone may have ended the watcher: another one then does its work at once.
  const retry = (code: number) => (code === 0 ? code : shellExitOf(startWatcher(target, "ignore")));
  return { leader, watcher, control, output: leader.stdout, retry };
}

function startWatcher(target: readonly string[], stdin: "pipe" | "ignore"): ChildProcess {
  const watcher = spawn("/bin/sh", ["-c", watcherScript, "callboard-watcher", ...target], {
    cwd: "/",
    env: { PATH: process.env.PATH },
    detached: true,
    stdio: [stdin, "ignore", "ignore"],
  });
  watcher.on("error", () => {
    // Set when the process turns out to be missing, or by its exit.
  });
  return watcher;
}

function notStarted(message: string): ToolFailure {
  return new ToolFailure("not_started", message, {
    suggestion: "Check that the working folder exists and that the system can start processes.",
  });
}

function shellExitOf(child: ChildProcess): Promise<number> {
  return new Promise((resolve) => {
    child.once("exit", (code, signal) => resolve(code ?? exitCodeOf(signal ?? "SIGKILL")));
    child.once("error", () => resolve(exitCodeOf("SIGKILL")));
  });
}

/** The form in which shells report a signal. */
function exitCodeOf(signal: NodeJS.Signals): number {
  return 128 + constants.signals[signal];
}

/** The line that the leader writes when the command is over. */
function exitCodeFrom(control: Socket): Promise<number | undefined> {
  return new Promise((resolve) => {
    let text = "";
    control.setEncoding("utf8");
    control.on("data", (piece) => {
      text += piece;
      if (text.endsWith("\n")) resolve(Number.parseInt(text, 10));
    });
    control.once("close", () => resolve(undefined));
  });
}

interface IdleTimer {
  /** From now on silence counts. */
  start(): void;
  hold(): void;
  release(): void;
  end(): void;
}

function createIdleTimer(milliseconds: number, onIdle: () => void): IdleTimer {
  let timer: NodeJS.Timeout | undefined;
  let isStarted = false;
  let isHeld = false;
  let isEnded = false;
  function arm(): void {
    clearTimeout(timer);
    if (isStarted && !isHeld && !isEnded) timer = setTimeout(onIdle, milliseconds);
  }
  return {
    start() {
      isStarted = true;
      arm();
    },
    hold() {
      isHeld = true;
      arm();
    },
    release() {
      isHeld = false;
      arm();
    },
    end() {
      isEnded = true;
      arm();
    },
  };
}
