/**
 * Chromium for tests. Where it is not installed and we may, it is installed; where we may not, the test
 * fails and says what to do.
 */
import { execFile } from "node:child_process";
import { existsSync } from "node:fs";
import { promisify } from "node:util";
import { type Browser, chromium } from "playwright-core";

export type { Browser } from "playwright-core";

const run = promisify(execFile);
const places = ["/usr/bin/chromium", "/usr/bin/chromium-browser", "/usr/bin/google-chrome"];

export async function launchBrowser(): Promise<Browser> {
  const executablePath = process.env.CHROMIUM_PATH ?? (await installed());
  const isRoot = process.getuid?.() === 0;
  return chromium.launch({ executablePath, args: isRoot ? ["--no-sandbox"] : [] });
}

async function installed(): Promise<string> {
  const found = places.find((path) => existsSync(path));
  if (found !== undefined) return found;
  if (process.getuid?.() === 0) {
    try {
      await run("apt-get", ["install", "-y", "--no-install-recommends", "chromium"]);
    } catch (error) {
      throw new Error(missing, { cause: error });
    }
    const made = places.find((path) => existsSync(path));
    if (made !== undefined) return made;
  }
  throw new Error(missing);
}

const missing =
  "This test needs Chromium: install it (apt-get install chromium), or set CHROMIUM_PATH to it.";
