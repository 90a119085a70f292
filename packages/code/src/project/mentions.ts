/**
 * `@path` in a person's message: the file goes to the model with the message, an image as an image. Only files in the
 * working folders: a text from elsewhere must not be able to name files outside of them. Anything else stays unchanged.
 */

import { readdir, readFile, realpath, stat } from "node:fs/promises";
import { extname, isAbsolute, join, relative, resolve } from "node:path";
import type { Image } from "@callboard/run-log";
import { systemCodeOf } from "@callboard/run-log/values";
import { UsageError } from "../usageError.js";

export interface Mentioned {
  /** The message, with what it names behind it. */
  readonly text: string;
  /** The appended text. */
  readonly parts: readonly string[];
  readonly images: readonly Image[];
}

export interface MentionPlaces {
  readonly cwd: string;
  readonly directories: readonly string[];
}

const imageTypes: Readonly<Record<string, string>> = {
  ".png": "image/png",
  ".jpg": "image/jpeg",
  ".jpeg": "image/jpeg",
  ".gif": "image/gif",
  ".webp": "image/webp",
};

const mostImageBytes = 5 * 1024 * 1024;
/** Of one file, and of all of a message. */
const mostFileCharacters = 64_000;
const mostCharacters = 256_000;
const mostEntries = 200;
/** At the start or after a space, so that addresses of people are none. Ends before punctuation. */
const mention = /(?<=^|\s)@("[^"\n]+"|[^\s"]+)/g;

export async function withMentions(text: string, places: MentionPlaces): Promise<Mentioned> {
  const names = new Set(Array.from(text.matchAll(mention), ([, name = ""]) => name));
  const parts: string[] = [];
  const images: Image[] = [];
  let left = mostCharacters;
  for (const name of names) {
    const found = await foundFile(name, places);
    if (found === undefined) continue;
    const { path, shown, isFolder } = found;
    const mediaType = imageTypes[extname(path).toLowerCase()];
    if (mediaType !== undefined && !isFolder) {
      images.push({ data: await imageData(path, shown), mediaType });
      continue;
    }
    const part = isFolder ? await folderPart(path, shown) : await filePart(path, shown, left);
    left -= part.length;
    parts.push(part);
  }
  return { text: [text, ...parts].join("\n\n"), parts, images };
}

interface Found {
  readonly path: string;
  /** The shown path: relative to the working folder if it is inside. */
  readonly shown: string;
  readonly isFolder: boolean;
}

async function foundFile(name: string, places: MentionPlaces): Promise<Found | undefined> {
  const bare = name.replace(/^"(.*)"$/, "$1");
  for (const candidate of [bare, bare.replace(/[.,;:!?)\]}>'"]+$/, "")]) {
    const found = candidate === "" ? undefined : await fileInside(candidate, places);
    if (found !== undefined) return found;
  }
  return undefined;
}

async function fileInside(name: string, places: MentionPlaces): Promise<Found | undefined> {
  try {
    const path = await realpath(resolve(places.cwd, name));
    const folders = await Promise.all(
      [places.cwd, ...places.directories].map((one) => realpath(one)),
    );
    if (!folders.some((folder) => isInside(path, folder))) return undefined;
    const found = await stat(path);
    if (!found.isFile() && !found.isDirectory()) return undefined;
    const [root = places.cwd] = folders;
    const shown = isInside(path, root) ? relative(root, path) || "." : path;
    return { path, shown, isFolder: found.isDirectory() };
  } catch (error) {
    const code = systemCodeOf(error) ?? "";
    const isNone = ["ENOENT", "ENOTDIR", "EACCES", "ELOOP", "ENAMETOOLONG"].includes(code);
    if (isNone || error instanceof TypeError) return undefined;
    throw error;
  }
}

function isInside(path: string, folder: string): boolean {
  const way = relative(folder, path);
  return way === "" || (!way.startsWith("..") && !isAbsolute(way));
}

async function imageData(path: string, shown: string): Promise<string> {
  const bytes = await readFile(path);
  if (bytes.length <= mostImageBytes) return bytes.toString("base64");
  throw new UsageError(`${shown} is larger than 5 MB: make the image smaller`);
}

async function filePart(path: string, shown: string, left: number): Promise<string> {
  const bytes = await readFile(path);
  if (bytes.subarray(0, 8_000).includes(0)) {
    return `<file path=${JSON.stringify(shown)}>[not text, ${bytes.length} bytes]</file>`;
  }
  const text = bytes.toString("utf8");
  const most = Math.max(0, Math.min(mostFileCharacters, left));
  const cut =
    text.length > most ? `\n[cut: ${text.length} characters; read the file for the rest]` : "";
  return `<file path=${JSON.stringify(shown)}>\n${text.slice(0, most)}${cut}\n</file>`;
}

async function folderPart(path: string, shown: string): Promise<string> {
  const entries = (await readdir(path, { withFileTypes: true }))
    .map((entry) => join(entry.name, entry.isDirectory() ? "/" : ""))
    .toSorted((one, other) => one.localeCompare(other, "en"));
  const more = entries.length > mostEntries ? [`… ${entries.length - mostEntries} more`] : [];
  const list = [...entries.slice(0, mostEntries), ...more].join("\n");
  return `<folder path=${JSON.stringify(shown)}>\n${list}\n</folder>`;
}
