import { chmodSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { aptGet } from "./aptGet.js";

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "callboard-apt-"));
  // Like the real one, it fails if another one runs: `mkdir` succeeds for one process alone.
  const standIn = `#!/bin/sh
mkdir "${folder}/held" || exit 100
echo "$1" >> "${folder}/calls"
sleep 0.05
rmdir "${folder}/held"
`;
  writeFileSync(join(folder, "apt-get"), standIn);
  chmodSync(join(folder, "apt-get"), 0o755);
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

it("waits for the apt-get of another process", async () => {
  const options = { lock: folder, env: { PATH: `${folder}:${process.env.PATH ?? ""}` } };
  await Promise.all(Array.from({ length: 6 }, () => aptGet(["update"], options)));
  expect(readFileSync(join(folder, "calls"), "utf8")).toBe("update\n".repeat(6));
  expect(existsSync(join(folder, "held"))).toBe(false);
});

it("fails with what apt-get said", async () => {
  writeFileSync(join(folder, "apt-get"), "#!/bin/sh\necho 'no such package' >&2\nexit 100\n");
  const options = { lock: folder, env: { PATH: `${folder}:${process.env.PATH ?? ""}` } };
  await expect(aptGet(["install", "nothing"], options)).rejects.toThrow("no such package");
});
