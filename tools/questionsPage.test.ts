/** The table of questions and surfaces names tests that exist, and leaves no cell without a test or a reason. */
import { readFileSync } from "node:fs";
import { expect, it } from "vitest";

const root = new URL("../", import.meta.url);
const page = readFileSync(new URL("docs/questions.md", root), "utf8");

/** The cells of the rows of a table that starts with this line. */
function rowsAfter(head: string): readonly (readonly string[])[] {
  const [, rest = ""] = page.split(`${head}\n`);
  const lines = rest.split("\n");
  const end = lines.findIndex((line) => !line.startsWith("|"));
  return lines.slice(1, end === -1 ? lines.length : end).map((line) =>
    line
      .split("|")
      .slice(1, -1)
      .map((cell) => cell.trim()),
  );
}

const kinds = rowsAfter(
  "| kind | HTTP, client, AI SDK, AG-UI, link | terminal | page | SDK | editor (ACP) |",
);
const files = new Map(
  rowsAfter("| | test file |").map(([letter = "", path = ""]) => {
    const text = readFileSync(new URL(path.replaceAll("`", ""), root), "utf8");
    return [letter, text] as const;
  }),
);

it("names a test in each cell but those that a surface cannot do", () => {
  expect(kinds).toHaveLength(12);
  const empty = kinds.flatMap(([kind, ...cells]) =>
    cells.flatMap((cell) => (cell === "–" ? [kind] : [])),
  );
  const results = "the result of a client's call";
  expect(empty).toEqual(["change the arguments", results, results, results]);
});

it("names tests that exist", () => {
  const missing = kinds.flatMap(([, ...cells]) =>
    cells.filter((cell) => {
      const [letter = "", ...name] = cell.split(": ");
      return cell !== "–" && files.get(letter)?.includes(`"${name.join(": ")}`) !== true;
    }),
  );
  expect(missing).toEqual([]);
});
