import { mkdtemp, rm, utimes, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { expect, it, onTestFinished } from "vitest";
import { isNewest } from "./proxyModule.js";

it("takes the file that the build made, unless it is missing or older than what was compiled", async () => {
  const folder = await mkdtemp(join(tmpdir(), "callboard-proxy-module-"));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  const writtenAt = async (name: string, seconds: number): Promise<URL> => {
    const path = join(folder, name);
    await writeFile(path, "");
    await utimes(path, seconds, seconds);
    return pathToFileURL(path);
  };
  const bundle = await writtenAt("bundle.js", 200);
  const missing = pathToFileURL(join(folder, "missing"));
  const older = await writtenAt("older", 100);
  const newer = await writtenAt("newer", 300);
  expect(isNewest(bundle, [missing])).toBe(true);
  expect(isNewest(bundle, [older, missing])).toBe(true);
  expect(isNewest(bundle, [older, newer])).toBe(false);
  expect(isNewest(missing, [older])).toBe(false);
});
