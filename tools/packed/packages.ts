/**
 * The packages that are published, and the files that npm would pack of each. Only the forms of `files` that these
 * manifests use are understood; `npm run release` compares the result with what npm itself packs.
 */
import { readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { z } from "zod";

const dependenciesSchema = z.record(z.string(), z.string()).default({});

const manifestSchema = z.object({
  name: z.string(),
  version: z.string(),
  private: z.boolean().default(false),
  description: z.string().min(20),
  license: z.literal("MIT"),
  keywords: z.array(z.string()).default([]),
  homepage: z.string().optional(),
  bugs: z.string().optional(),
  repository: z
    .object({ type: z.literal("git"), url: z.string(), directory: z.string().optional() })
    .optional(),
  files: z.array(z.string()).default([]),
  type: z.literal("module"),
  engines: z.object({ node: z.literal(">=20.19") }).optional(),
  exports: z
    .record(z.string(), z.union([z.string(), z.record(z.string(), z.string())]))
    .default({}),
  dependencies: dependenciesSchema,
  peerDependencies: dependenciesSchema,
});

export type Manifest = z.infer<typeof manifestSchema>;

export interface PublishedPackage {
  readonly name: string;
  readonly folder: string;
  readonly manifest: Manifest;
}

export function readManifest(folder: string): Manifest {
  return manifestSchema.parse(JSON.parse(readFileSync(join(folder, "package.json"), "utf8")));
}

export function publishedPackages(root: string): readonly PublishedPackage[] {
  return readdirSync(join(root, "packages"))
    .map((name) => join(root, "packages", name))
    .map((folder) => ({ folder, manifest: readManifest(folder) }))
    .filter(({ manifest }) => !manifest.private)
    .map((one) => ({ ...one, name: one.manifest.name }));
}

/** Entries that only this repository's own tests use. */
const ownEntries: Readonly<Record<string, readonly string[]>> = {
  "@callboard/testkit": [".", "./page", "./postgres"],
};

export interface Entry {
  /** The paths that a user imports. */
  readonly specifier: string;
  /** Within the package. */
  readonly file: string;
}

export function entriesOf(manifest: Manifest, condition: "types" | "default"): readonly Entry[] {
  return Object.entries(manifest.exports).flatMap(([entry, targets]) => {
    const file = typeof targets === "string" ? undefined : targets[condition];
    if (file === undefined || ownEntries[manifest.name]?.includes(entry)) return [];
    return [{ specifier: `${manifest.name}${entry.slice(1)}`, file }];
  });
}

const always = ["package.json", "README.md", "LICENSE"];

/** Paths with `/`, sorted. */
export function packedFiles({ folder, manifest }: PublishedPackage): readonly string[] {
  const refused = manifest.files.filter((pattern) => pattern.startsWith("!")).map(patternOf);
  const taken = manifest.files.filter((pattern) => !pattern.startsWith("!"));
  return [...always, ...taken.flatMap((entry) => filesBelow(folder, entry))]
    .filter((path) => !refused.some((pattern) => pattern.test(path)))
    .sort((one, other) => (one < other ? -1 : 1));
}

function filesBelow(folder: string, entry: string): readonly string[] {
  const found = statSync(join(folder, entry));
  if (found.isFile()) return [entry];
  return readdirSync(join(folder, entry), { withFileTypes: true }).flatMap((child) =>
    filesBelow(folder, `${entry}/${child.name}`),
  );
}

/** `!src/**` + `/*.test.ts` or `!dist/**` + `/testing`, which omits what is below it too. */
function patternOf(pattern: string): RegExp {
  const source = pattern
    .slice(1)
    .replaceAll(".", "\\.")
    .replaceAll("**/", "(?:@/)?")
    .replaceAll("*", "[^/]*")
    .replaceAll("@", ".*");
  return new RegExp(`^${source}(?:/|$)`);
}
