/** The faults of a value, field by field, in a text that its author can act on. */
import type { z } from "zod";
import { oneLine } from "../utils/oneLine.js";

type Issue = z.core.$ZodIssue;

/** `whole` names the value itself if the fault is not in one of its fields. */
export function faultsOfIssue(issue: Issue, whole: string): readonly string[] {
  const field = fieldName(issue.path, whole);
  if (issue.code === "unrecognized_keys") {
    return issue.keys.map((key) => `${fieldName([...issue.path, key], whole)}: no such field`);
  }
  if (issue.code === "invalid_union") {
    const branches = issue.errors.map((branch) =>
      branch.flatMap((one) => faultsOfIssue(one, whole)).join(" and "),
    );
    return [`${field}: ${branches.length === 0 ? issue.message : branches.join(", or ")}`];
  }
  return [`${field}: ${issue.message.replace(/^Invalid input: /, "")}`];
}

/** `"rows[3].name"`. */
export function fieldName(path: readonly PropertyKey[], whole: string): string {
  if (path.length === 0) return whole;
  const name = path.reduce<string>((left, part) => {
    if (typeof part === "number") return `${left}[${part}]`;
    return left === "" ? String(part) : `${left}.${String(part)}`;
  }, "");
  return `"${oneLine(name, 120)}"`;
}
