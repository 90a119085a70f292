/**
 * The packages as somebody installs them: the files that npm packs, in a project of their own. Checked by the tools
 * that package authors use, by a compiler without `skipLibCheck`, and by running the examples of their pages.
 */
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { checkPackage, Package, type Problem } from "@arethetypeswrong/core";
import { publint } from "publint";
import { formatMessage } from "publint/utils";
import { beforeAll, describe, expect, it } from "vitest";
import { compiledProject } from "./packed/compiledProject.js";
import { importedPackages } from "./packed/imports.js";
import { entriesOf, publishedPackages, readManifest } from "./packed/packages.js";
import { installPackages } from "./packed/strangersProject.js";

const root = join(import.meta.dirname, "..");
const project = join(root, "dist-test/stranger");
const published = publishedPackages(root);

/** Whoever writes tools brings the schema library of their choice. */
const withoutSchemas: ReadonlySet<string> = new Set(["@callboard/agent-sdk", "@callboard/store"]);
/** Programs, which no entry names. */
const programs: Readonly<Record<string, readonly string[]>> = {
  callboard: ["dist/callboard-cli.js"],
};

let installed: ReturnType<typeof installPackages>;
beforeAll(() => {
  installed = installPackages(root, project);
});

function installedPackage(name: string) {
  const found = installed.find((one) => one.name === name);
  if (found === undefined) throw new Error(`${name} is not installed in ${project}.`);
  return { ...found, manifest: readManifest(found.folder) };
}

describe.each(published)("$name", ({ name }) => {
  it("has nothing that publint remarks", async () => {
    const { folder } = installedPackage(name);
    const { messages, pkg } = await publint({ pkgDir: folder, pack: false, strict: true });
    expect(messages.map((message) => formatMessage(message, pkg, { color: false }))).toEqual([]);
  });

  it("has types that are found, and are those of its code", async () => {
    const { folder, files, manifest } = installedPackage(name);
    const contents = files
      .filter((file) => /\.(json|js|d\.ts)$/.test(file))
      .map((file) => [`/node_modules/${name}/${file}`, readFileSync(join(folder, file))]);
    const packed = new Package(Object.fromEntries(contents), name, manifest.version);
    const result = await checkPackage(packed);
    expect(result.types === false ? [] : result.problems.filter(isOfModules)).toEqual([]);
  });

  it("declares whatever its code and its types import", () => {
    const { folder, manifest } = installedPackage(name);
    const { dependencies, peerDependencies } = manifest;
    const declared = new Set([name, ...Object.keys({ ...dependencies, ...peerDependencies })]);
    const code = [
      ...entriesOf(manifest, "default").map(({ file }) => file),
      ...(programs[name] ?? []),
    ];
    const types = entriesOf(manifest, "types").map(({ file }) => file);
    const imported = importedPackages([...code, ...types].map((file) => join(folder, file)));
    expect([...imported].filter((one) => !declared.has(one))).toEqual([]);
    const named = [...importedPackages(types.map((file) => join(folder, file)))];
    if (withoutSchemas.has(name)) expect(named.filter((one) => one === "zod")).toEqual([]);
    // Whoever uses React brings its types.
    const untyped = named.filter(
      (one) => one !== "react" && existsSync(join(root, "node_modules/@types", one)),
    );
    expect(untyped.filter((one) => !declared.has(`@types/${one}`))).toEqual([]);
  });
});

/** The packages are modules for Node 20 and bundlers: older ways to find a package are not served. */
function isOfModules(problem: Problem): boolean {
  if (!("resolutionKind" in problem)) return true;
  return problem.resolutionKind === "node16-esm" || problem.resolutionKind === "bundler";
}

describe("somebody's project compiles without skipLibCheck", () => {
  // Each value of each setting once; all combinations are tried by `npm run release`.
  it("a program that imports every entry, and a page in React 18, by node16", () => {
    expect(compiledProject(root, project, { way: "node16", react: 18, hasProgram: true })).toBe("");
  });

  it("a page in React 19, by bundler", () => {
    expect(compiledProject(root, project, { way: "bundler", react: 19, hasProgram: false })).toBe(
      "",
    );
  });
});
