/** Which commit a result belongs to, and whether it still describes the code of this checkout. */
import { execFile } from "node:child_process";
import { promisify } from "node:util";

const git = (...args: readonly string[]) => promisify(execFile)("git", [...args]);

/** With `-dirty` if the checkout differs from it, the page aside: earlier parts have written it. */
export async function commitNow(page: string): Promise<string> {
  const head = await git("rev-parse", "--short=8", "HEAD");
  const changes = ["--porcelain", "--untracked-files=no", "--", ".", `:!${page}`];
  const { stdout } = await git("status", ...changes);
  return `${head.stdout.trim()}${stdout === "" ? "" : "-dirty"}`;
}

/** Documents outside the packages, and every Markdown file, change nothing that torture tries. */
export async function isCodeOf(commit: string): Promise<boolean> {
  try {
    await git("diff", "--quiet", commit, "--", "packages", "package-lock.json", ":!*.md");
    return true;
  } catch {
    return false;
  }
}
