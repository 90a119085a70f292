/**
 * The events in the text of an answer. Providers send server-sent events, sometimes under another label, or one JSON
 * text, or one JSON text in each line; what it is shows in its first character.
 */
import { parsedJson } from "@callboard/run-log/values";
import { createParser } from "eventsource-parser";

import type { EventReader } from "./sseRequest.js";

export interface AnswerFraming {
  push(text: string): void;
  end(): void;
}

/** `refuse` throws: the text is of no kind that is known. */
export function createFraming(
  reader: Pick<EventReader, "event">,
  refuse: (text: string) => never,
): AnswerFraming {
  const parser = createParser({ onEvent: ({ data }) => reader.event(data) });
  let kind: "unknown" | "events" | "json" = "unknown";
  let whole = "";

  function wholeEvents(text: string): void {
    const isOne = parsedJson(text) !== undefined;
    const lines = isOne ? [text] : text.split("\n").filter((line) => line.trim() !== "");
    if (lines.some((line) => parsedJson(line) === undefined)) refuse(text);
    for (const line of lines) reader.event(line);
  }

  return {
    push(text) {
      if (kind === "events") {
        parser.feed(text);
        return;
      }
      whole += text;
      if (kind === "json") return;
      const first = whole.trimStart().charAt(0);
      if (first === "") return;
      if (first === "<") refuse(whole);
      kind = first === "{" || first === "[" ? "json" : "events";
      if (kind === "events") parser.feed(whole);
    },
    end() {
      if (kind === "events") parser.feed("\n\n");
      else if (whole.trim() !== "") wholeEvents(whole);
    },
  };
}
