/** The page of the checker explains every rule, and its examples break what they say they do. */
import { readFileSync } from "node:fs";
import { checkStream, rules } from "@callboard/run-log/checker";
import { expect, it } from "vitest";

const page = readFileSync(new URL("../docs/checker.md", import.meta.url), "utf8");
const sections = new Map(
  page
    .split(/^### /m)
    .slice(1)
    .map((section) => [section.slice(0, section.indexOf("\n")), section]),
);

it("has a section for every rule, in the order of the code", () => {
  expect([...sections.keys()]).toEqual(Object.keys(rules));
});

it.each(Object.entries(rules))(
  "%s: says what holds, and shows a recording that breaks it",
  (rule, about) => {
    const section = sections.get(rule) ?? "";
    expect(section).toContain(about);
    const example = /```jsonl\n([\s\S]*?)\n```/.exec(section)?.[1];
    if (rule === "resent-content") {
      expect(section).toContain("twenty times");
      return;
    }
    expect(checkStream(example ?? "").findings.map((finding) => finding.rule)).toContain(rule);
  },
);
