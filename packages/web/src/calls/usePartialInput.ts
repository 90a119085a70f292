/** A call's arguments as a value, also while they stream: each frame reads only what is new. */
import type { JsonValue } from "@callboard/run-log";
import type { CallTrack } from "@callboard/run-log/projections";
import { useState } from "react";
import { createPartialInput } from "./partialInput.js";

export function usePartialInput(track: CallTrack): JsonValue | undefined {
  const [read] = useState(() => createPartialInput());
  return read(track);
}
