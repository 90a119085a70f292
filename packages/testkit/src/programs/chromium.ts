/**
 * Chromium for tests: the one of `CHROMIUM_PATH`, or one where systems keep it. The headless shell draws the same and
 * takes half the time, because it has no browser window around the page.
 */
import { existsSync } from "node:fs";
import { ensureProgram, type NeededProgram } from "./ensureProgram.js";

const places = [
  "/usr/bin/chromium-headless-shell",
  "/usr/bin/chromium",
  "/usr/bin/chromium-browser",
  "/usr/bin/google-chrome",
];

function pathOfChromium(): string | undefined {
  return process.env.CHROMIUM_PATH ?? places.find((path) => existsSync(path));
}

export const chromium: NeededProgram = {
  isThere: async () => pathOfChromium() !== undefined,
  debianPackage: "chromium-headless-shell",
  missing:
    "This test needs Chromium: install it (apt-get install chromium-headless-shell), or set CHROMIUM_PATH to it.",
};

/** The program, and what it must be started with here. */
export interface Chromium {
  readonly executablePath: string;
  readonly args: string[];
}

export async function findChromium(): Promise<Chromium> {
  await ensureProgram(chromium);
  const executablePath = pathOfChromium();
  if (executablePath === undefined) throw new Error(chromium.missing);
  return { executablePath, args: process.getuid?.() === 0 ? ["--no-sandbox"] : [] };
}
