/**
 * Starts an agent in a process of its own, waits for the moment that was chosen, and kills it with no
 * warning. Returns what the process reported before it ended; nothing is judged here.
 */
import { spawn } from "node:child_process";
import { createInterface } from "node:readline";
import { builtProgram } from "../../programs/builtProgram.js";
import type { CrashScript, KillPoint } from "./script.js";

/** A busy machine takes its time; a process that takes longer hangs. */
const startMs = 60_000;
const firstEventMs = 5_000;

export interface KilledAgentOptions {
  readonly home: string;
  readonly workdir: string;
  /** Found again in the environment of everything that the process starts. */
  readonly mark: string;
  readonly script: CrashScript;
  readonly kill: KillPoint;
  /** Runs that an earlier process started: they are reported again and do not count. */
  readonly knownRuns: ReadonlySet<string>;
}

export interface KilledAgent {
  /** The last event of each run that the process reported as stored. */
  readonly told: ReadonlyMap<string, number>;
  /** Whether it had done all it was asked before it was killed. */
  readonly wasDone: boolean;
  /** What it complained about, and how it ended if not by the kill. */
  readonly complaint: string;
}

export function killedAgent(options: KilledAgentOptions): Promise<KilledAgent> {
  const program = builtProgram("packages/testkit/dist/torture/crash/crashed-agent-cli.js");
  const { home, workdir, mark, script, kill, knownRuns } = options;
  const child = spawn(process.execPath, program, {
    cwd: workdir,
    // The mark is in PATH because that is the one variable which every process of ours is given.
    env: { ...process.env, CALLBOARD_HOME: home, PATH: `${process.env.PATH}:/${mark}` },
    stdio: ["pipe", "pipe", "pipe"],
  });
  const told = new Map<string, number>();
  let count = 0;
  let wasDone = false;
  let wasKilled = false;
  let complaint = "";
  let timer: NodeJS.Timeout | undefined;

  function killIn(milliseconds: number): void {
    clearTimeout(timer);
    timer = setTimeout(() => {
      if (child.kill("SIGKILL")) wasKilled = true;
    }, milliseconds);
  }

  /** Once the moment has come nothing moves it. */
  let isDue = false;
  function hear(line: string): void {
    const [word, runId = "", seq, type] = line.split(" ");
    if (word === "done") wasDone = true;
    // The kill may have cut the last line short; then its number cannot be trusted.
    if (word === "event" && type !== undefined) told.set(runId, Number(seq));
    const isNew = word !== "event" || !knownRuns.has(runId);
    if (isNew && isMeant(kill.trigger, word, type)) count += 1;
    if (isDue) return;
    isDue = count >= kill.count || wasDone;
    if (isDue) killIn(kill.delayMs);
    else killIn(word === "up" ? firstEventMs : kill.quietMs);
  }

  child.stdin.on("error", () => {
    // It was killed, or ended, during a write to it; its exit is handled elsewhere.
  });
  child.stdin.write(`${JSON.stringify(script)}\n`);
  child.stderr.setEncoding("utf8").on("data", (text: string) => {
    complaint += text;
  });
  killIn(startMs);
  createInterface({ input: child.stdout }).on("line", hear);
  return new Promise((resolve, reject) => {
    child.once("error", reject);
    child.once("close", (code, signal) => {
      clearTimeout(timer);
      if (!wasKilled) complaint += `it ended by itself with ${code ?? signal}`;
      resolve({ told, wasDone, complaint });
    });
  });
}

function isMeant(
  trigger: KillPoint["trigger"],
  word: string | undefined,
  type: string | undefined,
): boolean {
  switch (trigger) {
    case "up":
      return word === "up";
    case "event":
      return word === "event";
    case "call.run.started":
      return type === "call.run.started";
    default:
      return trigger satisfies never;
  }
}
