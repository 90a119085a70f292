/**
 * The process groups of servers that this process started. A server that was started through a launcher (npx, a shell)
 * is killed with it; remaining processes are killed when this process exits.
 */
const living = new Set<number>();
let isWatching = false;

export function watchGroup(groupId: number): void {
  living.add(groupId);
  if (isWatching) return;
  isWatching = true;
  process.once("exit", () => {
    for (const group of living) signalGroup(group, "SIGKILL");
  });
}

/** A group that has already ended is not an error. */
export function signalGroup(groupId: number, signal: NodeJS.Signals): void {
  try {
    process.kill(-groupId, signal);
  } catch (error) {
    if (!isGone(error)) throw error;
  }
}

export function forgetGroup(groupId: number): void {
  living.delete(groupId);
}

const isGone = (error: unknown): boolean =>
  error instanceof Error && "code" in error && (error.code === "ESRCH" || error.code === "EPERM");
