/** The runner's side of the process that runs tests: started when it is needed, killed when it takes too long. */
import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import { z } from "zod";

export const hostRequestSchema = z.object({
  /** Files that changed since the last request. */
  changed: z.array(z.string()),
  tests: z.array(z.string()),
  /** In a worker that has run nothing before. */
  isAnew: z.boolean(),
});
export type HostRequest = z.infer<typeof hostRequestSchema>;

const hostAnswerSchema = z.object({
  /** The test files that passed, with what their tests and imports took. */
  passed: z.array(z.object({ test: z.string(), ms: z.number() })),
  /** The names of the tests that failed. */
  failures: z.array(z.string()),
});
export type HostAnswer = z.infer<typeof hostAnswerSchema>;

export interface Host {
  /** `undefined` where the tests took longer than `limitMs`. */
  run(request: HostRequest, limitMs: number): Promise<HostAnswer | undefined>;
  /** Files that changed and will be read again by the next run. */
  forget(files: readonly string[]): void;
  close(): Promise<void>;
}

const program = fileURLToPath(new URL("./host-cli.js", import.meta.url));

export function createHost(folder: string): Host {
  let process: ChildProcess | undefined;
  const stale = new Set<string>();

  async function start(): Promise<ChildProcess> {
    const started = fork(program, [], {
      cwd: folder,
      // The simulation finds most bugs in few scenarios, and some in more than `npm test` plays.
      env: { ...globalThis.process.env, SIMULATION_SEEDS: "150" },
      detached: true,
      stdio: ["ignore", "ignore", "inherit", "ipc"],
    });
    await answerOf(started);
    return started;
  }

  /** The workers of Vitest are in the group of the process. */
  async function kill(): Promise<void> {
    const dying = process;
    process = undefined;
    if (dying?.pid === undefined) return;
    const gone = once(dying, "exit");
    globalThis.process.kill(-dying.pid, "SIGKILL");
    await gone;
  }

  return {
    async run({ changed, ...request }, limitMs) {
      process ??= await start();
      const answer = answerOf(process).catch(async (error: unknown) => {
        process = undefined;
        return { passed: [], failures: [String(error)] };
      });
      process.send({ ...request, changed: [...stale, ...changed] } satisfies HostRequest);
      stale.clear();
      let timer: NodeJS.Timeout | undefined;
      const late = new Promise<undefined>((resolve) => {
        timer = setTimeout(() => resolve(undefined), limitMs);
      });
      try {
        const told = await Promise.race([answer, late]);
        if (told === undefined) await kill();
        return told;
      } finally {
        clearTimeout(timer);
      }
    },
    forget(files) {
      for (const file of files) stale.add(file);
    },
    async close() {
      if (process === undefined) return;
      const gone = once(process, "exit");
      process.disconnect();
      await gone;
      process = undefined;
    },
  };
}

function answerOf(child: ChildProcess): Promise<HostAnswer> {
  return new Promise((resolve, reject) => {
    const settle = () => {
      child.off("message", hear);
      child.off("exit", leave);
    };
    const hear = (message: unknown): void => {
      settle();
      resolve(hostAnswerSchema.parse(message));
    };
    const leave = (code: number | null): void => {
      settle();
      reject(new Error(`The process that runs the tests ended with code ${code}.`));
    };
    child.once("message", hear);
    child.once("exit", leave);
  });
}
