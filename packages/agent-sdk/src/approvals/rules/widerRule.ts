/**
 * The wider rule that "always" offers beside the exact one: a command with any arguments, the files of a folder, the
 * pages of a host. None if a wider rule would allow what no person has seen: commands that destroy, change the user or
 * download, commands that run other commands, and whole working folders. Pure.
 */
import { posix } from "node:path";
import { commandLineOf } from "./commandLine.js";
import { escapedGlob } from "./glob.js";
import { hidesCommand } from "./hiddenCommands.js";
import { isSteeringPath } from "./steeringFiles.js";

/** Their next word is the operation. */
const manyCommands: ReadonlySet<string> = new Set(
  "git npm pnpm yarn cargo go docker kubectl gh make just pip uv poetry dotnet mvn gradle".split(
    " ",
  ),
);
const destroying = "rm rmdir dd mkfs shred chmod chown chgrp kill pkill killall mv";
const reaching = "sudo doas su curl wget ssh scp rsync nc";
/** Whatever they are given as an argument runs. */
const running =
  "sh bash zsh fish dash ksh node deno bun python python3 perl ruby php lua tclsh expect eval exec source . env xargs parallel find awk gawk sed npx time timeout nice ionice nohup setsid stdbuf watch strace script flock chroot busybox vim vi ed gdb";
const never: ReadonlySet<string> = new Set(`${destroying} ${reaching} ${running}`.split(" "));
const neverAfter =
  /^(?:git (?:push|reset|clean|config)|npm (?:publish|exec)|docker (?:run|exec)|kubectl)(?: |$)/;

/** `git log *` for `git log --oneline`; undefined if no wider rule is sensible. */
export function widerCommand(line: string): string | undefined {
  const { commands, opaque } = commandLineOf(line);
  const [command = "", ...others] = commands;
  if (opaque !== undefined || others.length > 0 || hidesCommand(command)) return undefined;
  const [program = "", next = "", script = ""] = command.split(" ");
  if (!/^[\w.-]+$/.test(program) || never.has(program)) return undefined;
  const words = manyCommands.has(program) ? [program, next] : [program];
  if (next === "run" && manyCommands.has(program)) words.push(script);
  const start = words.join(" ");
  const isPlain = words.every((word) => /^[\w.:@/-]+$/.test(word) && !word.startsWith("-"));
  return isPlain && !neverAfter.test(start) ? `${escapedGlob(start)} *` : undefined;
}

/**
 * `src/**` for `src/app.ts`; undefined for files at the top and outside of the working folder, and for those that decide
 * what programs run.
 */
export function widerPath(path: string): string | undefined {
  const folder = posix.dirname(path);
  const isInside = !folder.startsWith("/") && !folder.startsWith("..") && folder !== ".";
  return isInside && !isSteeringPath(folder) ? `${escapedGlob(folder)}/**` : undefined;
}

/** `https://example.org/*` for a page of it. */
export function widerUrl(url: string): string | undefined {
  const { origin } = URL.canParse(url) ? new URL(url) : { origin: "null" };
  return origin === "null" ? undefined : `${escapedGlob(origin)}/*`;
}
