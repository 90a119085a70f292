/** The arguments of `npm run torture`, and its help. Pure: the program prints and exits. */
import { parseArgs } from "node:util";
import { tableOf } from "./table.js";
import type { TorturePart } from "./torturePart.js";

export type TortureCommand =
  | { readonly type: "help" }
  /** The message contains what to write instead. */
  | { readonly type: "wrong"; readonly message: string }
  | {
      readonly type: "run";
      readonly parts: readonly TorturePart[];
      /** Undefined: each part's full count. */
      readonly count: number | undefined;
      /** The only case to try. */
      readonly seed: number | undefined;
      /** Whether the results are written to the page. */
      readonly isForPage: boolean;
      /** Whether everything is tried from its first case, although the page has it or a run was stopped. */
      readonly isAgain: boolean;
    };

export function tortureCommandOf(
  args: readonly string[],
  seedText: string | undefined,
  parts: readonly TorturePart[],
): TortureCommand {
  try {
    const { values, positionals } = parseArgs({
      args: [...args],
      options: {
        count: { type: "string" },
        page: { type: "boolean" },
        again: { type: "boolean" },
        help: { type: "boolean", short: "h" },
      },
      allowPositionals: true,
    });
    if (values.help) return { type: "help" };
    const { page: isForPage = false, again: isAgain = false } = values;
    if (isForPage && seedText !== undefined)
      throw new Error("A replayed seed is not for the page.");
    if (isAgain && !isForPage) throw new Error("--again is for runs with --page.");
    return {
      type: "run",
      parts: wantedPartsOf(positionals, parts),
      count: values.count === undefined ? undefined : wholeNumber("--count", values.count, 1),
      seed: seedText === undefined ? undefined : wholeNumber("SEED", seedText, 0),
      isForPage,
      isAgain,
    };
  } catch (error) {
    if (!(error instanceof Error)) throw error;
    return { type: "wrong", message: error.message };
  }
}

function wantedPartsOf(
  wanted: readonly string[],
  parts: readonly TorturePart[],
): readonly TorturePart[] {
  const isNamed = (part: TorturePart, name: string): boolean =>
    part.name === name || part.group === name;
  const unknown = wanted.filter((name) => !parts.some((part) => isNamed(part, name)));
  if (unknown.length > 0) throw new Error(`There is no part named ${unknown.join(", ")}.`);
  return wanted.length === 0
    ? parts
    : parts.filter((part) => wanted.some((name) => isNamed(part, name)));
}

function wholeNumber(name: string, text: string, least: number): number {
  const number = Number(text);
  if (Number.isSafeInteger(number) && number >= least) return number;
  throw new Error(`${name} must be a whole number of at least ${least}, not ${text}.`);
}

export function helpText(parts: readonly TorturePart[]): string {
  const rows = parts.map(({ name, group, fullCount, promise }) => [
    name,
    group ?? "",
    String(fullCount),
    promise,
  ]);
  return `npm run torture [-- part … | group …] [--count N] [--page [--again]]
SEED=n npm run torture -- part    replays one case

Without a part all of them run, each with its full number of cases. --count N tries the first N cases of each.
--page writes the results to docs/proof.md. A run with --page that was stopped continues where it was, and leaves out
parts whose row belongs to the present code; --again tries everything from the first case.
Exit code: 0 all promises held, 1 a case failed, 2 wrong call.

${tableOf(["part", "group", "cases", "promise"], rows)}`;
}
