/**
 * The branch of a folder, and its changed files. Undefined if there is no repository, no git, or no answer in time. The
 * folder may be untrusted: no program of its configuration is started.
 */
import { execFile } from "node:child_process";

export interface GitState {
  readonly branch: string;
  /** Files that differ from the last commit, those that git does not know included. */
  readonly changed: number;
}

const gitTimeoutMs = 2_000;
const mostBytes = 4 * 1024 * 1024;
const status = ["-c", "core.fsmonitor=false", "status", "--porcelain=v2", "--branch"];

export function readGitState(
  cwd: string,
  env: Readonly<Record<string, string | undefined>>,
): Promise<GitState | undefined> {
  return new Promise((resolve) => {
    const options = {
      cwd,
      env: { ...env, GIT_OPTIONAL_LOCKS: "0" },
      timeout: gitTimeoutMs,
      maxBuffer: mostBytes,
    };
    execFile("git", status, options, (error, stdout) => {
      resolve(error === null ? gitStateOf(stdout) : undefined);
    });
  });
}

/** From the output of `git status --porcelain=v2 --branch`. */
export function gitStateOf(output: string): GitState | undefined {
  const lines = output.split("\n").filter((line) => line !== "");
  const branch = /^# branch\.head (.+)$/m.exec(output)?.[1];
  if (branch === undefined) return undefined;
  return { branch, changed: lines.filter((line) => !line.startsWith("#")).length };
}
