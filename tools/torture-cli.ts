/**
 * `npm run torture`: bundles the programs that its parts start and kill, which then are up in about half the time, and
 * runs the torture of the test kit.
 */
import { join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { bundlePrograms } from "./bundledPrograms.js";

const root = fileURLToPath(new URL("../../..", import.meta.url));
process.env.BUNDLED_PROGRAMS = await bundlePrograms(root);
await import(pathToFileURL(join(root, "packages/testkit/dist/torture-cli.js")).href);
