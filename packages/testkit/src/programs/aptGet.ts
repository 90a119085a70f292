/**
 * Calls of apt-get, one at a time across all processes and checkouts of a machine: `apt-get update` fails at once
 * while another apt-get holds the lists.
 */
import { execFile } from "node:child_process";
import { promisify } from "node:util";

const run = promisify(execFile);

export interface AptGetOptions {
  /** A folder or file that exists; calls with the same one wait for each other. */
  readonly lock?: string;
  readonly env?: NodeJS.ProcessEnv;
}

export async function aptGet(
  words: readonly string[],
  { lock = "/var/lib/apt", env = process.env }: AptGetOptions = {},
): Promise<void> {
  // Programs that are not ours take the locks of apt itself, so apt waits for these too.
  const patient = ["-o", "DPkg::Lock::Timeout=300"];
  await run("flock", [lock, "apt-get", ...words, ...patient], { env });
}
