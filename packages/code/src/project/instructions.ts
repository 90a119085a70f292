/**
 * The rules that a project and its user wrote for agents: `AGENTS.md` of the user, of every folder from the root of the
 * repository down to the current one, and the paths of those further down. It reads; it never writes. Together they are
 * bounded, and a cut is marked.
 */

import type { Dirent } from "node:fs";
import { open, readdir, stat } from "node:fs/promises";
import { dirname, join, relative, sep } from "node:path";
import { systemCodeOf } from "@callboard/run-log/values";

export interface InstructionFile {
  readonly path: string;
  readonly text: string;
  /** Of the file on disk; more than the text if it was cut. */
  readonly bytes: number;
  readonly isCut: boolean;
}

export interface Instructions {
  /** The most general first. */
  readonly files: readonly InstructionFile[];
  /** Files in folders below the current one, relative to it. Not read. */
  readonly deeper: readonly string[];
}

/** `CLAUDE.md` is read in a folder that has no `AGENTS.md`. */
const names = ["AGENTS.md", "CLAUDE.md"];
/** Of all files together. */
const mostBytes = 32 * 1024;
const mostDeeper = 20;
const mostDepth = 4;
const mostEntries = 5_000;
const skippedFolders: ReadonlySet<string> = new Set(["node_modules", "vendor", "dist", "target"]);

export async function readInstructions(cwd: string, userFolder: string): Promise<Instructions> {
  const folders = [userFolder, ...(await foldersDownTo(cwd))];
  const files: InstructionFile[] = [];
  let left = mostBytes;
  for (const folder of folders) {
    const file = await instructionsIn(folder, left);
    if (file === undefined) continue;
    files.push(file);
    left -= Buffer.byteLength(file.text);
  }
  return { files, deeper: await deeperFiles(cwd) };
}

/** From the root of the repository to the folder; the folder alone if there is no repository. */
async function foldersDownTo(cwd: string): Promise<readonly string[]> {
  const folders: string[] = [];
  for (let folder = cwd; ; folder = dirname(folder)) {
    folders.unshift(folder);
    if (await exists(join(folder, ".git"))) return folders;
    if (dirname(folder) === folder) return [cwd];
  }
}

async function instructionsIn(folder: string, left: number): Promise<InstructionFile | undefined> {
  for (const name of names) {
    const path = join(folder, name);
    const file = await open(path, "r").catch(missing);
    if (file === undefined) continue;
    try {
      const { size, isFile } = await file.stat().then((found) => {
        return { size: found.size, isFile: found.isFile() };
      });
      if (!isFile) continue;
      const bytes = Buffer.alloc(Math.min(size, Math.max(0, left)));
      const { bytesRead } = await file.read(bytes, 0, bytes.length, 0);
      // Half a character at the cut is removed.
      const text = new TextDecoder().decode(bytes.subarray(0, bytesRead), { stream: true });
      if (text.trim() === "" && size === 0) continue;
      return { path, text, bytes: size, isCut: size > bytesRead };
    } finally {
      await file.close();
    }
  }
  return undefined;
}

async function deeperFiles(cwd: string): Promise<readonly string[]> {
  const found: string[] = [];
  let seen = 0;
  let level = [cwd];
  for (let depth = 0; depth < mostDepth && level.length > 0; depth += 1) {
    const next: string[] = [];
    for (const folder of level) {
      const entries = await readdir(folder, { withFileTypes: true }).catch(missing);
      for (const entry of entries ?? []) {
        seen += 1;
        if (seen > mostEntries || found.length >= mostDeeper) return sortedPaths(found);
        if (isSearched(entry)) next.push(join(folder, entry.name));
        else if (folder !== cwd && entry.isFile() && entry.name === names[0]) {
          found.push(relative(cwd, join(folder, entry.name)).split(sep).join("/"));
        }
      }
    }
    level = next;
  }
  return sortedPaths(found);
}

function sortedPaths(paths: readonly string[]): readonly string[] {
  return paths.toSorted((one, other) => one.localeCompare(other, "en"));
}

function isSearched(entry: Dirent): boolean {
  return entry.isDirectory() && !entry.name.startsWith(".") && !skippedFolders.has(entry.name);
}

async function exists(path: string): Promise<boolean> {
  return (await stat(path).catch(missing)) !== undefined;
}

/** An unreadable file is skipped; an unreadable folder is treated as empty. */
function missing(error: unknown): undefined {
  const code = systemCodeOf(error);
  if (code === "ENOENT" || code === "ENOTDIR" || code === "EACCES" || code === "EPERM") {
    return undefined;
  }
  throw error;
}
