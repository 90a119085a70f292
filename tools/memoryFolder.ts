/**
 * The folder for temporary files of a test run. It is in memory where the platform has a large enough file system there
 * that may also start programs: databases and sessions of tests exist for seconds, and creating and removing them on a
 * disk costs a tenth of the processor time of a run. Elsewhere it is the system's folder for temporary files.
 */
import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statfsSync,
} from "node:fs";
import { join } from "node:path";

const place = "/dev/shm";
const prefix = "callboard-tests-";
/** A whole run needs less than one. */
const neededGiB = 4;

/** Call it once, before the workers start: they inherit `TMPDIR`. The folder is removed when this process exits. */
export function useMemoryForTemporaryFiles(): void {
  if (!isSuitable()) return;
  removeOrphans();
  const folder = join(place, `${prefix}${process.pid}`);
  mkdirSync(folder, { recursive: true });
  // Like the system's folder: a PostgreSQL that root starts runs as another user.
  chmodSync(folder, 0o1777);
  process.env.TMPDIR = folder;
  process.once("exit", () => rmSync(folder, { recursive: true, force: true }));
}

function isSuitable(): boolean {
  if (process.platform !== "linux" || !existsSync(place)) return false;
  const mounts = readFileSync("/proc/mounts", "utf8").split("\n");
  const options = mounts.map((line) => line.split(" ")).filter(([, at]) => at === place);
  const [, , type, flags = ""] = options.at(-1) ?? [];
  if (type !== "tmpfs" || flags.split(",").includes("noexec")) return false;
  const { bavail, bsize } = statfsSync(place);
  return bavail * bsize >= neededGiB * 2 ** 30;
}

/** What killed runs left behind. A PostgreSQL server that still runs there ends by itself once its folder is gone. */
function removeOrphans(): void {
  for (const name of readdirSync(place)) {
    const pid = Number(name.startsWith(prefix) ? name.slice(prefix.length) : Number.NaN);
    if (Number.isInteger(pid) && !existsSync(`/proc/${pid}`)) {
      rmSync(join(place, name), { recursive: true, force: true });
    }
  }
}
