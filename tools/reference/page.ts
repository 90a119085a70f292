/** The reference page of a package: every name that it exports, by the path that exports it. */
import { readFileSync } from "node:fs";
import { z } from "zod";
import { type Exported, exportsOf, headerOf } from "./declarations.js";

/** The packages that a program imports, in the order of the pages. */
export const documentedPackages: readonly string[] = [
  "run-log",
  "agent-sdk",
  "client",
  "store",
  "server",
  "acp",
];

const manifestSchema = z.object({
  name: z.string(),
  description: z.string(),
  exports: z.record(z.string(), z.unknown()),
});
const entrySchema = z.object({ "callboard-source": z.string() });

export interface Door {
  /** As a program imports it. */
  readonly specifier: string;
  readonly path: string;
}

export function doorsOf(folder: string): readonly Door[] {
  const { name, exports } = manifestOf(folder);
  return Object.entries(exports).flatMap(([subpath, entry]) => {
    const parsed = entrySchema.safeParse(entry);
    if (!parsed.success) return [];
    const path = `packages/${folder}/${parsed.data["callboard-source"].slice("./".length)}`;
    return [{ specifier: name + subpath.slice(1), path }];
  });
}

export function referencePathOf(folder: string): string {
  return `docs/reference/${folder}.md`;
}

export function referencePageOf(folder: string): string {
  const { name, description } = manifestOf(folder);
  const sections = doorsOf(folder).map(({ specifier, path }) =>
    [
      `## \`${specifier}\``,
      "",
      ...(headerOf(path) === "" ? [] : [headerOf(path), ""]),
      "| name | what it is |",
      "|---|---|",
      ...exportsOf(path).map(rowOf),
      "",
    ].join("\n"),
  );
  const head = [
    `# Reference: \`${name}\``,
    "",
    `${description} \`npm run reference\` writes this page from the source; the fields of a type are in your editor.`,
    "",
  ];
  return `${[...head, ...sections].join("\n").trimEnd()}\n`;
}

function manifestOf(folder: string): z.infer<typeof manifestSchema> {
  return manifestSchema.parse(JSON.parse(readFileSync(`packages/${folder}/package.json`, "utf8")));
}

function rowOf({ kind, signature, doc }: Exported): string {
  const word = kind === "class" || kind === "type" ? `${kind} ` : "";
  return `| ${word}\`${inCell(signature)}\` | ${doc === "" ? "" : inCell(doc)} |`;
}

function inCell(text: string): string {
  return text.replaceAll("|", "\\|");
}
