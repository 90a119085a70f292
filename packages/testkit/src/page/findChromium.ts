/**
 * Chromium for tests. Where it is not installed and we may, it is installed; where we may not, the test
 * fails and says what to do.
 */
import { execFile } from "node:child_process";
import { existsSync } from "node:fs";
import { promisify } from "node:util";

const run = promisify(execFile);
const places = ["/usr/bin/chromium", "/usr/bin/chromium-browser", "/usr/bin/google-chrome"];

/** The program, and what it must be started with here. */
export interface Chromium {
  readonly executablePath: string;
  readonly args: string[];
}

export async function findChromium(): Promise<Chromium> {
  const isRoot = process.getuid?.() === 0;
  const executablePath = process.env.CHROMIUM_PATH ?? (await installed(isRoot));
  return { executablePath, args: isRoot ? ["--no-sandbox"] : [] };
}

async function installed(isRoot: boolean): Promise<string> {
  const found = places.find((path) => existsSync(path));
  if (found !== undefined) return found;
  if (!isRoot) throw new Error(missing);
  try {
    await run("apt-get", ["install", "-y", "--no-install-recommends", "chromium"]);
  } catch (error) {
    throw new Error(missing, { cause: error });
  }
  const made = places.find((path) => existsSync(path));
  if (made === undefined) throw new Error(missing);
  return made;
}

const missing =
  "This test needs Chromium: install it (apt-get install chromium), or set CHROMIUM_PATH to it.";
