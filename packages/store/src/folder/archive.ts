/**
 * Unpacks the gzipped archive that PGlite makes of a data folder. Only plain files and folders are taken,
 * and none outside the target: a backup comes from a disk that others may have written to.
 */
import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join, normalize, sep } from "node:path";
import { promisify } from "node:util";
import { gunzip } from "node:zlib";

const block = 512;

/** The target must not exist yet. Throws on anything that is not such an archive; unpacked files then stay. */
export async function unpackArchive(archive: Uint8Array, target: string): Promise<void> {
  const bytes = await unzipped(archive);
  mkdirSync(target, { mode: 0o700 });
  let isData = false;
  for (let at = 0; at + block <= bytes.length && bytes[at] !== 0; ) {
    const { name, size, type } = headerAt(bytes, at);
    const path = pathIn(target, name);
    const content = bytes.subarray(at + block, at + block + size);
    if (content.length < size) throw new Error(`the archive ends in the middle of ${name}`);
    if (type === "folder") mkdirSync(path, { recursive: true, mode: 0o700 });
    else {
      mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
      writeFileSync(path, content, { flag: "wx", mode: 0o600 });
    }
    isData ||= name === "PG_VERSION";
    at += block + Math.ceil(size / block) * block;
  }
  if (!isData) throw new Error("the archive contains no data folder of PostgreSQL");
}

async function unzipped(archive: Uint8Array): Promise<Buffer> {
  try {
    return await promisify(gunzip)(archive);
  } catch (error) {
    throw new Error("The file is not a gzipped archive.", { cause: error });
  }
}

interface Header {
  readonly name: string;
  readonly size: number;
  readonly type: "file" | "folder";
}

function headerAt(bytes: Buffer, at: number): Header {
  const text = (from: number, length: number): string => {
    const field = bytes.toString("utf8", at + from, at + from + length);
    return field.split("\0", 1)[0] ?? "";
  };
  const prefix = text(345, 155);
  const name = `${prefix === "" ? "" : `${prefix}/`}${text(0, 100)}`.replace(/^\/+|\/+$/g, "");
  const size = Number.parseInt(text(124, 12).trim() || "0", 8);
  const flag = text(156, 1);
  if (Number.isNaN(size)) throw new Error(`the archive is broken at ${name || "its beginning"}`);
  if (flag === "5") return { name, size: 0, type: "folder" };
  if (flag === "0" || flag === "") return { name, size, type: "file" };
  throw new Error(`the archive contains an entry that is neither file nor folder: ${name}`);
}

function pathIn(target: string, name: string): string {
  const path = join(target, name);
  const isInside = normalize(path).startsWith(normalize(target) + sep);
  if (!isInside) throw new Error(`the archive wants to write outside its folder: ${name}`);
  return path;
}
