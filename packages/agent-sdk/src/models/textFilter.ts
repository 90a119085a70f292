/**
 * Thoughts that a server leaves in a model's text between think tags. Only tags at the very start of an answer
 * are meant: a text about tags stays as it is. It holds back only what could still become a tag.
 *
 *   start ──<think>──▶ reasoning ──</think>──▶ text
 *   start ──anything else──▶ text
 */
export interface TextFilterOutput {
  text(text: string): void;
  reasoning(text: string): void;
  reasoningEnd(): void;
}

export interface TextFilter {
  push(piece: string): void;
  /** The text is over: held text is not a tag, and open reasoning ends. */
  flush(): void;
  /** Whether the text started with a tool call as text: the server did not recognise it. */
  hasLeakedCall(): boolean;
}

const openings = ["<think>", "<thinking>"] as const;
const leaks = ["<tool_call>", "<tool_calls>", "<function_calls>"] as const;
const longestLeak = Math.max(...leaks.map((tag) => tag.length));

export function createTextFilter(output: TextFilterOutput): TextFilter {
  let mode: "start" | "reasoning" | "text" = "start";
  let closing = "";
  let held = "";
  /** The first characters that people see. */
  let head = "";

  function say(text: string): void {
    if (text === "") return;
    if (head.length < longestLeak) head = (head + text).trimStart().slice(0, longestLeak);
    output.text(text);
  }

  function start(whole: string): void {
    const said = whole.trimStart();
    const opening = openings.find((tag) => said.startsWith(tag));
    if (opening !== undefined) {
      mode = "reasoning";
      closing = opening.replace("<", "</");
      think(said.slice(opening.length));
    } else if (openings.some((tag) => tag.startsWith(said))) {
      held = whole;
    } else {
      mode = "text";
      say(whole);
    }
  }

  function think(whole: string): void {
    const end = whole.indexOf(closing);
    if (end === -1) {
      const kept = overlapOf(whole, closing);
      held = whole.slice(whole.length - kept);
      const thought = whole.slice(0, whole.length - kept);
      if (thought !== "") output.reasoning(thought);
      return;
    }
    if (end > 0) output.reasoning(whole.slice(0, end));
    output.reasoningEnd();
    mode = "text";
    say(whole.slice(end + closing.length));
  }

  return {
    push(piece) {
      if (mode === "text") return say(piece);
      const whole = held + piece;
      held = "";
      if (mode === "start") start(whole);
      else think(whole);
    },
    flush() {
      const rest = held;
      held = "";
      if (mode === "reasoning") {
        if (rest !== "") output.reasoning(rest);
        output.reasoningEnd();
      } else {
        say(rest);
      }
      mode = "text";
    },
    hasLeakedCall: () => leaks.some((tag) => head.startsWith(tag)),
  };
}

/** How much of the text's end may be the start of the tag. */
function overlapOf(text: string, tag: string): number {
  for (let length = Math.min(text.length, tag.length - 1); length > 0; length -= 1) {
    if (tag.startsWith(text.slice(-length))) return length;
  }
  return 0;
}
