/**
 * Installs the bench's own dependencies on first use; does nothing when they are there.
 * They are never part of the root install.
 */
import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { fileURLToPath } from "node:url";

const folder = fileURLToPath(new URL("..", import.meta.url));

if (!existsSync(`${folder}node_modules`)) {
  const install = spawnSync("npm", ["ci", "--no-audit", "--no-fund"], {
    cwd: folder,
    stdio: ["ignore", "ignore", "inherit"],
    shell: process.platform === "win32",
  });
  process.exitCode = install.status ?? 1;
}
