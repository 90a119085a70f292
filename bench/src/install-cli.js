/**
 * Installs the bench's own dependencies when one of them is missing or has another version; does
 * nothing otherwise. They are never part of the root install.
 */
import { spawnSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { versionOf } from "./versions.js";

const folder = fileURLToPath(new URL("..", import.meta.url));
const { dependencies } = JSON.parse(readFileSync(`${folder}package.json`, "utf8"));
const isComplete = Object.entries(dependencies).every(
  ([name, version]) =>
    existsSync(`${folder}node_modules/${name}/package.json`) && versionOf(name) === version,
);

if (!isComplete) {
  const install = spawnSync("npm", ["ci", "--no-audit", "--no-fund"], {
    cwd: folder,
    stdio: ["ignore", "ignore", "inherit"],
    shell: process.platform === "win32",
  });
  process.exitCode = install.status ?? 1;
}
