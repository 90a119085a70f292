/**
 * The section "Torture" of `docs/proof.md`: one row for each part, with the largest number of cases that was tried and
 * what failed in it. `--page` puts the parts that ran now into it and leaves the others. Pure: texts in, text out.
 */
import type { TorturePart } from "./torturePart.js";

export interface TriedPart {
  readonly name: string;
  readonly tried: number;
  readonly failed: number;
  readonly seconds: number;
  /** The commit that was tried, shortened. */
  readonly commit: string;
}

export const tortureHeading = "## Torture";

const opening = `Long, seeded tests of the promises that no short test can show. \`npm run torture -- --page\` runs every part and writes its row:
the cases with the seeds from 1 up. A run that was stopped continues where it was, and a part whose row belongs to the present code is not run again.
\`SEED=n npm run torture -- <part>\` replays one case.`;

export function pageWith(
  page: string,
  tried: readonly TriedPart[],
  parts: readonly TorturePart[],
): string {
  const [before = "", section = ""] = page.split(`\n${tortureHeading}\n`);
  const known = new Map(triedIn(section).map((row) => [row.name, row]));
  for (const row of tried) {
    const old = known.get(row.name);
    // A smaller run proves less, unless it failed.
    if (old === undefined || row.tried >= old.tried || row.failed > 0) known.set(row.name, row);
  }
  const rows = parts.map((part) => rowOf(part, known.get(part.name)));
  const table = [
    "| part | promise | cases | full form | failed | time | commit |",
    "|---|---|---|---|---|---|---|",
    ...rows,
  ];
  const told = [opening, sumOf(parts, known), table.join("\n")].join("\n\n");
  return `${before.trimEnd()}\n\n${tortureHeading}\n\n${told}\n`;
}

/** The rows that the page has. */
export function triedPartsOf(page: string): readonly TriedPart[] {
  return triedIn(page.split(`\n${tortureHeading}\n`)[1] ?? "");
}

function sumOf(parts: readonly TorturePart[], known: ReadonlyMap<string, TriedPart>): string {
  const whole = parts.flatMap(({ name, fullCount }) => {
    const row = known.get(name);
    return row !== undefined && row.tried >= fullCount ? [row] : [];
  });
  const failed = whole.filter((row) => row.failed > 0).length;
  const minutes = Math.round(whole.reduce((sum, { seconds }) => sum + seconds, 0) / 60);
  return `${whole.length} of ${parts.length} parts were tried in their full form, in ${minutes} minutes together; ${failed} of them had failures.`;
}

function rowOf({ name, promise, fullCount }: TorturePart, tried: TriedPart | undefined): string {
  const figures = tried
    ? [tried.tried, fullCount, tried.failed, `${tried.seconds} s`, tried.commit]
    : [0, fullCount, "", "", ""];
  const cells = [name, promise.replaceAll("|", "\\|"), ...figures];
  return `| ${cells.join(" | ")} |`;
}

function triedIn(section: string): readonly TriedPart[] {
  return section.split("\n").flatMap((line) => {
    const cells = line.split(/(?<!\\)\|/).map((cell) => cell.trim());
    const [, name = "", , tried, , failed, time = "", commit = ""] = cells;
    if (cells.length < 9 || !/^\d+$/.test(tried ?? "") || commit === "") return [];
    const seconds = Number.parseFloat(time);
    return [{ name, tried: Number(tried), failed: Number(failed), seconds, commit }];
  });
}
