/**
 * `npm run release [-- --dry-run]`: packs every package, installs the tarballs into an empty project and tries there
 * what their pages promise: the types in all settings, the examples, the program. Publishes only after all of it, and
 * not at all with `--dry-run`. Exit 1 where something is wrong, 2 on a wrong call.
 */
import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { compiledProject } from "./packed/compiledProject.js";
import { examples, runExample } from "./packed/examples.js";
import { publishedPackages } from "./packed/packages.js";
import { run } from "./packed/processes.js";
import { writeProject } from "./packed/strangersProject.js";
import { packedByNpm, removeStaleFiles } from "./packed/tarballs.js";

const { values, positionals } = parseArgs({
  options: { "dry-run": { type: "boolean", default: false } },
  allowPositionals: true,
});
if (positionals.length > 0) {
  console.error(`release takes no ${positionals.join(" ")}; only --dry-run.`);
  process.exit(2);
}

const root = join(import.meta.dirname, "../../..");
const place = mkdtempSync(join(tmpdir(), "callboard-release-"));
try {
  await release();
} catch (error) {
  console.error(error instanceof Error ? error.message : String(error));
  process.exitCode = 1;
} finally {
  rmSync(place, { recursive: true, force: true });
}

async function release(): Promise<void> {
  const packages = publishedPackages(root);
  const stale = packages.flatMap(removeStaleFiles);
  if (stale.length > 0) console.log(`removed ${stale.length} files of earlier builds`);
  const tarballs = await packedByNpm(packages, place);
  console.log(`packed ${tarballs.length} packages`);

  const project = join(place, "project");
  mkdirSync(project);
  writeProject(project, { "package.json": JSON.stringify({ private: true, type: "module" }) });
  const extras = ["zod", "@types/node@20", "@types/react", "react"];
  await run("npm", ["install", "--no-audit", "--no-fund", ...tarballs, ...extras], project);
  console.log("installed them into an empty project");

  for (const way of ["node16", "bundler"] as const) {
    for (const react of [18, 19] as const) {
      const said = compiledProject(root, project, { way, react, hasProgram: true });
      if (said !== "")
        throw new Error(`The types do not compile (${way}, React ${react}):\n${said}`);
    }
  }
  console.log("compiled a program and a page: node16 and bundler, React 18 and 19");

  for (const example of examples(root)) {
    await runExample(example, project);
    console.log(`ran ${example.name}`);
  }

  if (values["dry-run"]) {
    console.log("published nothing: --dry-run");
    return;
  }
  for (const tarball of tarballs)
    await run("npm", ["publish", "--access", "public", tarball], root);
}
