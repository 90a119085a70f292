/**
 * The built program in a few files, for the tests that start it often: it is up in about half the time. Whatever a
 * file asks about its own address is answered as if it stood where it was built. `packed.e2e.test.ts` and
 * `launcher.e2e.test.ts` start the program as it is shipped.
 */
import { readFile, rm } from "node:fs/promises";
import { join, relative } from "node:path";
import { fileURLToPath } from "node:url";
import { build, type Plugin } from "esbuild";
import type { TestProject } from "vitest/node";

/** Packages that read files beside their own code. */
const external = ["@electric-sql/pglite"];

const ownAddress = (folder: string): Plugin => ({
  name: "own address",
  setup({ onLoad }) {
    onLoad({ filter: /\/(packages\/[^/]+\/dist|node_modules)\/.*\.m?js$/ }, async ({ path }) => {
      const text = await readFile(path, "utf8");
      if (!text.includes("import.meta.url")) return undefined;
      const place = JSON.stringify(relative(folder, path));
      const contents = text.replaceAll(
        "import.meta.url",
        `new URL(${place}, import.meta.url).href`,
      );
      return { contents, loader: "js" };
    });
  },
});

/** Vitest's global setup. */
export default async function setUp(project: TestProject): Promise<void> {
  const root = fileURLToPath(new URL("..", import.meta.url));
  project.provide("bundledProgram", await bundleProgram(root));
}

/** Makes it of what was built in a clone, and gives the file that starts it. */
export async function bundleProgram(root: string): Promise<string> {
  const folder = join(root, "packages/code/dist-test/bundled");
  await rm(folder, { recursive: true, force: true });
  await build({
    entryPoints: [join(root, "packages/code/dist/callboard-cli.js")],
    outdir: folder,
    bundle: true,
    splitting: true,
    format: "esm",
    platform: "node",
    target: "node20",
    external,
    // There is less to read; names stay, because errors tell them.
    minifyWhitespace: true,
    minifySyntax: true,
    logLevel: "error",
    plugins: [ownAddress(folder)],
    // Packages in CommonJS call `require`.
    banner: {
      js: 'import { createRequire as makeRequire } from "node:module"; const require = makeRequire(import.meta.url);',
    },
  });
  return join(folder, "callboard-cli.js");
}

declare module "vitest" {
  interface ProvidedContext {
    /** The file that starts the program. */
    readonly bundledProgram: string;
  }
}
