/**
 * Packs every published package, installs the archives in an empty folder as a user would, and runs the installed
 * program. It needs the registry for the dependencies.
 */
import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { createProcessDoor } from "../door/door.js";
import { lineOf } from "../door/spans.js";

const published = ["run-log", "agent-sdk", "store", "server", "acp", "web", "code"];
const packages = fileURLToPath(new URL("../../../", import.meta.url));
const folder = mkdtempSync(join(tmpdir(), "callboard-packed-"));
const { out } = createProcessDoor();

function run(cwd: string, program: string, ...args: readonly string[]): string {
  return execFileSync(program, args, {
    cwd,
    encoding: "utf8",
    stdio: ["ignore", "pipe", "inherit"],
    env: { ...process.env, CALLBOARD_HOME: join(folder, "home"), CALLBOARD_MODEL: "" },
  });
}

try {
  const archives = join(folder, "archives");
  const empty = join(folder, "empty");
  mkdirSync(archives);
  mkdirSync(empty);
  for (const name of published) {
    run(join(packages, name), "npm", "pack", "--silent", "--pack-destination", archives);
  }
  writeFileSync(join(empty, "package.json"), '{ "private": true }\n');
  const files = readdirSync(archives).map((name) => join(archives, name));
  run(empty, "npm", "install", "--silent", "--no-audit", "--no-fund", ...files);
  const version = run(empty, "npx", "--no-install", "callboard", "--version").trim();
  const answer = run(empty, "npx", "--no-install", "callboard", "-p", "hello");
  if (!answer.startsWith('Rehearsal: you said "hello".')) throw new Error(`it answered: ${answer}`);
  out.line(lineOf(`callboard ${version}, packed and installed in an empty folder, answers:`));
  out.text(answer);
  out.endText();
} finally {
  rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
}
