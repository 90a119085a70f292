/**
 * Markup that leaks into a model's text: what stands between think tags is reasoning, what stands
 * between tool tags is nobody's business. It holds back only what could still become a tag, so its
 * cost is that of the piece. A tag right behind a backtick is a text about tags and stays.
 *
 *   text ──<think>──▶ reasoning ──</think>──▶ text
 *   text ──<tool_call>──▶ dropped ──</tool_call>──▶ text
 */
type Mode = "text" | "reasoning" | "dropped";

interface Tag {
  readonly text: string;
  readonly to: Mode;
}

const names: readonly (readonly [name: string, inside: Mode])[] = [
  ["think", "reasoning"],
  ["thinking", "reasoning"],
  ["tool_call", "dropped"],
  ["tool_calls", "dropped"],
  ["function_calls", "dropped"],
];

/** A closing tag that nobody opened goes too: some models are made to begin inside of a thought. */
const outside: readonly Tag[] = names.flatMap(([name, inside]) => [
  { text: `<${name}>`, to: inside },
  { text: `</${name}>`, to: "text" as const },
]);

export interface TextFilterOutput {
  text(text: string): void;
  reasoning(text: string): void;
  reasoningEnd(): void;
}

export interface TextFilter {
  push(piece: string): void;
  /** The text is over: what was held back is no tag, and an open thought ends. */
  flush(): void;
}

export function createTextFilter(output: TextFilterOutput): TextFilter {
  let mode: Mode = "text";
  let closing = outside;
  let held = "";
  let before = "";

  function tell(text: string): void {
    if (text === "") return;
    before = text.charAt(text.length - 1);
    if (mode === "text") output.text(text);
    else if (mode === "reasoning") output.reasoning(text);
  }

  function enter(tag: Tag): void {
    if (mode === "reasoning") output.reasoningEnd();
    mode = tag.to;
    before = "";
    closing = mode === "text" ? outside : [{ text: tag.text.replace("<", "</"), to: "text" }];
  }

  function push(piece: string): void {
    const whole = held + piece;
    held = "";
    let from = 0;
    for (let at = whole.indexOf("<"); at !== -1; at = whole.indexOf("<", at)) {
      const previous = at === 0 ? before : whole.charAt(at - 1);
      const isQuoted = mode === "text" && previous === "`";
      const tag = isQuoted ? undefined : closing.find(({ text }) => whole.startsWith(text, at));
      if (tag !== undefined) {
        tell(whole.slice(from, at));
        enter(tag);
        at += tag.text.length;
        from = at;
      } else if (!isQuoted && couldBecomeTag(whole, at, closing)) {
        tell(whole.slice(from, at));
        held = whole.slice(at);
        return;
      } else {
        at += 1;
      }
    }
    tell(from === 0 ? whole : whole.slice(from));
  }

  function flush(): void {
    const rest = held;
    held = "";
    tell(rest);
    if (mode === "reasoning") output.reasoningEnd();
    mode = "text";
    closing = outside;
    before = "";
  }

  return { push, flush };
}

/** Whether the text ends inside of what may be a tag. */
function couldBecomeTag(whole: string, at: number, tags: readonly Tag[]): boolean {
  const length = whole.length - at;
  return tags.some(({ text }) => length < text.length && text.startsWith(whole.slice(at)));
}
