/** The example application compiles against the packages as they are. */
import { spawnSync } from "node:child_process";
import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { afterAll, expect, it } from "vitest";

const root = resolve(import.meta.dirname, "../../..");
const folder = join(root, "packages/client/dist-test/example");
afterAll(() => rmSync(folder, { recursive: true, force: true }));

it("the example in Next.js compiles", () => {
  const example = join(root, "examples/next-chat");
  mkdirSync(folder, { recursive: true });
  const config = {
    extends: join(example, "tsconfig.json"),
    compilerOptions: {
      incremental: false,
      plugins: [],
      types: ["node"],
      typeRoots: [join(root, "node_modules/@types")],
      customConditions: ["callboard-source"],
    },
    include: [join(example, "**/*.ts"), join(example, "**/*.tsx"), join(folder, "assets.d.ts")],
  };
  writeFileSync(join(folder, "tsconfig.json"), JSON.stringify(config));
  // What Next.js itself declares; it is not installed here.
  writeFileSync(join(folder, "assets.d.ts"), 'declare module "#style";\n');
  const { stdout, status } = spawnSync(join(root, "node_modules/.bin/tsc"), ["-p", folder], {
    encoding: "utf8",
  });
  expect(stdout).toBe("");
  expect(status).toBe(0);
});
