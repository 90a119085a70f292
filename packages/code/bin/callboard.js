#!/usr/bin/env node
/**
 * Starts the built program. It is committed, so that `npm ci` in a clone can link it before anything is
 * built. Where the build is missing in a clone, it builds once; build output goes to standard error.
 */
import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { fileURLToPath } from "node:url";

const program = new URL("../dist/callboard-cli.js", import.meta.url);
const clone = fileURLToPath(new URL("../../../", import.meta.url));

if (!existsSync(program)) {
  if (!existsSync(`${clone}tsconfig.json`)) {
    fail("the built program is missing from this package. Install callboard again.");
  }
  process.stderr.write(
    "callboard: building this clone; it is done once and takes about a minute.\n",
  );
  const npm = process.platform === "win32" ? "npm.cmd" : "npm";
  const { status } = spawnSync(npm, ["run", "--silent", "build"], {
    cwd: clone,
    stdio: ["ignore", 2, 2],
  });
  if (status !== 0 || !existsSync(program)) {
    fail(`the build failed. Run "npm ci && npm run build" in ${clone} and look at its output.`);
  }
}
await import(program.href);

/** @param {string} problem */
function fail(problem) {
  process.stderr.write(`callboard: ${problem}\n`);
  process.exit(4);
}
