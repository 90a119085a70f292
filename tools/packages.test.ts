/** What a stranger finds in a package: who it is, what it is for, under which terms, where it comes from, and files that exist. */
import { existsSync, readFileSync } from "node:fs";
import { basename, join } from "node:path";
import { describe, expect, it } from "vitest";
import { z } from "zod";
import { publishedPackages } from "./packed/packages.js";

const root = join(import.meta.dirname, "..");
const packages = publishedPackages(root);
const originSchema = z.object({
  homepage: z.string(),
  bugs: z.string(),
  repository: z.object({ type: z.literal("git"), url: z.string() }),
});
const origin = originSchema.parse(JSON.parse(readFileSync(join(root, "package.json"), "utf8")));

describe.each(packages)("$name", ({ folder, manifest }) => {
  it("has a page that says what it is, and the licence of the whole", () => {
    const page = readFileSync(join(folder, "README.md"), "utf8");
    expect(page.startsWith(`# ${manifest.name}\n\n${manifest.description}\n`)).toBe(true);
    expect(readFileSync(join(folder, "LICENSE"), "utf8")).toBe(
      readFileSync(join(root, "LICENSE"), "utf8"),
    );
    expect(manifest.keywords.length).toBeGreaterThanOrEqual(3);
    expect(manifest.engines).toEqual({ node: ">=20.19" });
  });

  it("says where it comes from", () => {
    const directory = `packages/${basename(folder)}`;
    expect(manifest.repository).toEqual({ ...origin.repository, directory });
    expect(manifest.bugs).toBe(origin.bugs);
    expect(manifest.homepage).toBe(
      origin.homepage.replace("#readme", `/tree/main/${directory}#readme`),
    );
  });

  it("exports files that exist as sources, and tells types before code", () => {
    for (const entry of Object.values(manifest.exports)) {
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
  expect(packages.length).toBe(9);
});

const lockSchema = z.object({
  packages: z.record(
    z.string(),
    z.object({
      dev: z.boolean().optional(),
      engines: z.union([z.record(z.string(), z.string()), z.array(z.string())]).optional(),
    }),
  ),
});

/** Whether Node 20.19 is in a range of `^x`, `>=x` and `||`, which is all that packages ask for. */
function takesOurNode(range: string): boolean {
  return range.split("||").some((one) => {
    const [, sign, major = "", minor = "0"] = /^\s*(\^|>=)\s*(\d+)(?:\.(\d+))?/.exec(one) ?? [];
    if (sign === "^") return major === "20" && Number(minor) <= 19;
    return Number(major) * 100 + Number(minor) <= 2_019;
  });
}

it("installs in production without a package that wants a newer Node than ours", () => {
  const lock = lockSchema.parse(JSON.parse(readFileSync(join(root, "package-lock.json"), "utf8")));
  const newer = Object.entries(lock.packages).filter(([, { dev, engines }]) => {
    const node = Array.isArray(engines) ? undefined : engines?.node;
    return !dev && node !== undefined && !takesOurNode(node);
  });
  expect(newer.map(([name]) => name)).toEqual([]);
  expect([">=22.0.0", "^22 || >=24", ">=20.20"].map(takesOurNode)).toEqual([false, false, false]);
});
