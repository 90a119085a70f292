/** Redis for tests: the one of `REDIS_URL`, or a program that can be started. */
import { execFile } from "node:child_process";
import { promisify } from "node:util";
import type { NeededProgram } from "./ensureProgram.js";

const run = promisify(execFile);

export const redisServer: NeededProgram = {
  async isThere() {
    if (process.env.REDIS_URL) return true;
    try {
      await run("redis-server", ["--version"]);
      return true;
    } catch {
      // Not to be started: then it is not there.
      return false;
    }
  },
  debianPackage: "redis-server",
  missing:
    "This needs Redis: install redis-server, or set REDIS_URL to one that may be written to.",
};
