/** `docs/proof.md`: the results of the planted bugs. Pure: rows in, text out, and back. */

export interface ProofRow {
  readonly room: string;
  readonly planted: number;
  /** With the current bug, file and tests. */
  readonly tried: number;
  readonly killed: number;
}

/** The reason of a survivor without an explanation. */
export const notExplained = "not explained";

export interface Survivor {
  readonly room: string;
  readonly file: string;
  readonly bug: string;
  readonly reason: string;
}

export interface Proof {
  readonly rows: readonly ProofRow[];
  readonly survivors: readonly Survivor[];
}

const opening = `# Proof that the tests detect bugs

\`npm run mutants\` plants one bug at a time in a copy of the repository and runs the tests that concern it.

- A bug is *killed* if a test fails, or if it does not compile. It *survives* if all of the tests pass and it compiles.
- The bugs of each room are written by hand (\`tools/mutants/<room>.ts\`). The bugs of \`generated\` are small changes of the rules, the fold and
  the projections of run-log, selected by a seed.
- *Tried* counts the bugs whose result was known when the page was written. A later run tries the other bugs, and again each bug
  whose file or tests changed.

The command writes this page.
`;

export function totalOf(rows: readonly ProofRow[]): ProofRow {
  const sum = (of: (row: ProofRow) => number): number =>
    rows.reduce((all, row) => all + of(row), 0);
  return {
    room: "all",
    planted: sum(({ planted }) => planted),
    tried: sum(({ tried }) => tried),
    killed: sum(({ killed }) => killed),
  };
}

export function proofText({ rows, survivors }: Proof): string {
  const lines = [
    opening,
    "| room | planted | tried | killed | survived | killed of tried |",
    "|---|---|---|---|---|---|",
    ...[...rows, totalOf(rows)].map(rowText),
    "",
    "## Survivors",
    "",
    ...(survivors.length === 0
      ? ["None."]
      : [
          "| room | file | bug | why it stays |",
          "|---|---|---|---|",
          ...survivors.map(({ room, file, bug, reason }) =>
            tableRow([room, `\`${file}\``, bug, reason]),
          ),
        ]),
  ];
  return `${lines.join("\n")}\n`;
}

function rowText({ room, planted, tried, killed }: ProofRow): string {
  const share = tried === 0 ? "" : `${((100 * killed) / tried).toFixed(1)} %`;
  return tableRow([room, planted, tried, killed, tried - killed, share]);
}

/** A bar inside a cell would end it. */
function tableRow(cells: readonly (string | number)[]): string {
  return `| ${cells.map((cell) => String(cell).replaceAll("|", "\\|")).join(" | ")} |`;
}

/** The part of the page after the planted bugs, written by another command: the torture tests. */
export function restOfPage(text: string): string {
  const at = text.indexOf(otherSection);
  return at === -1 ? "" : text.slice(at);
}

const otherSection = "\n## Torture\n";

export function readProof(text: string): Proof {
  const own = text.slice(0, text.length - restOfPage(text).length);
  const [figures = "", rest = ""] = own.split("## Survivors");
  const rows = cellsOf(figures)
    .filter(([room]) => room !== "all")
    .map(([room = "", planted, tried, killed]) => ({
      room,
      planted: Number(planted),
      tried: Number(tried),
      killed: Number(killed),
    }));
  const survivors = cellsOf(rest).map(([room = "", file = "", bug = "", reason = ""]) => ({
    room,
    file: file.replaceAll("`", ""),
    bug,
    reason,
  }));
  return { rows, survivors };
}

/** The cells of every table row but the heading. */
function cellsOf(text: string): readonly (readonly string[])[] {
  return text
    .split("\n")
    .filter((line) => line.startsWith("| ") && !line.startsWith("| room |"))
    .map((line) =>
      line
        .slice(2, -2)
        .split(/(?<!\\) \| /)
        .map((cell) => cell.replaceAll("\\|", "|")),
    );
}

/** New results of a room replace its earlier ones; the order is that of `rooms`. */
export function mergedProof(known: Proof, tried: Proof, rooms: readonly string[]): Proof {
  const isNew = (room: string): boolean => tried.rows.some((row) => row.room === room);
  const inOrder = <Item extends { readonly room: string }>(items: readonly Item[]) =>
    items
      .filter(({ room }) => rooms.includes(room))
      .toSorted((one, other) => rooms.indexOf(one.room) - rooms.indexOf(other.room));
  return {
    rows: inOrder([...known.rows.filter(({ room }) => !isNew(room)), ...tried.rows]),
    survivors: inOrder([...known.survivors.filter(({ room }) => !isNew(room)), ...tried.survivors]),
  };
}
