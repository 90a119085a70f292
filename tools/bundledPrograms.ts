/**
 * The programs that tests start, each in a few files: they are up in about half the time. Whatever a file asks about its
 * own address is answered as if it stood where it was built. `packed.e2e.test.ts` and `launcher.e2e.test.ts` start the
 * program as it is shipped.
 */
import { existsSync } from "node:fs";
import { mkdir, readdir, readFile, rename, rm, writeFile } from "node:fs/promises";
import { dirname, join, relative } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { build, type Plugin } from "esbuild";

/** Packages that read files beside their own code. */
const external = ["@electric-sql/pglite"];

/** The program, and those that exist for tests. */
const entries = [
  "packages/code/dist/callboard-cli.js",
  "packages/code/dist/testing/fuzz-door-cli.js",
  "packages/acp/dist/testing/agent-cli.js",
  "packages/acp/dist/testing/foreign-agent-cli.js",
  "packages/acp/dist/testing/proxy-cli.js",
  "packages/acp/dist/testing/recorded-agent-cli.js",
  "packages/agent-sdk/dist/sessions/testing/session-process-cli.js",
  "packages/agent-sdk/dist/tools/testing/crowded-shell-cli.js",
  "packages/agent-sdk/dist/tools/testing/shell-process-cli.js",
  "packages/agent-sdk/src/mcp/testing/http-server-cli.js",
  "packages/agent-sdk/src/mcp/testing/stdio-server-cli.js",
  "packages/testkit/dist/torture/crash/crashed-agent-cli.js",
  "packages/testkit/dist/torture/http/node-cli.js",
  "packages/testkit/dist/torture/http/scripted-server-cli.js",
  "packages/testkit/dist/torture/store/store-worker-cli.js",
];

const ownAddress = (root: string): Plugin => ({
  name: "own address",
  setup({ onLoad }) {
    onLoad({ filter: /\/(packages\/[^/]+\/(dist|src)|node_modules)\/.*\.m?js$/ }, async (found) => {
      const text = await readFile(found.path, "utf8");
      if (!text.includes("import.meta.url")) return undefined;
      // Programs and shared pieces lie at different depths: each address starts at the repository.
      const place = JSON.stringify(relative(root, found.path));
      const contents = text.replaceAll("import.meta.url", `new URL(${place}, repositoryUrl).href`);
      return { contents, loader: "js" };
    });
  },
});

/** Vitest's global setup. `builtProgram` of the test kit reads the variable, here and in the workers. */
export default async function setUp(): Promise<void> {
  process.env.BUNDLED_PROGRAMS = await bundlePrograms(
    fileURLToPath(new URL("..", import.meta.url)),
  );
}

/** Makes them of what was built in a clone, and gives their folder. */
export async function bundlePrograms(root: string): Promise<string> {
  const folder = join(root, "dist-test/programs");
  const { outputFiles } = await build({
    entryPoints: entries.map((entry) => join(root, entry)),
    outbase: root,
    outdir: folder,
    bundle: true,
    write: false,
    splitting: true,
    format: "esm",
    platform: "node",
    target: "node20",
    external,
    // There is less to read; names stay, because errors contain them.
    minifyWhitespace: true,
    minifySyntax: true,
    logLevel: "error",
    plugins: [ownAddress(root)],
    banner: {
      js: [
        'import { createRequire as makeRequire } from "node:module";',
        `const repositoryUrl = ${JSON.stringify(pathToFileURL(join(root, "/")).href)};`,
        // Packages in CommonJS call `require`.
        "const require = makeRequire(import.meta.url);",
      ].join(" "),
    },
  });
  for (const { path, contents } of outputFiles) await replaceFile(path, contents);
  const made = new Set(outputFiles.map(({ path }) => path));
  for (const entry of await readdir(folder, { withFileTypes: true, recursive: true })) {
    const path = join(entry.parentPath, entry.name);
    if (entry.isFile() && !made.has(path)) await rm(path, { force: true });
  }
  return folder;
}

/** Two test runs of one clone may do this at once: a file that is right already is left alone, none is ever half there. */
async function replaceFile(path: string, contents: Uint8Array): Promise<void> {
  if (existsSync(path) && (await readFile(path)).equals(contents)) return;
  await mkdir(dirname(path), { recursive: true });
  const unfinished = `${path}.${process.pid}`;
  await writeFile(unfinished, contents);
  await rename(unfinished, path);
}
