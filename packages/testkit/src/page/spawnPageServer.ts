/** `callboard serve` as a process of its own that a test may kill, on a home that outlives it. */
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { builtProgram } from "../programs/builtProgram.js";

export interface SpawnedPageServer {
  readonly url: string;
  /** Where a browser starts, for the start that runs now. */
  readonly entry: string;
  /** SIGKILL; resolves when the process is gone. */
  kill(): Promise<void>;
  /** The same program again, at the same port: on the same home, or on an empty one. */
  start(on?: "same home" | "empty home"): Promise<void>;
  close(): Promise<void>;
}

interface Start {
  readonly process: ChildProcess;
  readonly entry: URL;
}

export async function spawnPageServer(): Promise<SpawnedPageServer> {
  const folder = await mkdtemp(join(tmpdir(), "callboard-killed-"));
  let homes = 1;
  let started = await serve(folder, `home-${homes}`, "0");
  const { origin: url, port } = started.entry;

  async function stop(signal: "SIGKILL" | "SIGTERM"): Promise<void> {
    const { process: child } = started;
    if (child.exitCode !== null || child.signalCode !== null) return;
    const gone = once(child, "exit");
    child.kill(signal);
    await gone;
  }

  return {
    url,
    get entry() {
      return started.entry.href;
    },
    kill: () => stop("SIGKILL"),
    async start(on = "same home") {
      if (on === "empty home") homes += 1;
      started = await serve(folder, `home-${homes}`, port);
    },
    async close() {
      await stop("SIGTERM");
      await rm(folder, { recursive: true, force: true });
    },
  };
}

async function serve(folder: string, home: string, port: string): Promise<Start> {
  const args = ["serve", "--home", join(folder, home), "--port", port, "--allow", "shell(*)"];
  const program = builtProgram("packages/code/dist/callboard-cli.js");
  const child = spawn(process.execPath, [...program, ...args], {
    cwd: folder,
    env: { PATH: process.env.PATH, HOME: folder },
    stdio: ["ignore", "pipe", "pipe"],
  });
  const entry = await new Promise<URL>((resolve, reject) => {
    let said = "";
    const hear = (chunk: unknown): void => {
      said += String(chunk);
      const [address] = /http:\S+[?]token=\S+(?=\s)/.exec(said) ?? [];
      if (address !== undefined) resolve(new URL(address));
    };
    child.stdout.on("data", hear);
    child.stderr.on("data", hear);
    child.once("exit", () => reject(new Error(`\`callboard serve\` gave no address: ${said}`)));
  });
  return { process: child, entry };
}
