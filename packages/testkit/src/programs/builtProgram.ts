/**
 * What Node is started with to run a compiled program of this repository. In a test run that is the program in a few
 * files, without the optimizing compiler for WebAssembly: a process that lives for a second is up in half the time.
 * Elsewhere, as in `npm run torture`, it is the program as it was built.
 */
import { existsSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const root = fileURLToPath(new URL("../../../..", import.meta.url));

/** The path starts at the root of the repository, and is one of those in `tools/bundledPrograms.ts`. */
export function builtProgram(path: string): readonly string[] {
  const bundles = process.env.BUNDLED_PROGRAMS;
  const file = join(bundles ?? root, path);
  if (!existsSync(file)) throw new Error(`${file} is not built: npm run build`);
  return bundles === undefined ? [file] : ["--liftoff-only", file];
}
