/** Patches as git itself reads them. */
import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { patchOf } from "./gitPatch.js";

describe("a patch", () => {
  const lines = fc.array(fc.constantFrom("a", "b", "c", "", "😀"), { maxLength: 12 });
  const texts = fc
    .tuple(lines, fc.boolean())
    .map(([all, ends]) => all.join("\n") + (ends ? "\n" : ""));

  it("applies with git to give the new text", () => {
    const folder = mkdtempSync(join(tmpdir(), "callboard-patch-"));
    try {
      fc.assert(
        fc.property(texts, texts, (oldText, newText) => {
          fc.pre(oldText !== newText && oldText !== "");
          const path = join(folder, "a.txt");
          writeFileSync(path, oldText);
          const patch = patchOf({ path, oldText, newText });
          execFileSync("git", ["apply", "--unsafe-paths", "-p0", "-"], { cwd: "/", input: patch });
          expect(readFileSync(path, "utf8")).toBe(newText);
        }),
        { numRuns: 40 },
      );
    } finally {
      rmSync(folder, { recursive: true });
    }
  });

  it("of a new file adds every line", () => {
    expect(patchOf({ path: "/a b", newText: "x\ny" })).toBe(
      "diff --git /a b /a b\nnew file mode 100644\n--- /dev/null\n+++ /a b\n@@ -0,0 +1,2 @@\n+x\n+y\n\\ No newline at end of file\n",
    );
  });
});
