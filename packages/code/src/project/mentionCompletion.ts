/** The completion of an `@path` or a `/command` by Tab. Pure; the caller provides the names. */
export interface Completion {
  /** The text to insert at the cursor; empty if the names differ at once, or none fits. */
  readonly added: string;
  readonly choices: readonly string[];
}

/**
 * Undefined if there is no path before the cursor, or if it is already complete. `entriesIn` returns the names in a
 * folder, relative to the working folder; those of folders end with a slash.
 */
export function mentionCompletion(
  beforeCursor: string,
  entriesIn: (folder: string) => readonly string[],
): Completion | undefined {
  const [, path] = /(?:^|\s)@([^\s"]*)$/.exec(beforeCursor) ?? [];
  if (path === undefined) return undefined;
  const nameAt = path.lastIndexOf("/") + 1;
  const start = path.slice(nameAt);
  // A name with a space is mentioned in quotes and is not offered.
  const choices = entriesIn(path.slice(0, nameAt))
    .filter((name) => name.startsWith(start) && !/\s/.test(name))
    .filter((name) => start !== "" || !name.startsWith("."))
    .toSorted();
  const [first] = choices;
  if (choices.length === 1 && first === start) return undefined;
  return completed(start, choices);
}

/** Undefined where no name of a command is being written. */
export function commandCompletion(text: string, names: readonly string[]): Completion | undefined {
  if (!/^\/\S*$/.test(text)) return undefined;
  const commands = names.map((name) => `/${name}`);
  return completed(text, commands.filter((name) => name.startsWith(text)).toSorted());
}

function completed(start: string, choices: readonly string[]): Completion {
  const [first = start, ...others] = choices;
  const isWhole = choices.length === 1 && !first.endsWith("/");
  const shared = others.reduce(sharedStart, first);
  return { added: shared.slice(start.length) + (isWhole ? " " : ""), choices };
}

function sharedStart(one: string, other: string): string {
  let length = 0;
  while (length < one.length && one[length] === other[length]) length += 1;
  return one.slice(0, length);
}
