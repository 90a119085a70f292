/** A server in a process of its own: started, killed without warning, or asked to end by a signal. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import { z } from "zod";
import { builtProgram } from "../../programs/builtProgram.js";

export interface ServerProcess {
  readonly url: string;
  /** In local mode. */
  readonly token: string;
  readonly isAlive: boolean;
  readonly pid: number;
  /** Sends an order, and gives the line that comes back. For programs that take orders. */
  ask(order: string): Promise<string>;
  kill(): Promise<void>;
  end(): Promise<void>;
}

const greetingSchema = z.object({ url: z.string(), token: z.string() });

/** `name` is a program of this folder; `options` is its only argument, as JSON; `flags` are Node's own. */
export async function startProgram(
  name: string,
  options: object,
  flags: readonly string[] = [],
): Promise<ServerProcess> {
  const program = builtProgram(`packages/testkit/dist/torture/http/${name}.js`);
  // It ends when its input does: not even a killed test leaves it behind.
  const child = spawn(process.execPath, [...flags, ...program, JSON.stringify(options)], {
    stdio: ["pipe", "pipe", "inherit"],
  });
  const gone = once(child, "exit");
  const lines = createInterface({ input: child.stdout });
  const first = await Promise.race([once(lines, "line"), gone.then(() => undefined)]);
  if (first === undefined) throw new Error(`${name} ended before it listened`);
  const greeting = greetingSchema.parse(JSON.parse(String(first[0])));
  const ended = async (): Promise<void> => {
    await gone;
  };
  return {
    ...greeting,
    pid: child.pid ?? 0,
    async ask(order) {
      const answer = once(lines, "line");
      child.stdin.write(`${order}\n`);
      return String((await answer)[0]);
    },
    get isAlive() {
      return child.exitCode === null && child.signalCode === null;
    },
    async kill() {
      child.kill("SIGKILL");
      await ended();
    },
    async end() {
      child.stdin.end();
      await ended();
    },
  };
}
