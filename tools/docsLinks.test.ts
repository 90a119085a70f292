/** Links between the papers lead somewhere, and every page can be reached from the index. */
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { dirname, join, normalize } from "node:path";
import { describe, expect, it } from "vitest";

const roots = readdirSync(".").filter((name) => name.endsWith(".md"));
const pages = ["docs", "docs/reference", "docs/decisions"].flatMap((folder) =>
  readdirSync(folder)
    .filter((name) => name.endsWith(".md"))
    .map((name) => join(folder, name)),
);

function withoutCode(text: string): string {
  return text.replaceAll(/^```[\s\S]*?^```$/gm, "").replaceAll(/`[^`\n]*`/g, "code");
}

interface Link {
  readonly path: string;
  readonly anchor: string | undefined;
}

/** The links of a page to files of this repository. */
function linksOf(page: string): readonly Link[] {
  const links = withoutCode(readFileSync(page, "utf8")).matchAll(/\]\(([^)\s]+)\)/g);
  return [...links].flatMap(([, target = ""]) => {
    if (/^[a-z]+:/.test(target)) return [];
    const [file = "", anchor] = target.split("#");
    return [{ path: file === "" ? page : normalize(join(dirname(page), file)), anchor }];
  });
}

/** A heading as its anchor: small letters, no marks, hyphens for spaces. */
function anchorsOf(page: string): readonly string[] {
  const headings = readFileSync(page, "utf8").matchAll(/^#+ (.+)$/gm);
  return [...headings].map(([, heading = ""]) =>
    heading
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N}\s_-]/gu, "")
      .replaceAll(" ", "-"),
  );
}

describe("links", () => {
  it.each([...roots, ...pages])("of %s lead somewhere", (page) => {
    const broken = linksOf(page).filter(
      ({ path, anchor }) =>
        !existsSync(path) ||
        (anchor !== undefined && path.endsWith(".md") && !anchorsOf(path).includes(anchor)),
    );
    expect(broken).toEqual([]);
  });
});

it("leads from the index to every page", () => {
  const linked = new Set(linksOf("docs/README.md").map(({ path }) => path));
  const wanted = pages.filter(
    (page) => !page.startsWith("docs/decisions") && page !== "docs/README.md",
  );
  expect(wanted.filter((page) => !linked.has(page))).toEqual([]);
});
