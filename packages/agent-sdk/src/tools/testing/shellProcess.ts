/** Starts real processes that run commands, and searches for what they leave behind. For tests alone. */
import { spawn } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";
import { createInterface } from "node:readline";
import { setTimeout as sleep } from "node:timers/promises";
import { builtProgram } from "@callboard/testkit";

export interface ShellTestProcess {
  /** Resolves when so many lines with this prefix were printed, or the process has ended. */
  said(start: string, count: number): Promise<readonly string[]>;
  say(line: string): void;
  kill(): void;
  readonly ended: Promise<void>;
}

export function startShellProcess(folder: string, commands: readonly string[]): ShellTestProcess {
  const program = builtProgram("packages/agent-sdk/dist/tools/testing/shell-process-cli.js");
  const child = spawn(process.execPath, [...program, folder, ...commands], {
    stdio: ["pipe", "pipe", "ignore"],
  });
  const lines: string[] = [];
  const waiting = new Set<() => void>();
  const wake = () => {
    for (const check of waiting) check();
  };
  let isEnded = false;
  const ended = new Promise<void>((resolve) => {
    child.once("close", () => {
      isEnded = true;
      resolve();
      wake();
    });
  });
  createInterface({ input: child.stdout }).on("line", (line) => {
    lines.push(line);
    wake();
  });
  child.stdin.on("error", () => {
    // The tests kill it during the exchange.
  });
  return {
    ended,
    kill: () => void child.kill("SIGKILL"),
    say: (line) => void child.stdin.write(`${line}\n`),
    said: (start, count) =>
      new Promise((resolve) => {
        const check = () => {
          const found = lines.filter((line) => line.startsWith(start));
          if (found.length < count && !isEnded) return;
          waiting.delete(check);
          resolve(found);
        };
        waiting.add(check);
        check();
      }),
  };
}

/** Processes whose arguments hold one of the texts. */
export function processesWith(...texts: readonly string[]): readonly string[] {
  return readdirSync("/proc")
    .filter((name) => /^\d+$/.test(name) && name !== String(process.pid))
    .filter((pid) => {
      const given = argumentsOf(pid);
      return texts.some((text) => given.includes(text));
    });
}

function argumentsOf(pid: string): string {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, "utf8");
  } catch {
    // It ended while it was looked at.
    return "";
  }
}

/** Those that are still there when the time is up. */
export async function survivorsWith(
  texts: readonly string[],
  milliseconds = 120_000,
): Promise<readonly string[]> {
  const end = Date.now() + milliseconds;
  for (;;) {
    const found = processesWith(...texts);
    if (found.length === 0 || Date.now() > end) return found;
    await sleep(50);
  }
}

/** A number of seconds that no other process sleeps. */
export function uniqueSeconds(): string {
  return `9${Math.floor(Math.random() * 1e8)}.${process.pid}`;
}

/** Commands that resist being ended, each sleeping so long; all say something first. */
export function stubbornCommands(seconds: string): readonly string[] {
  const sleeping = `sleep ${seconds}`;
  return [
    `echo ready; ${sleeping}`,
    `${sleeping} & ${sleeping} & echo ready; wait`,
    `trap '' TERM HUP INT; echo ready; while :; do ${sleeping}; done`,
    `setsid ${sleeping} & echo ready; ${sleeping}`,
    `(setsid sh -c '${sleeping}; true' >/dev/null 2>&1 &); echo ready; ${sleeping}`,
    `( ( setsid ${sleeping} & ) & ); echo ready; ${sleeping}`,
    `env -i setsid ${sleeping} & echo ready; wait`,
    `nohup ${sleeping} >/dev/null 2>&1 & disown; echo ready; ${sleeping}`,
    `bash -c 'echo ready; bash -c "${sleeping}; true"; true'; true`,
    `yes ${seconds}`,
  ];
}
