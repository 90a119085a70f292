/** `node tools/build-page-cli.js`: builds the board's page, unless everything it is made of is as it was. */
import { spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const root = fileURLToPath(new URL("..", import.meta.url));
/** Inside the built page, which every build empties first: a build that fails leaves none. */
const stamp = join(root, "packages/web/dist/.made-of");

const ingredients = [
  "package-lock.json",
  "packages/web/index.html",
  "packages/web/viewer.html",
  "packages/web/vite.config.ts",
  "packages/web/package.json",
  ...["web", "client", "run-log"].flatMap((name) => sourcesOf(`packages/${name}/src`)),
];
const hash = createHash("sha256");
for (const path of ingredients) {
  hash
    .update(`${path}\0`)
    .update(readFileSync(join(root, path)))
    .update("\0");
}
const madeOf = hash.digest("hex");

if (!existsSync(stamp) || readFileSync(stamp, "utf8") !== madeOf) {
  console.log("building the page");
  const build = ["run", "--silent", "--workspace", "@callboard/web", "build"];
  const { status, error } = spawnSync("npm", build, { cwd: root, stdio: "inherit" });
  if (error) throw error;
  if (status !== 0) process.exit(status ?? 1);
  writeFileSync(stamp, madeOf);
}

/** @param {string} folder */
function sourcesOf(folder) {
  return readdirSync(join(root, folder), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && !/\.test(-d)?\.tsx?$/.test(entry.name))
    .map((entry) => join(entry.parentPath, entry.name).slice(root.length))
    .sort();
}
