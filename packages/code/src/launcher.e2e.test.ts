/** The committed launcher: what `npx callboard` starts in a clone, and from the published package. */
import { execFile } from "node:child_process";
import { copyFile, mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, it, onTestFinished } from "vitest";

const launcher = fileURLToPath(new URL("../bin/callboard.js", import.meta.url));

interface Ended {
  readonly code: number | string | undefined;
  readonly out: string;
  readonly err: string;
}

function launched(path: string, ...args: readonly string[]): Promise<Ended> {
  return new Promise((resolve) => {
    execFile(process.execPath, [path, ...args], (error, out, err) => {
      resolve({ code: error?.code ?? 0, out, err });
    });
  });
}

/** The launcher in a folder of its own, where a clone or a package would have it. */
async function copied(): Promise<{ readonly root: string; readonly path: string }> {
  const root = await mkdtemp(join(tmpdir(), "callboard-launcher-"));
  onTestFinished(() => rm(root, { recursive: true, force: true }));
  await mkdir(join(root, "packages/code/bin"), { recursive: true });
  const path = join(root, "packages/code/bin/callboard.mjs");
  await copyFile(launcher, path);
  return { root, path };
}

it("starts the built program", async () => {
  const { code, out, err } = await launched(launcher, "--version");
  expect({ code, err }).toEqual({ code: 0, err: "" });
  expect(out).toMatch(/^\d+\.\d+\.\d+\n$/);
});

it("builds a clone that has not been built, and then starts it", async () => {
  const { root, path } = await copied();
  await writeFile(join(root, "tsconfig.json"), "{}");
  const build = `node -e "const { mkdirSync, writeFileSync } = require('fs'); mkdirSync('packages/code/dist'); writeFileSync('packages/code/dist/callboard-cli.js', 'console.log(process.argv.slice(2).join())')"`;
  await writeFile(join(root, "package.json"), JSON.stringify({ scripts: { build } }));
  const { code, out, err } = await launched(path, "one", "two");
  expect({ code, out }).toEqual({ code: 0, out: "one,two\n" });
  expect(err).toContain("callboard: building this clone");
});

it("says what to do where the build fails", async () => {
  const { root, path } = await copied();
  await writeFile(join(root, "tsconfig.json"), "{}");
  await writeFile(join(root, "package.json"), JSON.stringify({ scripts: { build: "exit 3" } }));
  const { code, err } = await launched(path);
  expect(code).toBe(4);
  expect(err).toContain('the build failed. Run "npm ci && npm run build"');
});

it("says what to do where a package came without its build", async () => {
  const { path } = await copied();
  const { code, out, err } = await launched(path);
  expect({ code, out, err }).toEqual({
    code: 4,
    out: "",
    err: "callboard: the built program is missing from this package. Install callboard again.\n",
  });
});
