/** Where Callboard keeps its things. It only names the folder; it neither reads nor makes it. */
import { homedir } from "node:os";
import { posix, win32 } from "node:path";

/**
 * `CALLBOARD_HOME`, else `$XDG_DATA_HOME/callboard`, else `~/.local/share/callboard`. An empty variable
 * counts as unset, and so does a relative `XDG_DATA_HOME`, as its specification wants.
 */
export function callboardHome(
  env: Readonly<Record<string, string | undefined>> = process.env,
  platform: NodeJS.Platform = process.platform,
): string {
  const path = platform === "win32" ? win32 : posix;
  if (env.CALLBOARD_HOME) return path.resolve(env.CALLBOARD_HOME);
  const data = env.XDG_DATA_HOME;
  if (data && path.isAbsolute(data)) return path.join(data, "callboard");
  const home = (platform === "win32" ? env.USERPROFILE : env.HOME) || homedir();
  return path.join(home, ".local", "share", "callboard");
}
