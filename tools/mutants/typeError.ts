/**
 * What the compiler says of a planted bug. CI compiles before it tests, so a bug that does not compile is noticed. Only
 * bugs that no test noticed are compiled.
 */
import { spawnSync } from "node:child_process";
import { join } from "node:path";

/** The first error in the room of a file of a clone; undefined if it compiles. */
export function typeErrorIn(folder: string, file: string): string | undefined {
  const [, room] = /^(packages\/[^/]+)\//.exec(file) ?? [];
  if (room === undefined) return undefined;
  const { status, stdout } = spawnSync(
    process.execPath,
    [join(folder, "node_modules/typescript/bin/tsc"), "-p", room, "--noEmit", "--pretty", "false"],
    { cwd: folder, encoding: "utf8" },
  );
  if (status === 0) return undefined;
  const [error = `it ended with ${status}`] = stdout.split("\n");
  return error;
}
