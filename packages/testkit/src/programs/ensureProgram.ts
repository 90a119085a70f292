/**
 * Programs that tests need in addition to Node: found, or installed from Debian's packages if permitted. Otherwise the
 * test that needs one fails with what to do; nothing is ever skipped.
 */
import { execFile } from "node:child_process";
import { promisify } from "node:util";

const run = promisify(execFile);

export interface NeededProgram {
  readonly isThere: () => Promise<boolean>;
  readonly debianPackage: string;
  /** What to do where it cannot be installed. */
  readonly missing: string;
}

export async function ensureProgram({
  isThere,
  debianPackage,
  missing,
}: NeededProgram): Promise<void> {
  if (await isThere()) return;
  if (process.getuid?.() !== 0) throw new Error(missing);
  try {
    await run("apt-get", ["update"]);
    const patient = ["-o", "DPkg::Lock::Timeout=300"];
    await run("apt-get", ["install", "-y", "--no-install-recommends", ...patient, debianPackage]);
  } catch (cause) {
    throw new Error(missing, { cause });
  }
  if (!(await isThere())) throw new Error(missing);
}
