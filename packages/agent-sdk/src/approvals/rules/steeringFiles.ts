/**
 * Files that decide what other programs run: the configuration and hooks of git, settings of this program and of editors.
 * Whoever may write them runs a command with the next `git status`. A wildcard such as `write(**)` does not cover them: a
 * person is asked, or the rule names the folder, as `write(.git/**)` does.
 */

const steeringFolders: ReadonlySet<string> = new Set([".git", ".callboard", ".husky", ".vscode"]);

/** Whether the path is in such a folder, and the pattern names none. In any case of letters: some disks ignore it. */
export function hidesSteering(pattern: string, path: string): boolean {
  return isSteeringPath(path) && !isSteeringPath(pattern);
}

/** Whether a file decides what programs run. */
export function isSteeringPath(path: string): boolean {
  return path.split(/[\\/]/).some((segment) => steeringFolders.has(segment.toLowerCase()));
}
