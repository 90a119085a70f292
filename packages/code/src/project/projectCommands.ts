/** Commands that a person or a project wrote: `/name` sends the text of a markdown file. Pure. */
import type { MarkdownFile } from "./markdownFile.js";

export interface ProjectCommand {
  readonly name: string;
  readonly about: string;
  /** What may follow the name. */
  readonly hint: string | undefined;
  readonly path: string;
  /** The message for these words behind the name. */
  textFor(words: string): string;
}

const longestAbout = 80;

export function projectCommandOf({ name, path, fields, body }: MarkdownFile): ProjectCommand {
  const [firstLine = ""] = body.split("\n", 1);
  const about = fields.description ?? firstLine.replace(/^#+\s*/, "");
  return {
    name,
    path,
    about: about.slice(0, longestAbout),
    hint: fields["argument-hint"],
    textFor: (words) => filled(body, words.trim()),
  };
}

/** `$ARGUMENTS` is all words, `$1` to `$9` one each. Words that the text has no place for follow it. */
function filled(body: string, words: string): string {
  const each = words === "" ? [] : words.split(/\s+/);
  const places = /\$(ARGUMENTS|[1-9])(?!\d)/g;
  if (!places.test(body)) return words === "" ? body : `${body}\n\n${words}`;
  return body.replaceAll(places, (_, place: string) =>
    place === "ARGUMENTS" ? words : (each[Number(place) - 1] ?? ""),
  );
}
