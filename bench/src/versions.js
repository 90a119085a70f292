/** Which version of a library was measured. */
import { readFileSync } from "node:fs";

/** @param {string} packageName */
export function versionOf(packageName) {
  const file = new URL(`../node_modules/${packageName}/package.json`, import.meta.url);
  return JSON.parse(readFileSync(file, "utf8")).version;
}
