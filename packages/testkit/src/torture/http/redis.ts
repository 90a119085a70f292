/**
 * A real Redis for tests and torture: the one of `REDIS_URL`, else one of our own on a free port of
 * loopback. Where none is installed and we may, it is installed; where we may not, the error contains what to do.
 */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { ensureProgram } from "../../programs/ensureProgram.js";
import { redisServer } from "../../programs/redisServer.js";

export interface TestRedis {
  readonly url: string;
  close(): Promise<void>;
}

/** With options of its own it is always one of our own: for example a cluster node. */
export async function startRedis(options: readonly string[] = []): Promise<TestRedis> {
  const given = process.env.REDIS_URL;
  if (given && options.length === 0) return { url: given, close: async () => {} };
  await ensureProgram(redisServer);
  const port = await freePort();
  const folder = await mkdtemp(join(tmpdir(), "callboard-redis-"));
  const settings = ["--port", `${port}`, "--bind", "127.0.0.1", "--dir", folder, "--save", ""];
  const child = spawn("redis-server", [...settings, "--appendonly", "no", ...options], {
    stdio: ["ignore", "pipe", "ignore"],
  });
  const kill = (): void => void child.kill("SIGKILL");
  process.once("exit", kill);
  for await (const line of createInterface({ input: child.stdout })) {
    if (line.includes("Ready to accept connections")) break;
  }
  child.stdout.resume();
  return {
    url: `redis://127.0.0.1:${port}`,
    async close() {
      process.off("exit", kill);
      const gone = once(child, "exit");
      kill();
      await gone;
      await rm(folder, { recursive: true, force: true });
    },
  };
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  server.close();
  await once(server, "close");
  if (address === null || typeof address === "string") throw new Error("no port is free");
  return address.port;
}
