import { spawnSync } from "node:child_process";
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { afterAll, describe, expect, it } from "vitest";

/** Code in the papers must compile against the packages as they are: each file's snippets are one project. */
const folder = resolve("packages/agent-sdk/dist-test/docs");
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const papers = [
  "README.md",
  ...["docs", "docs/reference"].flatMap((place) =>
    readdirSync(place)
      .filter((name) => name.endsWith(".md"))
      .map((name) => join(place, name)),
  ),
];

interface Snippet {
  readonly language: string;
  readonly code: string;
}

function snippetsOf(paper: string): readonly Snippet[] {
  const text = readFileSync(paper, "utf8");
  const found = text.matchAll(/^```(tsx?)\n([\s\S]*?)^```$/gm);
  return [...found].map(([, language = "", code = ""]) => ({ language, code }));
}

describe("the code in the papers", () => {
  it("is there to be checked", () => {
    expect(snippetsOf("docs/migrating-from-isRunning.md").length).toBeGreaterThanOrEqual(4);
    const pages = snippetsOf("docs/client.md").filter(({ language }) => language === "tsx");
    expect(pages.length).toBeGreaterThanOrEqual(2);
  });

  it.each(papers)("compiles in %s", (paper) => {
    const own = join(folder, paper.replaceAll(/\W/g, "_"));
    mkdirSync(own, { recursive: true });
    const snippets = snippetsOf(paper);
    snippets.forEach(({ language, code }, index) => {
      writeFileSync(join(own, `snippet${index + 1}.${language}`), code);
    });
    const hasPage = snippets.some(({ language }) => language === "tsx");
    const config = {
      extends: resolve("tsconfig.base.json"),
      compilerOptions: {
        composite: false,
        noEmit: true,
        types: ["node"],
        typeRoots: [resolve("node_modules/@types")],
        ...(hasPage ? { jsx: "react-jsx", lib: ["ES2023", "DOM", "DOM.Iterable"] } : {}),
      },
      include: ["*.ts", "*.tsx"],
    };
    writeFileSync(join(own, "tsconfig.json"), JSON.stringify(config));
    writeFileSync(join(own, "empty.ts"), "export {};\n");
    const { stdout, status } = spawnSync(resolve("node_modules/.bin/tsc"), ["-p", own], {
      encoding: "utf8",
    });
    expect(stdout).toBe("");
    expect(status).toBe(0);
  });
});
