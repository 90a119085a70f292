/**
 * Before `npm test` runs: what the tests need is installed once, not by several test files at a time. Where it
 * cannot be, the tests that need it fail by themselves; the others still run.
 */
import type { TestProject } from "vitest/node";
import { chromium } from "./chromium.js";
import { ensureProgram } from "./ensureProgram.js";
import { redisServer } from "./redisServer.js";

export default async function setUp(project: TestProject): Promise<void> {
  // A run of a few tests by hand installs no browser.
  if (process.env.npm_lifecycle_event !== "test") return;
  for (const program of [chromium, redisServer]) {
    await ensureProgram(program).catch((error: unknown) => project.vitest.logger.error(error));
  }
}
