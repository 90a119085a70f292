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

const opening = `Long, seeded tests of the promises that no short test can show. \`npm run torture -- <part> --page\` runs a part and writes its row:
the cases with the seeds from 1 up. \`SEED=n npm run torture -- <part>\` replays one. A part that was tried with fewer cases than its full form says so.`;

export function pageWith(
  page: string,
  tried: readonly TriedPart[],
  parts: readonly TorturePart[],
): string {
  const [before = "", section = ""] = page.split(`\n${tortureHeading}\n`);
  const known = new Map(triedIn(section).map((row) => [row.name, row]));
  for (const row of tried) {
    const old = known.get(row.name);
    // A smaller run says less, unless it failed.
    if (old === undefined || row.tried >= old.tried || row.failed > 0) known.set(row.name, row);
  }
  const rows = parts.map((part) => rowOf(part, known.get(part.name)));
  const table = [
    "| part | promise | cases | full form | failed | time | commit |",
    "|---|---|---|---|---|---|---|",
    ...rows,
  ];
  return `${before.trimEnd()}\n\n${tortureHeading}\n\n${opening}\n\n${table.join("\n")}\n`;
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
