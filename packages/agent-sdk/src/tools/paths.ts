/**
 * Where a tool may go: the working folder and the additional ones, by real path. Every path of a
 * model comes through here before anything is opened. Links are followed before the check, and what
 * is handed out holds none. It never creates, opens or changes anything.
 */

import { lstatSync, realpathSync } from "node:fs";
import { basename, dirname, isAbsolute, join, relative, resolve, sep } from "node:path";
import type { JsonObject, Location } from "@callboard/run-log";
import { systemCodeOf } from "@callboard/run-log/values";
import type { ToolContext } from "../types/tools.js";
import { oneLine } from "../utils/oneLine.js";
import { ToolFailure } from "../utils/toolFailure.js";

export type Folders = Pick<ToolContext, "workdir" | "additionalDirectories">;

/** The real absolute path; it need not exist. Throws a ToolFailure of type `path_outside`. */
export function pathInside(path: string, folders: Folders): string {
  const target = resolve(folders.workdir, plainPath(path, folders));
  const real = realPath(target, path, folders);
  const roots = rootsOf(folders);
  if (roots.some((root) => isWithin(root, real))) return real;
  throw outside(path, folders, "lies outside");
}

/**
 * What an approval rule is matched against: the real path from the working folder, with forward slashes, so that neither
 * `src/../secret` nor a link matches `src/**`. A path that would be refused anyway is returned as it was written.
 */
export function approvalPath(path: string, folders: Folders): string {
  try {
    return shownPath(pathInside(path, folders), folders.workdir);
  } catch (error) {
    if (error instanceof ToolFailure) return resolve(folders.workdir, path);
    throw error;
  }
}

/** Relative to the working folder if the path is in it, otherwise absolute. */
export function shownPath(real: string, workdir: string): string {
  const root = existingRealPath(workdir) ?? workdir;
  if (!isWithin(root, real)) return real;
  const inside = relative(root, real);
  return inside === "" ? "." : inside.split(sep).join("/");
}

/** For a title or a row: only the words, nothing is looked up. */
export function shortPath(path: string, workdir: string): string {
  const prefix = workdir.endsWith(sep) ? workdir : workdir + sep;
  return oneLine(path.startsWith(prefix) ? path.slice(prefix.length) : path);
}

/** The place that the arguments name, as editors follow it: an absolute path. */
export function inputLocations(input: JsonObject, workdir: string): readonly Location[] {
  const { path, offset } = input;
  if (typeof path !== "string" || path === "" || path.includes("\0")) return [];
  const line =
    typeof offset === "number" && Number.isInteger(offset) && offset > 0 ? { line: offset } : {};
  return [{ path: resolve(workdir, path), ...line }];
}

function plainPath(path: string, folders: Folders): string {
  if (path === "") throw outside(path, folders, "is empty");
  if (path.includes("\0")) throw outside(path, folders, "contains a NUL character");
  const isForeign = sep === "/" && (path.includes("\\") || /^[a-zA-Z]:/.test(path));
  const isStream = sep === "\\" && /:|^[\\/]{2}/.test(path.replace(/^[a-zA-Z]:(?=[\\/])/, ""));
  if (isForeign || isStream) {
    throw outside(path, folders, "is not a plain path with forward slashes");
  }
  return path;
}

/** The real path of the deepest parent that exists, and the rest as it is. */
function realPath(target: string, path: string, folders: Folders): string {
  const real = existingRealPath(target);
  if (real !== undefined) return real;
  if (lstatSync(target, { throwIfNoEntry: false })?.isSymbolicLink()) {
    throw outside(path, folders, "is or leads through a link to nowhere");
  }
  const parent = dirname(target);
  return parent === target ? target : join(realPath(parent, path, folders), basename(target));
}

function existingRealPath(target: string): string | undefined {
  try {
    return realpathSync.native(target);
  } catch (error) {
    const code = systemCodeOf(error);
    if (code === "ENOENT") return undefined;
    throw new ToolFailure(
      "path_invalid",
      `${oneLine(target, 200)} is not a usable path: ${code ?? String(error)}.`,
      { cause: error },
    );
  }
}

function rootsOf({ workdir, additionalDirectories }: Folders): readonly string[] {
  return [workdir, ...additionalDirectories]
    .map(existingRealPath)
    .filter((root) => root !== undefined);
}

function isWithin(root: string, target: string): boolean {
  const inside = relative(root, target);
  return (
    inside === "" || (inside !== ".." && !inside.startsWith(`..${sep}`) && !isAbsolute(inside))
  );
}

function outside(path: string, folders: Folders, problem: string): ToolFailure {
  const allowed = [folders.workdir, ...folders.additionalDirectories].join(", ");
  return new ToolFailure("path_outside", `The path "${oneLine(path, 200)}" ${problem}.`, {
    suggestion: `Paths must lie in: ${allowed}. Relative paths start in the first of these.`,
  });
}
