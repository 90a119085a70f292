/**
 * Programs that tests need in addition to Node: found, or installed from Debian's packages if permitted. Otherwise the
 * test that needs one fails with what to do; nothing is ever skipped.
 */
import { aptGet } from "./aptGet.js";

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
    await aptGet(["update"]);
    await aptGet(["install", "-y", "--no-install-recommends", debianPackage]);
  } catch (cause) {
    throw new Error(missing, { cause });
  }
  if (!(await isThere())) throw new Error(missing);
}
