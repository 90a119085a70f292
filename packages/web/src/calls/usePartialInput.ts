/** A call's arguments as a value, also while they stream: each frame reads only what is new. */
import type { JsonValue } from "@callboard/run-log";
import { createJsonReader, type JsonReader } from "@callboard/run-log/partial-json";
import type { CallTrack } from "@callboard/run-log/projections";
import { useRef } from "react";

interface Reading {
  readonly callId: string;
  readonly reader: JsonReader;
  length: number;
}

export function usePartialInput({ callId, input, inputText }: CallTrack): JsonValue | undefined {
  const reading = useRef<Reading | undefined>(undefined);
  if (input !== undefined) return input;
  const isOther = reading.current?.callId !== callId || reading.current.length > inputText.length;
  const current =
    reading.current === undefined || isOther
      ? { callId, reader: createJsonReader(), length: 0 }
      : reading.current;
  reading.current = current;
  if (inputText.length > current.length) {
    current.reader.push(inputText.slice(current.length));
    current.length = inputText.length;
  }
  return current.reader.snapshot();
}
