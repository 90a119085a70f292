/** What Tab makes of an `@path` that is being written. Pure; who calls says what is in a folder. */
export interface MentionCompletion {
  /** What comes behind the cursor; empty where the names differ at once, or none fits. */
  readonly added: string;
  readonly choices: readonly string[];
}

/**
 * Undefined where no path is being written before the cursor, or where it is whole already. `entriesIn` gives the
 * names in a folder, relative to the working folder; those of folders end with a slash.
 */
export function mentionCompletion(
  beforeCursor: string,
  entriesIn: (folder: string) => readonly string[],
): MentionCompletion | undefined {
  const [, path] = /(?:^|\s)@([^\s"]*)$/.exec(beforeCursor) ?? [];
  if (path === undefined) return undefined;
  const nameAt = path.lastIndexOf("/") + 1;
  const start = path.slice(nameAt);
  // A name with a space is mentioned in quotes and is not offered.
  const choices = entriesIn(path.slice(0, nameAt))
    .filter((name) => name.startsWith(start) && !/\s/.test(name))
    .filter((name) => start !== "" || !name.startsWith("."))
    .toSorted();
  const [first = start, ...others] = choices;
  if (choices.length === 1 && first === start) return undefined;
  const isFile = choices.length === 1 && !first.endsWith("/");
  const shared = others.reduce(sharedStart, first);
  return { added: shared.slice(start.length) + (isFile ? " " : ""), choices };
}

function sharedStart(one: string, other: string): string {
  let length = 0;
  while (length < one.length && one[length] === other[length]) length += 1;
  return one.slice(0, length);
}
