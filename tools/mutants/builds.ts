/** The built program and page of a copy of the repository, for the tests that start them. */
import { spawnSync } from "node:child_process";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { transformSync } from "esbuild";
import { bundlePrograms } from "../bundledPrograms.js";

export interface Builds {
  /** `file` was changed, or changed back. */
  changed(file: string): void;
  /** Builds what changed since the last call. A planted bug need not have the right types. */
  bringUpToDate(): Promise<void>;
}

export function createBuilds(folder: string): Builds {
  const stale = new Set<string>();
  return {
    changed(file) {
      stale.add(file);
    },
    async bringUpToDate() {
      if (stale.size === 0) return;
      for (const file of stale) transpile(folder, file);
      stale.clear();
      // It looks for itself whether anything that the page is made of changed. A bug may make the page impossible.
      spawnSync(process.execPath, ["tools/build-page-cli.js"], { cwd: folder, stdio: "ignore" });
      await bundlePrograms(folder);
    },
  };
}

/** `packages/<room>/src/a.ts` becomes `packages/<room>/dist/a.js`; the page is built from its sources. */
function transpile(folder: string, file: string): void {
  const [, room, path] = /^packages\/([^/]+)\/src\/(.+)\.tsx?$/.exec(file) ?? [];
  if (room === undefined || path === undefined || room === "web") return;
  const target = join(folder, "packages", room, "dist", `${path}.js`);
  const { code } = transformSync(readFileSync(join(folder, file), "utf8"), {
    loader: file.endsWith("x") ? "tsx" : "ts",
    jsx: "automatic",
    target: "es2023",
  });
  mkdirSync(dirname(target), { recursive: true });
  writeFileSync(target, code);
}
