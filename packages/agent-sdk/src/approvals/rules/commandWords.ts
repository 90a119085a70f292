/** The words of one command, as a shell would pass them. It never expands: what a shell would replace is doubtful. */

export interface CommandWords {
  readonly words: readonly string[];
  /** The shell would replace a part of them. */
  readonly isDoubtful: boolean;
}

export function commandWordsOf(command: string): CommandWords {
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
