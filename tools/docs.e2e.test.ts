import { spawnSync } from "node:child_process";
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";

/** Code in the papers must compile against the packages as they are: each snippet is a module. */
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

/** One compiler run for the papers with pages, one for the others: a page needs the DOM. Gives the remarks by paper. */
function remarksOf(group: string, named: readonly string[]): ReadonlyMap<string, string> {
  const own = join(folder, group);
  for (const paper of named) {
    const place = join(own, nameOf(paper));
    mkdirSync(place, { recursive: true });
    for (const [index, { language, code }] of snippetsOf(paper).entries()) {
      writeFileSync(join(place, `snippet${index + 1}.${language}`), code);
    }
  }
  const config = {
    extends: resolve("tsconfig.base.json"),
    compilerOptions: {
      composite: false,
      noEmit: true,
      moduleDetection: "force",
      types: ["node"],
      typeRoots: [resolve("node_modules/@types")],
      ...(group === "pages" ? { jsx: "react-jsx", lib: ["ES2023", "DOM", "DOM.Iterable"] } : {}),
    },
    include: ["**/*.ts", "**/*.tsx"],
  };
  writeFileSync(join(own, "tsconfig.json"), JSON.stringify(config));
  const { stdout, status } = spawnSync(resolve("node_modules/.bin/tsc"), ["-p", "."], {
    cwd: own,
    encoding: "utf8",
  });
  const lines = stdout.split("\n").filter((line) => line !== "");
  // What names none of the papers, such as a wrong setting, is a remark on all.
  const about = (paper: string) =>
    lines.filter((line) => line.startsWith(`${nameOf(paper)}/`) || !/^\w+\/snippet/.test(line));
  if (status !== 0 && lines.length === 0) throw new Error(`tsc ended with ${status}.`);
  return new Map(named.map((paper) => [paper, about(paper).join("\n")]));
}

const nameOf = (paper: string): string => paper.replaceAll(/\W/g, "_");

describe("the code in the papers", () => {
  let remarks: ReadonlyMap<string, string>;
  beforeAll(() => {
    const hasPage = (paper: string) => snippetsOf(paper).some(({ language }) => language === "tsx");
    const withPages = papers.filter(hasPage);
    const others = papers.filter((paper) => !hasPage(paper));
    remarks = new Map([...remarksOf("pages", withPages), ...remarksOf("others", others)]);
  });

  it("is there to be checked", () => {
    expect(snippetsOf("docs/migrating-from-isRunning.md").length).toBeGreaterThanOrEqual(4);
    const pages = snippetsOf("docs/client.md").filter(({ language }) => language === "tsx");
    expect(pages.length).toBeGreaterThanOrEqual(2);
  });

  it.each(papers)("compiles in %s", (paper) => {
    expect(remarks.get(paper)).toBe("");
  });
});
