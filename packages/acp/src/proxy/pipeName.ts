/** By which name the system knows the pipe that a process has as its input or output. */
import { readlinkSync } from "node:fs";

/**
 * Empty where it is not a pipe of this process alone: an agent may have opened a file such as /dev/null or taken our own
 * output already, and whoever else has these must not be ended with it. Empty without /proc too.
 */
export function pipeNameOf(processId: number, descriptor: number): string {
  const name = linkOf(processId, descriptor);
  const isPipe = /^(?:pipe|socket):\[\d+\]$/.test(name);
  const isOurs = [0, 1, 2].some((own) => linkOf(process.pid, own) === name);
  return isPipe && !isOurs ? name : "";
}

function linkOf(processId: number, descriptor: number): string {
  try {
    return readlinkSync(`/proc/${processId}/fd/${descriptor}`);
  } catch {
    return "";
  }
}
