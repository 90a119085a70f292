/**
 * Where each session of an editor works, its folder and the additional ones, and what was chosen for
 * it: mode, model, effort, title. The log does not know; editors want it kept. One small file for each, or
 * memory alone.
 */

import { mkdir, readFile, rename, rm, stat, writeFile } from "node:fs/promises";
import { isAbsolute, join } from "node:path";
import { isFileMissing, parsedJson } from "@callboard/run-log/values";
import { z } from "zod";
import { effortIds } from "./configOptions.js";
import { modeIds } from "./modes.js";
import { SessionRefusedError } from "./sessionRefused.js";

const placeSchema = z.object({
  cwd: z.string(),
  additionalDirectories: z.array(z.string()).readonly().default([]),
  mode: z.enum(modeIds).exactOptional(),
  model: z.string().exactOptional(),
  effort: z.enum(effortIds).exactOptional(),
  title: z.string().exactOptional(),
});
export type SessionPlace = Readonly<z.infer<typeof placeSchema>>;

export interface SessionPlaces {
  placeOf(sessionId: string): Promise<SessionPlace | undefined>;
  keep(sessionId: string, place: SessionPlace): Promise<void>;
  remove(sessionId: string): Promise<void>;
}

export function createMemoryPlaces(): SessionPlaces {
  const places = new Map<string, SessionPlace>();
  return {
    placeOf: (sessionId) => Promise.resolve(places.get(sessionId)),
    async keep(sessionId, place) {
      places.set(sessionId, place);
    },
    async remove(sessionId) {
      places.delete(sessionId);
    },
  };
}

export function createFilePlaces(folder: string): SessionPlaces {
  const pathOf = (sessionId: string): string =>
    join(folder, `${encodeURIComponent(sessionId)}.json`);
  /** The last change of each file that is under way: two choices in a row are written in their order. */
  const changes = new Map<string, Promise<void>>();

  function changed(sessionId: string, change: (path: string) => Promise<void>): Promise<void> {
    const path = pathOf(sessionId);
    const before = changes.get(path) ?? Promise.resolve();
    const ours = before
      // Whoever asked for the change before is told of its failure.
      .catch(() => undefined)
      .then(() => change(path))
      .finally(() => {
        if (changes.get(path) === ours) changes.delete(path);
      });
    changes.set(path, ours);
    return ours;
  }

  return {
    async placeOf(sessionId) {
      const text = await readFile(pathOf(sessionId), "utf8").catch((error: unknown) => {
        if (isFileMissing(error)) return undefined;
        throw error;
      });
      if (text === undefined) return undefined;
      const parsed = placeSchema.safeParse(parsedJson(text));
      return parsed.success ? parsed.data : undefined;
    },
    keep: (sessionId, place) =>
      changed(sessionId, async (path) => {
        await mkdir(folder, { recursive: true, mode: 0o700 });
        const draft = `${path}.${process.pid}`;
        await writeFile(draft, JSON.stringify(place), { mode: 0o600 });
        await rename(draft, path);
      }),
    remove: (sessionId) => changed(sessionId, (path) => rm(path, { force: true })),
  };
}

/** Throws a SessionRefusedError. */
export function requireAbsolute({ cwd, additionalDirectories }: SessionPlace): void {
  const relative = [cwd, ...additionalDirectories].find((folder) => !isAbsolute(folder));
  if (relative === undefined) return;
  throw new SessionRefusedError(`The folder "${relative}" is not absolute: give its whole path.`);
}

/** Throws a SessionRefusedError. */
export async function requireFolder(cwd: string): Promise<void> {
  const isFolder = await stat(cwd).then(
    (found) => found.isDirectory(),
    () => false,
  );
  if (isFolder) return;
  throw new SessionRefusedError(`There is no folder "${cwd}": name one that exists.`);
}
