/** The arguments of a call as a value, also while they stream: each read parses only the new text. */
import type { JsonValue } from "@callboard/run-log";
import { createJsonReader, type JsonReader } from "@callboard/run-log/partial-json";

interface Arguments {
  readonly callId: string;
  readonly input?: JsonValue | undefined;
  readonly inputText: string;
}

type PartialInput = (call: Arguments) => JsonValue | undefined;

/** The same text gives the same value. A shorter text, or another call, starts a new reader. */
export function createPartialInput(
  createReader: () => JsonReader = createJsonReader,
): PartialInput {
  /** A call whose arguments are complete needs none. */
  let reader: JsonReader | undefined;
  let readId: string | undefined;
  let length = 0;
  return ({ callId, input, inputText }) => {
    if (input !== undefined) return input;
    if (reader === undefined || readId !== callId || length > inputText.length) {
      reader = createReader();
      readId = callId;
      length = 0;
    }
    if (inputText.length > length) reader.push(inputText.slice(length));
    length = inputText.length;
    return reader.snapshot();
  };
}
