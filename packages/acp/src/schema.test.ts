/** Everything that we say is valid by the protocol's own schemas: golden lives and random ones. */
import type { RunEvent } from "@callboard/run-log";
import { createAcpProjection, project } from "@callboard/run-log/projections";
import { dialects, lives, searchCount, seededLife } from "@callboard/testkit";
import { describe, expect, it } from "vitest";
import { previewOf } from "./previews.js";
import { protocolSchema } from "./testing/schemas.js";

const surfaces = [
  { name: "acp-v1", version: 1 },
  { name: "acp-v1-terminal", version: 1 },
  { name: "acp-v2", version: 2 },
] as const;

function problemsOf(lines: readonly string[], version: 1 | 2): readonly string[] {
  const { lineProblemOf } = protocolSchema(version);
  return lines.flatMap((line) => {
    const problem = lineProblemOf(line);
    return problem === undefined ? [] : [`${problem} in ${line.slice(0, 400)}`];
  });
}

describe.each(surfaces)("$name keeps the official schema", ({ name, version }) => {
  const dialect = dialects.find((known) => known.name === name);
  const linesOf = (log: readonly RunEvent[]): readonly string[] => dialect?.linesOf(log) ?? [];

  it("on every golden life", () => {
    expect(
      problemsOf(
        lives.flatMap(({ log }) => linesOf(log)),
        version,
      ),
    ).toEqual([]);
  });

  it("on random lives", () => {
    const seeds = Array.from({ length: searchCount(1_000) }, (_, index) => index + 1);
    expect(
      problemsOf(
        seeds.flatMap((seed) => linesOf(seededLife(seed).log)),
        version,
      ),
    ).toEqual([]);
  });
});

/** Where a value holds null. Raw values are the tool's own words, and an exit code may be missing. */
function nullsIn(value: unknown, path: string): readonly string[] {
  if (value === null) return [path];
  if (typeof value !== "object" || value === undefined) return [];
  return Object.entries(value).flatMap(([key, item]) =>
    free.has(key) ? [] : nullsIn(item, `${path}.${key}`),
  );
}

const free: ReadonlySet<string> = new Set(["rawInput", "rawOutput", "signal", "exit_code"]);

it("says no null on v1, whatever happens", () => {
  const projection = createAcpProjection({ version: 1, cwd: "/project", previewOf });
  for (const { log, name } of lives) {
    expect(nullsIn(project(projection, log), name)).toEqual([]);
  }
  expect(nullsIn([{ rawInput: { a: null } }, { title: null }], "")).toEqual([".1.title"]);
});
