/** The tarballs that npm makes of the packages, held to the list that the tests use. */
import { existsSync, rmSync } from "node:fs";
import { join } from "node:path";
import { z } from "zod";
import { type PublishedPackage, packedFiles } from "./packages.js";
import { run } from "./processes.js";

/** Removes what earlier builds left in `dist` of sources that are gone; gives their paths. */
export function removeStaleFiles(published: PublishedPackage): readonly string[] {
  const stale = packedFiles(published).filter((file) => {
    const [, name] = /^dist\/(.+?)(?:\.d\.ts|\.js)(?:\.map)?$/.exec(file) ?? [];
    if (name === undefined || !existsSync(join(published.folder, "tsconfig.test.json")))
      return false;
    if (name.startsWith("assets/")) return false;
    return !["ts", "tsx"].some((end) => existsSync(join(published.folder, `src/${name}.${end}`)));
  });
  for (const file of stale) rmSync(join(published.folder, file));
  return stale.map((file) => join(published.name, file));
}

const packedSchema = z.array(
  z.object({ filename: z.string(), files: z.array(z.object({ path: z.string() })) }),
);

/** Packs into `place`; gives the paths of the tarballs. Throws if npm packs other files than the tests believe. */
export async function packedByNpm(
  packages: readonly PublishedPackage[],
  place: string,
): Promise<readonly string[]> {
  const tarballs: string[] = [];
  for (const published of packages) {
    const args = ["pack", "--json", "--ignore-scripts", "--pack-destination", place];
    const [packed] = packedSchema.parse(JSON.parse(await run("npm", args, published.folder)));
    if (packed === undefined) throw new Error(`npm packed nothing of ${published.name}.`);
    const names = packed.files.map(({ path }) => path);
    const believed = packedFiles(published);
    const different = [
      ...names.filter((name) => !believed.includes(name)),
      ...believed.filter((name) => !names.includes(name)),
    ];
    if (different.length > 0) {
      const shown = different.slice(0, 5).join(", ");
      throw new Error(
        `npm packs other files of ${published.name} than tools/packed says: ${shown}`,
      );
    }
    tarballs.push(join(place, packed.filename));
  }
  return tarballs;
}
