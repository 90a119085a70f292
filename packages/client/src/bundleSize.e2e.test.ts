/** What a page pays for this package: everything that an entry exports, bundled by esbuild, minified and gzipped. */
import { gzipSync } from "node:zlib";
import { type BuildResult, build } from "esbuild";
import { expect, it } from "vitest";

const budgets = [
  ["the client is", "./index.ts", 40_000],
  ["the hooks are", "./react/index.ts", 40_000],
] as const;

async function bundled(entry: string): Promise<BuildResult<{ write: false; metafile: true }>> {
  return build({
    stdin: { contents: `export * from "${entry}";`, resolveDir: import.meta.dirname },
    bundle: true,
    minify: true,
    format: "esm",
    platform: "browser",
    conditions: ["callboard-source"],
    external: ["react"],
    metafile: true,
    write: false,
  });
}

type Bundled = Awaited<ReturnType<typeof bundled>>;

function filesOf({ metafile }: Bundled) {
  return Object.values(metafile.outputs).flatMap(({ inputs }) => Object.entries(inputs));
}

/** The files that weigh most, for whoever has to find out what grew. */
function heaviest(result: Bundled): string {
  return filesOf(result)
    .sort(([, one], [, other]) => other.bytesInOutput - one.bytesInOutput)
    .slice(0, 10)
    .map(([file, { bytesInOutput }]) => `${bytesInOutput} ${file}`)
    .join("\n");
}

it.each(budgets)("%s at most 40 KB gzipped", async (_, entry, budget) => {
  const result = await bundled(entry);
  const size = result.outputFiles.reduce((sum, { contents }) => sum + gzipSync(contents).length, 0);
  expect(size).toBeGreaterThan(10_000);
  expect(size, heaviest(result)).toBeLessThanOrEqual(budget);
  // Only programs that shorten arguments while they stream need the reader of partial JSON.
  expect(filesOf(result).filter(([file]) => file.includes("partialJson/scanner"))).toEqual([]);
});
