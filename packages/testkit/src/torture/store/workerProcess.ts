/** A worker in a process of its own: read, killed without warning, paused, or asked to end. */
import { type ChildProcessByStdio, spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import type { Readable } from "node:stream";
import { builtProgram } from "../../programs/builtProgram.js";
import { type Word, wordIn } from "./words.js";
import type { WorkerCase } from "./workerCase.js";

export interface WorkerProcess {
  /** Resolves at the given number of words in all, or when the process is gone. */
  untilHeard(words: number): Promise<void>;
  kill(): Promise<void>;
  pause(): void;
  goOn(): void;
  /** Lets it finish what it has started. */
  end(): Promise<void>;
  /** What it complained about, and how it ended if not by us. */
  readonly complaints: readonly string[];
}

export function startWorker(worker: WorkerCase, hear: (word: Word) => void): WorkerProcess {
  const program = builtProgram("packages/testkit/dist/torture/store/store-worker-cli.js");
  const child: ChildProcessByStdio<null, Readable, Readable> = spawn(
    process.execPath,
    [...program, JSON.stringify(worker)],
    { stdio: ["ignore", "pipe", "pipe"] },
  );
  const complaints: string[] = [];
  const waiting = new Set<() => void>();
  let heard = 0;
  let isOurs = false;
  const gone = once(child, "close").then(([code, signal]) => {
    if (!isOurs || (signal === null && code !== 0)) {
      complaints.push(`a worker ended with ${code ?? signal}`);
    }
    for (const wake of waiting) wake();
  });
  child.stderr.setEncoding("utf8").on("data", (text: string) => complaints.push(text));
  createInterface({ input: child.stdout }).on("line", (line) => {
    const word = wordIn(line);
    if (!word) return;
    heard += 1;
    hear(word);
    for (const wake of waiting) wake();
  });
  return {
    complaints,
    async untilHeard(words) {
      while (heard < words && child.exitCode === null && child.signalCode === null) {
        await new Promise<void>((resolve) => {
          waiting.add(resolve);
        });
        waiting.clear();
      }
    },
    async kill() {
      isOurs = true;
      child.kill("SIGKILL");
      await gone;
    },
    pause: () => void child.kill("SIGSTOP"),
    goOn: () => void child.kill("SIGCONT"),
    async end() {
      isOurs = true;
      child.kill("SIGCONT");
      child.kill("SIGTERM");
      await gone;
    },
  };
}
