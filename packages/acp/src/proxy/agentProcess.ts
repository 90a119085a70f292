/**
 * The agent behind the proxy as a process group that does not outlive us. A watcher outside the group
 * holds a pipe from us; when it closes, because the session is over or because we are gone, the watcher
 * ends whatever is left: the group, and every process that speaks on the agent's input or output, also in a session of
 * its own. A server that an agent started for others, with an output of its own, is left alone. It passes no lines itself.
 */

import { type ChildProcess, spawn } from "node:child_process";
import type { Readable, Writable } from "node:stream";
import type { Clock } from "@callboard/agent-sdk";
import { systemCodeOf, withoutUndefined } from "@callboard/run-log/values";
import { pipeNameOf } from "./pipeName.js";

export interface AgentProcess {
  readonly stdin: Writable;
  readonly stdout: Readable;
  /** Resolves when the agent itself has ended, even if another process still has its output open. Rejects if it never started. */
  readonly ended: Promise<AgentEnd>;
  /** Asks the group to end after `waitMs`, and makes it after a grace. Resolves when that is done. */
  stop(waitMs: number): Promise<void>;
  /** Nothing of the group is left afterwards. */
  release(): void;
}

/** One of the two is null. */
export interface AgentEnd {
  readonly exitCode: number | null;
  readonly signal: NodeJS.Signals | null;
}

export interface AgentSetup {
  readonly command: readonly [string, ...string[]];
  readonly cwd?: string | undefined;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly clock: Clock;
  /** How long the agent may take to end after the request. */
  readonly graceMs: number;
}

/**
 * Waits for the end of its input, then ends the group `$1`, and whoever reads or writes the agent's own input `$2` or
 * output `$3`. Without /proc only the group is found.
 */
const watcherScript = `
cat >/dev/null
exec 2>/dev/null
kill -s KILL -- "-$1"
[ -n "$2" ] && [ -n "$3" ] || exit 0
ls -l /proc/[0-9]*/fd/[012] | grep -F -e "-> $2" -e "-> $3" | while read -r line; do
  holder=\${line#*/proc/}
  kill -s KILL "\${holder%%/*}"
done
exit 0
`;
const hasGroups = process.platform !== "win32";

export function startAgent({ command, cwd, env, clock, graceMs }: AgentSetup): AgentProcess {
  const [program, ...args] = command;
  const child = spawn(program, args, {
    ...{ stdio: ["pipe", "pipe", "inherit"], env: { ...env }, detached: hasGroups },
    ...withoutUndefined({ cwd }),
  });
  const watcher = child.pid === undefined || !hasGroups ? undefined : startWatcher(child.pid);
  const ended = agentExitOf(child, program);
  const gone = new AbortController();
  child.once("exit", () => gone.abort());

  function signal(name: NodeJS.Signals): void {
    if (child.pid === undefined) return;
    if (!hasGroups) child.kill(name);
    else signalGroup(child.pid, name);
  }

  return {
    stdin: child.stdin,
    stdout: child.stdout,
    ended,
    async stop(waitMs) {
      await clock.sleep(waitMs, gone.signal);
      if (gone.signal.aborted) return;
      signal("SIGTERM");
      await clock.sleep(graceMs, gone.signal);
      if (!gone.signal.aborted) signal("SIGKILL");
    },
    release() {
      signal("SIGKILL");
      watcher?.stdin?.destroy();
      watcher?.unref();
    },
  };
}

function startWatcher(groupId: number): ChildProcess {
  const names = [pipeNameOf(groupId, 0), pipeNameOf(groupId, 1)];
  const args = ["-c", watcherScript, "callboard-watcher", String(groupId), ...names];
  const watcher = spawn("/bin/sh", args, {
    ...{ cwd: "/", env: { PATH: process.env.PATH }, detached: true },
    stdio: ["pipe", "ignore", "ignore"],
  });
  // Without a watcher the group is still ended whenever we end in order.
  watcher.on("error", () => undefined);
  watcher.stdin?.on("error", () => undefined);
  return watcher;
}

/** A group that has already ended is not an error. */
function signalGroup(groupId: number, name: NodeJS.Signals): void {
  try {
    process.kill(-groupId, name);
  } catch (error) {
    const code = systemCodeOf(error);
    if (code !== "ESRCH" && code !== "EPERM") throw error;
  }
}

function agentExitOf(child: ChildProcess, program: string): Promise<AgentEnd> {
  return new Promise((resolve, reject) => {
    child.once("error", (error) => {
      reject(new Error(`${program} could not be started: ${error.message}`, { cause: error }));
    });
    child.once("exit", (exitCode, signal) => resolve({ exitCode, signal }));
  });
}
