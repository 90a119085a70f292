/**
 * The programs that are measured. The peers are installed outside this folder, the first time they are
 * wanted, at the versions named here: together they are larger than everything else of the bench.
 */
import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const peers = [
  { name: "opencode", packageName: "opencode-ai", version: "1.18.33", bin: "opencode" },
  { name: "gemini-cli", packageName: "@google/gemini-cli", version: "0.61.0", bin: "gemini" },
  { name: "pi", packageName: "@mariozechner/pi-coding-agent", version: "0.73.1", bin: "pi" },
];

/**
 * @typedef {object} Program
 * @property {string} name
 * @property {string} version
 * @property {readonly string[]} command
 */

/**
 * @param {(line: string) => void} say
 * @returns {readonly Program[]}
 */
export function programs(say) {
  const own = fileURLToPath(
    new URL("../../../packages/code/dist/callboard-cli.js", import.meta.url),
  );
  return [
    { name: "Callboard", version: "this tree", command: [process.execPath, own] },
    ...peers.map(({ name, packageName, version, bin }) => {
      const folder = join(tmpdir(), "callboard-bench-programs", `${name}-${version}`);
      install(folder, `${packageName}@${version}`, say);
      return { name, version, command: [join(folder, "node_modules", ".bin", bin)] };
    }),
  ];
}

/**
 * @param {string} folder
 * @param {string} what
 * @param {(line: string) => void} say
 */
function install(folder, what, say) {
  if (existsSync(join(folder, "installed"))) return;
  say(`installing ${what}`);
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, "package.json"), '{ "private": true }\n');
  const { status } = spawnSync("npm", ["install", "--silent", "--no-audit", "--no-fund", what], {
    cwd: folder,
    stdio: ["ignore", "ignore", "inherit"],
  });
  if (status !== 0) throw new Error(`${what} could not be installed`);
  writeFileSync(join(folder, "installed"), "");
}
