/**
 * Headless runs of the built program with something going wrong in each. Whatever it is, the process ends
 * by itself, its last line is the result, the exit code in it is the process's and one that is true, and
 * the log on disk is closed.
 */
import { spawn } from "node:child_process";
import { existsSync } from "node:fs";
import { mkdir, mkdtemp, readdir, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { builtProgram } from "../programs/builtProgram.js";
import { type CliCase, cliCaseOf } from "./cli/cases.js";
import { type FakeProvider, startFakeProvider } from "./cli/fakeProvider.js";
import { logFaultsOf } from "./logFaults.js";
import { createRandom } from "./random.js";
import type { CaseReport, TorturePart } from "./torturePart.js";

export const cliTorture: TorturePart = {
  name: "cli",
  promise:
    "headless runs with failures, hangs, denials, signals and broken pipes: the last line is the result and its exit code the process's",
  fullCount: 1_000,
  quickCount: 6,
  concurrency: 4,
  tryCase: tryCliRun,
};

/** A busy machine takes its time; a process that takes longer hangs. */
const longestMs = 60_000;

async function tryCliRun(seed: number): Promise<CaseReport> {
  const given = cliCaseOf(createRandom(seed));
  const folder = await mkdtemp(join(tmpdir(), "callboard-cli-"));
  await mkdir(join(folder, "work"));
  const provider = await startFakeProvider();
  try {
    const ended = await runCase(given, folder, provider);
    // Two signals end it at once: what is open then is closed when the session is opened again.
    const isHurried = given.signals.length > 1;
    const onDisk = isHurried ? [] : await faultsOnDisk(folder);
    const faults = [...cliFaultsOf(given, ended), ...onDisk];
    const shown = `${given.kind}, ${given.format}: stderr ${JSON.stringify(ended.stderr.slice(-300))}`;
    return {
      failure: faults.length === 0 ? undefined : [...faults, shown].join("\n"),
      figures: { [given.kind]: 1 },
    };
  } finally {
    await provider.close();
    await rm(folder, { recursive: true, force: true, maxRetries: 10 });
  }
}

interface Ended {
  readonly stdout: string;
  readonly stderr: string;
  readonly exitCode: number | null;
  readonly signal: string | null;
}

async function runCase(given: CliCase, folder: string, provider: FakeProvider): Promise<Ended> {
  const address = provider.address(...given.replies);
  const { flags, format } = given;
  const model = ["--model", "openai:test-model"];
  const child = spawn(
    process.execPath,
    [
      ...builtProgram("packages/code/dist/callboard-cli.js"),
      "-p",
      ...model,
      "--output-format",
      format,
      ...flags,
      "go",
    ],
    {
      cwd: join(folder, "work"),
      env: {
        PATH: process.env.PATH,
        HOME: folder,
        CALLBOARD_HOME: join(folder, "home"),
        OPENAI_BASE_URL: address,
      },
      stdio: ["ignore", "pipe", "pipe"],
    },
  );
  let stdout = "";
  let stderr = "";
  child.stdout.setEncoding("utf8").on("data", (chunk: string) => {
    stdout += chunk;
    if (given.isReaderLeaving) child.stdout.destroy();
  });
  child.stderr.setEncoding("utf8").on("data", (chunk: string) => {
    stderr += chunk;
  });
  const timer = setTimeout(() => child.kill("SIGKILL"), longestMs);
  if (given.signals.length > 0) {
    void provider.untilAsked(address, 1).then(() => {
      for (const signal of given.signals) child.kill(signal);
    });
  }
  return new Promise((resolve) => {
    child.once("close", (exitCode, signal) => {
      clearTimeout(timer);
      resolve({ stdout, stderr, exitCode, signal });
    });
  });
}

function cliFaultsOf(given: CliCase, { stdout, exitCode, signal }: Ended): readonly string[] {
  if (exitCode === null) return [`it did not end by itself but by ${signal}`];
  const faults: string[] = [];
  if (!given.exitCodes.includes(exitCode)) {
    faults.push(`exit code ${exitCode}, expected ${given.exitCodes.join(" or ")}`);
  }
  if (given.isReaderLeaving) return faults;
  const lines = stdout.split("\n");
  if (lines.pop() !== "") faults.push("the last line is not whole");
  const result = parsedResultLine(lines.at(-1));
  if (result?.type !== "result") faults.push(`the last line is no result: ${lines.at(-1)}`);
  else if (result.exitCode !== exitCode) {
    faults.push(`the result says ${String(result.exitCode)}, the process ${exitCode}`);
  }
  const results = lines.filter((line) => parsedResultLine(line)?.type === "result");
  if (results.length > 1) faults.push(`${results.length} results`);
  return faults;
}

function parsedResultLine(line: string | undefined): Readonly<Record<string, unknown>> | undefined {
  try {
    return JSON.parse(line ?? "");
  } catch {
    return undefined;
  }
}

/** Every run that was started has its end. */
async function faultsOnDisk(folder: string): Promise<readonly string[]> {
  const sessions = join(folder, "home", "sessions");
  if (!existsSync(sessions)) return [];
  const faults: string[] = [];
  for (const name of await readdir(sessions)) {
    const log = await readFile(join(sessions, name, "log.jsonl"), "utf8");
    const tail = join(sessions, name, "tail.jsonl");
    faults.push(...logFaultsOf(log + (existsSync(tail) ? await readFile(tail, "utf8") : "")));
  }
  return faults;
}
