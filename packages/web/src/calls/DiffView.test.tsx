/** Which line is which, before a change and after it. */
import { expect, it } from "vitest";
import { drawn } from "../testing/drawn.js";
import { DiffView } from "./DiffView.js";

const before = Array.from({ length: 12 }, (_, index) => `line ${index + 1}`);
const after = [...before.slice(0, 9), "changed", "added", ...before.slice(10)];

it("numbers the lines on both sides in two columns, and leaves out what did not change", async () => {
  const diff = { path: "a.txt", oldText: before.join("\n"), newText: after.join("\n") };
  const view = await drawn(<DiffView diff={diff} />);
  const lines = [...view.querySelectorAll(".diff-line")].map((line) => [
    line.getAttribute("data-numbers"),
    line.textContent?.trimEnd(),
  ]);
  expect(lines).toEqual([
    ...[1, 2, 3, 7, 8, 9].map((line) => [` ${line}   ${line}`, `  line ${line}`]),
    ["10    ", "− line 10"],
    ["    10", "+ changed"],
    ["    11", "+ added"],
    ["11  12", "  line 11"],
    ["12  13", "  line 12"],
  ]);
  expect(view.querySelector(".diff-gap")?.textContent).toBe("⋯ 3 lines");
});
