/**
 * A scratch copy of the repository in which bugs are planted. It shares the installed packages with the original, but
 * the rooms are its own, so that nothing in the original is ever changed.
 */
import { execFileSync } from "node:child_process";
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import type { Mutant } from "./mutant.js";

export interface Workshop {
  readonly folder: string;
  /** Plants the bug, calls `work`, and takes the bug out again. */
  with<Result>(mutant: Mutant, work: () => Promise<Result>): Promise<Result>;
  remove(): void;
}

export function createWorkshop(original: string): Workshop {
  const folder = mkdtempSync(join(tmpdir(), "callboard-mutants-"));
  for (const path of filesOf(original)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    cpSync(join(original, path), join(folder, path));
  }
  linkPackages(original, folder);
  copyBuilds(original, folder);
  return {
    folder,
    async with({ file, find, replace }, work) {
      const path = join(folder, file);
      const text = readFileSync(path, "utf8");
      // A function, because `$` means something in a replacement.
      writeFileSync(
        path,
        text.replace(find, () => replace),
      );
      try {
        return await work();
      } finally {
        writeFileSync(path, text);
      }
    },
    remove: () => rmSync(folder, { recursive: true, force: true, maxRetries: 5 }),
  };
}

/** Tracked files and new ones, as they are in the working tree; a deleted file is omitted. */
function filesOf(original: string): readonly string[] {
  const listed = execFileSync(
    "git",
    ["ls-files", "-z", "--cached", "--others", "--exclude-standard"],
    { cwd: original, encoding: "utf8", maxBuffer: 64 * 1024 * 1024 },
  );
  return listed.split("\0").filter((path) => path !== "" && existsSync(join(original, path)));
}

/** Every installed package is a link to the original's, except the rooms: those are links inside the copy. */
function linkPackages(original: string, folder: string): void {
  const installed = join(original, "node_modules");
  const copy = join(folder, "node_modules");
  mkdirSync(join(copy, "@callboard"), { recursive: true });
  for (const name of readdirSync(installed)) {
    if (name === "@callboard" || name === ".vite" || name === ".vite-temp") continue;
    symlinkSync(join(installed, name), join(copy, name));
  }
  for (const room of readdirSync(join(folder, "packages"))) {
    symlinkSync(join("..", "..", "packages", room), join(copy, "@callboard", room));
  }
}

/** The built program and page, for the tests that start them. */
function copyBuilds(original: string, folder: string): void {
  for (const room of readdirSync(join(original, "packages"))) {
    const built = join(original, "packages", room, "dist");
    if (existsSync(built))
      cpSync(built, join(folder, "packages", room, "dist"), { recursive: true });
  }
}
