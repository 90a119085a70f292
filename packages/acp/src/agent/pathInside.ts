/** Where files of the client may be: in the working folders, by real path. Links are followed before the check. It opens nothing. */
import { realpathSync } from "node:fs";
import { basename, dirname, isAbsolute, join, relative, resolve, sep } from "node:path";
import { type ToolContext, ToolFailure } from "@callboard/agent-sdk";

export type Folders = Pick<ToolContext, "workdir" | "additionalDirectories">;

/** The absolute path as it was meant; throws a ToolFailure of type `path_outside`. */
export function pathInside(path: string, { workdir, additionalDirectories }: Folders): string {
  const roots = [workdir, ...additionalDirectories];
  const target = resolve(workdir, path);
  const real = realPath(target);
  if (roots.some((root) => isWithin(realPath(root), real))) return target;
  throw new ToolFailure("path_outside", `The path "${path}" is outside the working folders.`, {
    suggestion: `Paths must lie in: ${roots.join(", ")}.`,
  });
}

/** Of what does not exist yet, the real path of the deepest folder that does. */
function realPath(target: string): string {
  try {
    return realpathSync.native(target);
  } catch {
    const parent = dirname(target);
    return parent === target ? target : join(realPath(parent), basename(target));
  }
}

function isWithin(root: string, target: string): boolean {
  const inside = relative(root, target);
  return inside !== ".." && !inside.startsWith(`..${sep}`) && !isAbsolute(inside);
}
