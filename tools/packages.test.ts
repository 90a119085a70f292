/** What a stranger finds in a package: who it is, what it is for, under which terms, and files that exist. */
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { z } from "zod";

const root = join(import.meta.dirname, "..");

const entrySchema = z.union([z.string(), z.record(z.string(), z.string())]);
const manifestSchema = z.object({
  name: z.string(),
  private: z.boolean().optional(),
  description: z.string().min(20),
  license: z.literal("MIT"),
  keywords: z.array(z.string()).min(3).optional(),
  files: z.array(z.string()).optional(),
  type: z.literal("module"),
  engines: z.object({ node: z.literal(">=20.19") }).optional(),
  exports: z.record(z.string(), entrySchema).optional(),
});

const packages = readdirSync(join(root, "packages"))
  .map((folder) => ({
    folder: join(root, "packages", folder),
    manifest: manifestSchema.parse(
      JSON.parse(readFileSync(join(root, "packages", folder, "package.json"), "utf8")),
    ),
  }))
  .filter(({ manifest }) => manifest.private !== true)
  .map((one) => ({ ...one, name: one.manifest.name }));

describe.each(packages)("$name", ({ folder, manifest }) => {
  it("has a page that says what it is, and the licence of the whole", () => {
    const page = readFileSync(join(folder, "README.md"), "utf8");
    expect(page.startsWith(`# ${manifest.name}\n\n${manifest.description}\n`)).toBe(true);
    expect(readFileSync(join(folder, "LICENSE"), "utf8")).toBe(
      readFileSync(join(root, "LICENSE"), "utf8"),
    );
    expect(manifest.keywords?.length).toBeGreaterThanOrEqual(3);
  });

  it("exports files that exist as sources, and tells types before code", () => {
    for (const entry of Object.values(manifest.exports ?? {})) {
      if (typeof entry === "string") continue;
      const { "callboard-source": source } = entry;
      if (source !== undefined) expect(existsSync(join(folder, source))).toBe(true);
      const conditions = Object.keys(entry);
      const typesAt = conditions.indexOf("types");
      if (typesAt !== -1) expect(typesAt).toBeLessThan(conditions.indexOf("default"));
    }
  });
});

it("knows every public package", () => {
  expect(packages.length).toBe(8);
});
