/** PostgreSQL refuses to run as root: root's servers run as a user who owns nothing else. */
import { readFileSync } from "node:fs";

export interface ServerUser {
  readonly uid: number;
  readonly gid: number;
}

/** Undefined unless the caller is root: then the server runs as the caller. */
export function serverUser(): ServerUser | undefined {
  if (process.getuid?.() !== 0) return undefined;
  const users = readFileSync("/etc/passwd", "utf8").split("\n");
  for (const name of ["postgres", "nobody", "daemon"]) {
    const line = users.find((user) => user.startsWith(`${name}:`));
    const [, , uid, gid] = line?.split(":") ?? [];
    if (uid !== undefined && gid !== undefined) return { uid: Number(uid), gid: Number(gid) };
  }
  throw new Error(
    "PostgreSQL cannot run as root, and this system has no user postgres, nobody or daemon. Run the tests as another user, or set DATABASE_URL.",
  );
}
