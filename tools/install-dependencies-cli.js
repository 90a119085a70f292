/**
 * `node tools/install-dependencies-cli.js <folder>`: installs the dependencies of a folder that is not part of the
 * root install, when one of them is missing or has another version; does nothing otherwise.
 */
import { spawnSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";

const folder = resolve(process.argv[2] ?? ".");
const read = (file) => JSON.parse(readFileSync(join(folder, file), "utf8"));

/** A package under another name says which one it is: `npm:react@18.3.1`. */
const versionIn = (wanted) => wanted.replace(/^npm:.+@/, "");

const isComplete = Object.entries(read("package.json").dependencies).every(([name, wanted]) => {
  const file = `node_modules/${name}/package.json`;
  return existsSync(join(folder, file)) && read(file).version === versionIn(wanted);
});

if (!isComplete) {
  const install = spawnSync("npm", ["ci", "--no-audit", "--no-fund", "--ignore-scripts"], {
    cwd: folder,
    stdio: ["ignore", "ignore", "inherit"],
    shell: process.platform === "win32",
  });
  process.exitCode = install.status ?? 1;
}
