/** Folders that somebody replaces by links between the check of a path and its use. */
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { readFileText } from "../tools/fileText.js";
import { pathInside } from "../tools/paths.js";
import { createSearchWorker } from "../tools/searchWorker.js";
import { failureOf } from "../tools/testing/failureOf.js";
import { sortedEntries } from "../tools/walk.js";
import { writeAtomically } from "./atomicWrite.js";
import { canHoldFolders } from "./heldFolder.js";

let root = "";
let folders = { workdir: "", additionalDirectories: [] };
beforeEach(() => {
  root = realpathSync(mkdtempSync(join(tmpdir(), "callboard-held-")));
  folders = { workdir: join(root, "project"), additionalDirectories: [] };
  for (const folder of ["project/src/deep", "secret/deep"]) {
    mkdirSync(join(root, folder), { recursive: true });
  }
  for (const file of ["project/src/deep/a.txt", "secret/deep/a.txt"]) {
    writeFileSync(join(root, file), `of ${file}`);
  }
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

/** What an attacker does once the path is checked. */
function swap(): void {
  renameSync(join(root, "project/src"), join(root, "project/gone"));
  symlinkSync(join(root, "secret"), join(root, "project/src"));
}

const secrets = (): readonly string[] =>
  readdirSync(join(root, "secret"), { recursive: true }).map(String);

it("are held on Linux, and nowhere else", () => {
  expect(canHoldFolders).toBe(process.platform === "linux");
});

describe.runIf(process.platform === "linux")("a folder that becomes a link after the check", () => {
  it("is not read through", async () => {
    const path = pathInside("src/deep/a.txt", folders);
    expect((await readFileText(path, "a.txt", 100))?.text).toBe("of project/src/deep/a.txt");
    swap();
    expect((await failureOf(() => readFileText(path, "a.txt", 100))).errorType).toBe(
      "path_changed",
    );
  });

  it("is not written through, neither to a file nor to a new one", async () => {
    const [old, fresh] = ["src/deep/a.txt", "src/deep/b.txt"].map((one) =>
      pathInside(one, folders),
    );
    swap();
    for (const path of [old, fresh]) {
      const failure = await failureOf(() => writeAtomically(path ?? "", "mine"));
      expect(failure.errorType).toBe("path_changed");
    }
    expect(secrets().toSorted()).toEqual(["deep", "deep/a.txt"]);
    expect(readFileSync(join(root, "secret/deep/a.txt"), "utf8")).toBe("of secret/deep/a.txt");
  });

  it("gets no folders of ours", async () => {
    const path = pathInside("src/new/newer/a.txt", folders);
    swap();
    await expect(writeAtomically(path, "mine")).rejects.toThrow();
    expect(secrets().toSorted()).toEqual(["deep", "deep/a.txt"]);
  });

  it("is neither listed nor searched", async () => {
    const folder = pathInside("src/deep", folders);
    const worker = createSearchWorker(/of/);
    expect(await worker.search(join(folder, "a.txt"), 5)).toMatchObject({ matches: [{ line: 1 }] });
    swap();
    expect((await failureOf(() => sortedEntries(folder, "", []))).errorType).toBe("path_changed");
    expect(await worker.search(join(folder, "a.txt"), 5)).toEqual({
      skipped: "unreadable",
      matches: [],
    });
    await worker.end();
  });
});

describe("a folder that stays what it is", () => {
  it("is created with those above it, and written in", async () => {
    const path = pathInside("one/two/three/a.txt", folders);
    await writeAtomically(path, "mine");
    expect(readFileSync(path, "utf8")).toBe("mine");
    expect(readdirSync(join(root, "project/one/two/three"))).toEqual(["a.txt"]);
  });

  it("may be one that nobody may list", async () => {
    const path = pathInside("src/deep/b.txt", folders);
    chmodSync(join(root, "project/src/deep"), 0o300);
    await writeAtomically(path, "mine");
    chmodSync(join(root, "project/src/deep"), 0o700);
    expect(existsSync(path)).toBe(true);
  });
});
