/** An install needs no script of a dependency: npm runs none by itself, and `npm ci` does not warn of any. */
import { readFileSync } from "node:fs";
import { expect, it } from "vitest";
import { z } from "zod";

const lockSchema = z.object({
  packages: z.record(z.string(), z.object({ hasInstallScript: z.boolean().optional() })),
});
const manifestSchema = z.object({ allowScripts: z.record(z.string(), z.boolean()) });

const read = (name: string): unknown =>
  JSON.parse(readFileSync(new URL(`../${name}`, import.meta.url), "utf8"));

it("denies every install script of a dependency by name, and names no other", () => {
  const { packages } = lockSchema.parse(read("package-lock.json"));
  const scripted = Object.entries(packages)
    .filter(([, entry]) => entry.hasInstallScript)
    .map(([path]) => path.slice(path.lastIndexOf("node_modules/") + "node_modules/".length));
  const { allowScripts } = manifestSchema.parse(read("package.json"));
  expect(allowScripts).toEqual(Object.fromEntries(scripted.map((name) => [name, false])));
});
