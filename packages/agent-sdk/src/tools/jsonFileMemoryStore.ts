/**
 * Memory in one JSON file, read again for every query and replaced as a whole. Within a process changes are sequential;
 * if two processes write at once the later wins. A file that cannot be parsed is an error and stays unchanged.
 */

import { mkdir, readFile, realpath } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { isFileMissing } from "@callboard/run-log/values";
import { z } from "zod";
import { writeAtomically } from "../system/atomicWrite.js";
import {
  livingEntries,
  type MemoryEntry,
  type MemoryStore,
  maxMemoryEntries,
  memoryTerms,
} from "./memoryStore.js";

const entrySchema = z.strictObject({
  key: z.string().min(1),
  text: z.string(),
  term: z.enum(memoryTerms),
  storedAt: z.number(),
  expiresAt: z.number().optional(),
});
const fileSchema = z.strictObject({ v: z.literal(1), entries: z.array(entrySchema) });

export function createJsonFileMemoryStore(path: string): MemoryStore {
  let last: Promise<unknown> = Promise.resolve();

  function inTurn<Value>(work: () => Promise<Value>): Promise<Value> {
    const turn = last.then(work, work);
    last = turn.catch(() => {
      // The caller of this turn gets the failure; the next one starts in any case.
    });
    return turn;
  }

  async function read(now: number): Promise<readonly MemoryEntry[]> {
    const text = await textOrNothing(path);
    if (text === undefined) return [];
    try {
      return livingEntries(fileSchema.parse(JSON.parse(text)).entries, now);
    } catch (error) {
      throw new Error(`The memory file ${path} cannot be understood; it is left as it is.`, {
        cause: error,
      });
    }
  }

  async function write(entries: readonly MemoryEntry[]): Promise<void> {
    const text = `${JSON.stringify({ v: 1, entries }, null, 2)}\n`;
    const folder = dirname(path);
    await mkdir(folder, { recursive: true, mode: 0o700 });
    await writeAtomically(join(await realpath(folder), basename(path)), text, { isPrivate: true });
  }

  return {
    put: (entry, now) =>
      inTurn(async () => {
        const others = (await read(now)).filter(({ key }) => key !== entry.key);
        await write([...others, entry].slice(-maxMemoryEntries));
      }),
    get: (key, now) => inTurn(async () => (await read(now)).find((entry) => entry.key === key)),
    list: (now) => inTurn(async () => [...(await read(now))].reverse()),
    remove: (key, now) =>
      inTurn(async () => {
        const entries = await read(now);
        const others = entries.filter((entry) => entry.key !== key);
        if (others.length === entries.length) return false;
        await write(others);
        return true;
      }),
  };
}

async function textOrNothing(path: string): Promise<string | undefined> {
  try {
    return await readFile(path, "utf8");
  } catch (error) {
    if (isFileMissing(error)) return undefined;
    throw error;
  }
}
