/**
 * Commands that run other programs or write files because of their arguments: `git -c alias.x='!…' x`, `find . -exec …`,
 * `sort -o …`. A rule with a wildcard, such as `shell(git *)`, does not cover those: a person is asked, or the rule
 * names the line exactly. The table covers programs that people consider harmless; `shell(node *)` obviously allows
 * anything. No list is complete: this is not a sandbox.
 */
import { commandWordsOf } from "./commandWords.js";
import { hasEffect } from "./scriptEffects.js";

/** The options of a program that run or write something. */
interface Refused {
  /** Options with two dashes, whole. They may be abbreviated: every beginning of one is refused. */
  readonly options?: readonly string[];
  /** Options of one letter, also between others: `-nO`. */
  readonly letters?: string;
  /** Beginnings of any other arguments. */
  readonly beginnings?: readonly string[];
}

interface Program extends Refused {
  /** The only subcommands that a wildcard means, with their own options. Absent: the program has none. */
  readonly subcommands?: Readonly<Record<string, Refused>>;
  /** Letters without a dash as the first argument: `tar cf`. */
  readonly hasBareLetters?: boolean;
}

const plainGit =
  "status diff log show add commit branch checkout switch restore reset stash tag fetch pull push merge cherry-pick revert blame ls-files ls-tree ls-remote rev-parse rev-list describe shortlog remote clean mv rm worktree reflog cat-file show-ref name-rev merge-base range-diff apply notes whatchanged diff-tree diff-files diff-index symbolic-ref for-each-ref count-objects column fsck gc version help".split(
    " ",
  );

const packageManager: Program = {
  options: ["--script-shell", "--node-options", "--prefix", "--userconfig", "--globalconfig"],
  beginnings: ["--config.", "-C"],
};

const programs: ReadonlyMap<string, Program> = new Map<string, Program>([
  [
    "git",
    {
      subcommands: {
        ...Object.fromEntries(plainGit.map((name) => [name, {}])),
        clone: { options: ["--config"], letters: "cu" },
        init: {},
        grep: { letters: "O" },
        rebase: { letters: "x" },
        "format-patch": { letters: "o" },
      },
      options: [
        "--exec",
        "--upload-pack",
        "--receive-pack",
        "--open-files-in-pager",
        "--ext-diff",
        "--output",
        "--output-directory",
        "--template",
        "--unsafe-paths",
      ],
    },
  ],
  ["find", { beginnings: ["-exec", "-ok", "-delete", "-fprint", "-fls"] }],
  ["fd", { options: ["--exec", "--exec-batch"], letters: "xX" }],
  ["rg", { options: ["--pre", "--hostname-bin", "--search-zip"], letters: "z" }],
  ["sort", { options: ["--output", "--compress-program", "--temporary-directory"], letters: "oT" }],
  [
    "tar",
    {
      options: [
        "--to-command",
        "--checkpoint-action",
        "--use-compress-program",
        "--info-script",
        "--new-volume-script",
        "--rsh-command",
        "--rmt-command",
      ],
      letters: "IF",
      hasBareLetters: true,
    },
  ],
  ["tree", { letters: "o" }],
  ["make", { options: ["--eval", "--file", "--makefile", "--directory"], letters: "fCE" }],
  [
    "go",
    {
      beginnings: ["-exec", "-toolexec", "-vettool", "-ldflags"].flatMap((one) => [one, `-${one}`]),
    },
  ],
  ["cargo", { options: ["--config"] }],
  ["npm", packageManager],
  ["pnpm", packageManager],
]);

/** Builtins of a shell that change what the commands after them mean, or compute with their arguments. */
const redefining: ReadonlySet<string> = new Set(
  "export declare typeset local readonly alias unalias hash enable trap set shopt unset read mapfile readarray let getopts [[".split(
    " ",
  ),
);

const harmlessAlone: ReadonlySet<string> = new Set(["--version", "--help", "-v", "-h"]);

/** Whether the command may do something else than the name of its program suggests. */
export function hidesCommand(command: string): boolean {
  const { words, isDoubtful } = commandWordsOf(command);
  const [first = "", ...rest] = words;
  const name = first.slice(first.lastIndexOf("/") + 1);
  if (redefining.has(name) || hasEffect(name, rest)) return true;
  const program = programs.get(name);
  if (program === undefined) return false;
  if (isDoubtful) return true;
  if (program.subcommands === undefined) {
    const [letters = ""] = rest;
    if (program.hasBareLetters && hasLetter(letters, program)) return true;
    return rest.some((word) => isRefused(word, program));
  }
  const [subcommand, ...options] = rest;
  if (subcommand === undefined) return false;
  // Options before the subcommand configure git itself; an unknown subcommand may be an alias.
  if (!Object.hasOwn(program.subcommands, subcommand))
    return !harmlessAlone.has(subcommand) || rest.length > 1;
  const own = program.subcommands[subcommand] ?? {};
  return options.some((word) => isRefused(word, program) || isRefused(word, own));
}

function isRefused(word: string, refused: Refused): boolean {
  // Transports of git that run a command.
  if (word.includes("ext::")) return true;
  if (refused.beginnings?.some((beginning) => word.startsWith(beginning))) return true;
  if (!word.startsWith("--")) return word.startsWith("-") && hasLetter(word, refused);
  const [option = ""] = word.split("=", 1);
  return option !== "--" && (refused.options?.some((one) => one.startsWith(option)) ?? false);
}

function hasLetter(word: string, { letters = "" }: Refused): boolean {
  return [...letters].some((letter) => word.includes(letter));
}
