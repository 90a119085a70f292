import { mkdir, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { searchCount } from "@callboard/testkit";
import fc from "fast-check";
import { beforeEach, describe, expect, it } from "vitest";
import { ToolFailure } from "../utils/toolFailure.js";
import { approvalPath, inputLocations, pathInside, shownPath } from "./paths.js";
import { failureOf } from "./testing/failureOf.js";
import { testFolder } from "./testing/testContext.js";

let root: string;
let folders: { workdir: string; additionalDirectories: string[] };

beforeEach(async () => {
  root = await testFolder();
  folders = { workdir: join(root, "project"), additionalDirectories: [join(root, "more")] };
  for (const name of ["project/src", "more", "secret", "projectile"]) {
    await mkdir(join(root, name), { recursive: true });
  }
  await writeFile(join(root, "secret/key"), "k");
  await writeFile(join(root, "project/src/a.ts"), "a");
  await symlink(join(root, "secret"), join(root, "project/out"));
  await symlink(join(root, "secret/key"), join(root, "project/key"));
  await symlink(join(root, "secret/none"), join(root, "project/dangling"));
  await symlink("src", join(root, "project/in"));
  await symlink("loop", join(root, "project/loop"));
});

describe("a path", () => {
  it.each([
    ["src/a.ts", "project/src/a.ts"],
    [".", "project"],
    ["./src/../src/a.ts", "project/src/a.ts"],
    ["new/deep/file", "project/new/deep/file"],
    ["in/a.ts", "project/src/a.ts"],
    ["in/new.ts", "project/src/new.ts"],
    ["..a", "project/..a"],
    ["...", "project/..."],
    ["../project/src/a.ts", "project/src/a.ts"],
    ["../more/x", "more/x"],
  ])("%s is found inside", (path, expected) => {
    expect(pathInside(path, folders)).toBe(join(root, expected));
    expect(pathInside(join(folders.workdir, path), folders)).toBe(join(root, expected));
  });

  it.each([
    "..",
    "../secret/key",
    "src/../../secret/key",
    "../projectile/x",
    "/etc/passwd",
    "/",
    "out/key",
    "out/new",
    "out/../secret/key/../../../secret",
    "key",
    "dangling",
    "dangling/below",
    "src\0/../../secret",
    "\0",
    "..\\secret\\key",
    "src\\..\\..\\secret",
    "C:\\Windows",
    "C:/Windows",
    "c:secret",
    "\\\\server\\share",
    "//../../etc/passwd",
    "",
  ])("%j is refused and says what is allowed", async (path) => {
    const failure = await failureOf(() => pathInside(path, folders));
    expect(failure.errorType).toBe("path_outside");
    expect(failure.suggestion).toContain(`${folders.workdir}, ${join(root, "more")}`);
  });

  it.each(["loop", "loop/x", "src/a.ts/below", "x".repeat(5000)])("%s is no path", async (path) => {
    expect((await failureOf(() => pathInside(path, folders))).errorType).toBe("path_invalid");
  });

  it("never leaves the folders, whatever it is made of", () => {
    const part = fc.constantFrom(
      "..",
      ".",
      "src",
      "in",
      "out",
      "key",
      "dangling",
      "loop",
      "a.ts",
      "",
      "~",
      "%2e%2e",
      "..;",
      "\0",
      "..\\",
      "/",
      "//",
      "secret",
      "more",
      "．．",
      "\u2025",
      "project",
    );
    const path = fc.tuple(fc.constantFrom("", "/", "./"), fc.array(part, { maxLength: 8 }));
    fc.assert(
      fc.property(path, ([start, parts]) => {
        const text = start + parts.join("/");
        try {
          const real = pathInside(text, folders);
          expect(
            real === folders.workdir || /^\/(project|more)(\/|$)/.test(real.slice(root.length)),
          ).toBe(true);
        } catch (error) {
          expect(error).toBeInstanceOf(ToolFailure);
        }
      }),
      { numRuns: searchCount(10_000) },
    );
  });

  it("is matched by approval rules where it really is", () => {
    expect(approvalPath("src/../src/./a.ts", folders)).toBe("src/a.ts");
    expect(approvalPath("in/new.ts", folders)).toBe("src/new.ts");
    expect(approvalPath(join(root, "project/src/a.ts"), folders)).toBe("src/a.ts");
    expect(approvalPath("src/../../secret/key", folders)).toBe(join(root, "secret/key"));
    expect(approvalPath("../more/x", folders)).toBe(join(root, "more/x"));
  });

  it("is shown from the working folder", () => {
    expect(shownPath(join(root, "project"), folders.workdir)).toBe(".");
    expect(shownPath(join(root, "more/x"), folders.workdir)).toBe(join(root, "more/x"));
  });

  it("is an absolute location with its line", () => {
    expect(inputLocations({ path: "src/a.ts", offset: 7 }, "/w")).toEqual([
      { path: "/w/src/a.ts", line: 7 },
    ]);
    expect(inputLocations({ path: "a" }, "/w")).toEqual([{ path: "/w/a" }]);
    expect(inputLocations({ offset: 7 }, "/w")).toEqual([]);
  });
});
