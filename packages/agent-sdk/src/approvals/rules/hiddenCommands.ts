/**
 * Commands that run other programs or write files because of their arguments: `git -c alias.x='!…' x`, `find . -exec …`,
 * `sort -o …`. A rule with a wildcard, such as `shell(git *)`, does not cover those: a person is asked, or the rule
 * names the line exactly. The table covers programs that people consider harmless; `shell(node *)` obviously allows
 * anything. No list is complete: this is not a sandbox.
 */

interface Program {
  /** The only subcommands that a wildcard means. Absent: the program has none. */
  readonly subcommands?: ReadonlySet<string>;
  /** Arguments with these prefixes run or write something. */
  readonly refused: readonly string[];
}

const gitSubcommands = new Set(
  "status diff log show add commit branch checkout switch restore reset stash tag fetch pull push merge rebase cherry-pick revert blame grep ls-files ls-tree ls-remote rev-parse rev-list describe shortlog remote clean mv rm init clone worktree reflog cat-file show-ref name-rev merge-base range-diff apply format-patch notes whatchanged diff-tree diff-files diff-index symbolic-ref for-each-ref count-objects column fsck gc version help".split(
    " ",
  ),
);

const programs: Readonly<Record<string, Program>> = {
  git: {
    subcommands: gitSubcommands,
    // Long options may be abbreviated: the prefix that no harmless option shares is refused.
    refused: ["--ex", "--up", "--rece", "--op", "--ou", "--config", "--to", "-O", "-x", "ext::"],
  },
  find: { refused: ["-exec", "-ok", "-delete", "-fprint", "-fls"] },
  fd: { refused: ["-x", "-X", "--e"] },
  rg: { refused: ["--pre", "--hostname-bin", "--search-zip", "-z"] },
  sort: { refused: ["-o", "--o", "--comp", "-T", "--temp"] },
  tar: {
    refused: ["--to-", "--chec", "-I", "--use", "--info", "--new-vol", "-F", "--rsh", "--rmt"],
  },
  tree: { refused: ["-o"] },
};

/** Whether the command may do something else than the name of its program suggests. */
export function hidesCommand(command: string): boolean {
  const { words, isDoubtful } = commandWordsOf(command);
  const [first = "", ...rest] = words;
  const name = first.slice(first.lastIndexOf("/") + 1);
  const program = Object.hasOwn(programs, name) ? programs[name] : undefined;
  if (program === undefined) return false;
  if (isDoubtful) return true;
  if (program.subcommands === undefined) return rest.some((word) => isRefused(word, program));
  const [subcommand, ...options] = rest;
  if (subcommand === undefined) return false;
  // Options before the subcommand configure git itself; an unknown subcommand may be an alias.
  if (!program.subcommands.has(subcommand))
    return !harmlessAlone.has(subcommand) || rest.length > 1;
  if (subcommand === "clone" && options.some((word) => word.startsWith("-c"))) return true;
  return options.some((word) => isRefused(word, program));
}

const harmlessAlone: ReadonlySet<string> = new Set(["--version", "--help", "-v", "-h"]);

function isRefused(word: string, { refused }: Program): boolean {
  return refused.some((beginning) => word.startsWith(beginning)) || word.includes("ext::");
}

/** The words as a shell would pass them; doubtful if the shell would replace a part of them. */
function commandWordsOf(command: string): {
  readonly words: readonly string[];
  readonly isDoubtful: boolean;
} {
  const words: string[] = [];
  let word: string | undefined;
  let quote = "";
  let isDoubtful = false;
  for (let index = 0; index < command.length; index += 1) {
    const character = command.charAt(index);
    if (quote === "'" || (quote === '"' && character !== "\\")) {
      if (character === quote) quote = "";
      else word = (word ?? "") + character;
      isDoubtful ||= quote === '"' && "$`".includes(character);
    } else if (character === "\\") {
      index += 1;
      word = (word ?? "") + command.charAt(index);
    } else if (character === "'" || character === '"') {
      quote = character;
      word ??= "";
    } else if (/\s/.test(character)) {
      if (word !== undefined) words.push(word);
      word = undefined;
    } else {
      isDoubtful ||= "$`{}*?[]".includes(character) || (character === "~" && word === undefined);
      word = (word ?? "") + character;
    }
  }
  if (word !== undefined) words.push(word);
  return { words, isDoubtful };
}
